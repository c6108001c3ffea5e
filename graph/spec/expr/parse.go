package expr

import "fmt"

// Bounds on what is parsed: recursion follows nesting, and no real expression is near either.
const (
	maxNesting = 100
	maxText    = 4096
)

// Parse reads one expression, the text between ${ and }. Errors are of type *Error.
//
//	sum     = product { ("+" | "-") product }
//	product = factor { ("*" | "/" | "%") factor }
//	factor  = "-" factor | number | size | name | "(" sum ")" | ("min" | "max") "(" sum { "," sum } ")"
func Parse(text string) (*Expr, error) { return parse(text, 0, len(text)) }

// parse reads text[start:limit]; places in errors and references are offsets into the whole text.
func parse(text string, start, limit int) (*Expr, error) {
	if limit-start > maxText {
		return nil, &Error{Syntax, start, limit, "the expression is too long", ""}
	}
	p := &parser{lexer: lexer{text, start, limit}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	root, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.token.kind != endToken {
		return nil, p.unexpected("an operator")
	}
	return &Expr{root, p.references}, nil
}

// A parser looks one token ahead.
type parser struct {
	lexer      lexer
	token      token
	depth      int
	references []Reference
}

func (p *parser) advance() (err error) {
	p.token, err = p.lexer.next()
	return err
}

func (p *parser) sum() (node, error) { return p.chain(p.product, "+", "-") }

func (p *parser) product() (node, error) { return p.chain(p.factor, "*", "/", "%") }

// chain reads operands joined by operators of one precedence, grouping to the left.
func (p *parser) chain(operand func() (node, error), operators ...string) (node, error) {
	left, err := operand()
	for err == nil && p.isSign(operators...) {
		operator := p.token
		if err = p.advance(); err != nil {
			return nil, err
		}
		var right node
		if right, err = operand(); err == nil {
			left = &operation{operator.text[0], left, right, span{left.where().start, right.where().end}}
		}
	}
	return left, err
}

func (p *parser) factor() (node, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, &Error{Syntax, p.token.start, p.token.end, "the expression is nested too deeply", ""}
	}
	defer func() { p.depth-- }()
	t := p.token
	switch {
	case t.kind == numberToken:
		return &literal{t.value, span{t.start, t.end}}, p.advance()
	case t.kind == nameToken:
		return p.named()
	case p.isSign("-"):
		return p.negated()
	case p.isSign("("):
		return p.grouped()
	}
	return nil, p.unexpected("a value")
}

func (p *parser) negated() (node, error) {
	start := p.token.start
	if err := p.advance(); err != nil {
		return nil, err
	}
	operand, err := p.factor()
	if err != nil {
		return nil, err
	}
	return &negation{operand, span{start, operand.where().end}}, nil
}

func (p *parser) grouped() (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	inner, err := p.sum()
	if err != nil {
		return nil, err
	}
	return inner, p.expect(")")
}

// named reads a reference, or a call of min or max.
func (p *parser) named() (node, error) {
	name := p.token
	if err := p.advance(); err != nil {
		return nil, err
	}
	switch {
	case name.text == "min" || name.text == "max":
		return p.call(name)
	case p.isSign("("):
		return nil, &Error{Syntax, name.start, name.end, fmt.Sprintf("there is no function %q", name.text),
			"the functions are min and max"}
	}
	p.references = append(p.references, Reference{name.text, name.start, name.end})
	return &reference{name.text, span{name.start, name.end}}, nil
}

func (p *parser) call(name token) (node, error) {
	c := &call{greatest: name.text == "max", span: span{start: name.start}}
	for separator := "("; ; separator = "," {
		if err := p.expect(separator); err != nil {
			return nil, err
		}
		argument, err := p.sum()
		if err != nil {
			return nil, err
		}
		c.arguments = append(c.arguments, argument)
		if !p.isSign(",") {
			break
		}
	}
	c.span.end = p.token.end
	return c, p.expect(")")
}

func (p *parser) isSign(signs ...string) bool {
	for _, sign := range signs {
		if p.token.kind == signToken && p.token.text == sign {
			return true
		}
	}
	return false
}

func (p *parser) expect(sign string) error {
	if !p.isSign(sign) {
		return p.unexpected(fmt.Sprintf("%q", sign))
	}
	return p.advance()
}

func (p *parser) unexpected(wanted string) error {
	t := p.token
	if t.kind == endToken {
		return &Error{Syntax, t.start, t.end, fmt.Sprintf("the expression ends where %s is expected", wanted), ""}
	}
	return &Error{Syntax, t.start, t.end, fmt.Sprintf("%q stands where %s is expected", t.text, wanted), ""}
}
