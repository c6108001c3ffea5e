package expr

import (
	"fmt"
	"math/bits"
)

// An Expr is a parsed expression over 64-bit integers.
type Expr struct {
	root       node
	references []Reference
}

// A Reference is a name that an expression uses, and its place in the text.
type Reference struct {
	Name       string
	Start, End int
}

// A Resolver gives the value of a name. Its error ends the evaluation and is returned as it is.
type Resolver func(name string) (int64, error)

// References lists the names that the expression uses, in the order they are written.
func (e *Expr) References() []Reference { return e.references }

// Eval computes the expression. Division truncates toward zero and % has the sign of the dividend, as in Go. A step
// that leaves 64 bits or divides by zero is an *Error at its place.
func (e *Expr) Eval(resolve Resolver) (int64, error) { return e.root.eval(resolve) }

type span struct{ start, end int }

func (s span) where() span { return s }

type node interface {
	eval(Resolver) (int64, error)
	where() span
}

type literal struct {
	value int64
	span
}

func (n *literal) eval(Resolver) (int64, error) { return n.value, nil }

type reference struct {
	name string
	span
}

func (n *reference) eval(resolve Resolver) (int64, error) { return resolve(n.name) }

type negation struct {
	operand node
	span
}

func (n *negation) eval(resolve Resolver) (int64, error) {
	value, err := n.operand.eval(resolve)
	if err != nil {
		return 0, err
	}
	return n.span.checked(subtract(0, value))
}

type operation struct {
	operator    byte
	left, right node
	span
}

func (n *operation) eval(resolve Resolver) (int64, error) {
	left, err := n.left.eval(resolve)
	if err != nil {
		return 0, err
	}
	right, err := n.right.eval(resolve)
	if err != nil {
		return 0, err
	}
	return n.apply(left, right)
}

func (n *operation) apply(left, right int64) (int64, error) {
	switch n.operator {
	case '+':
		return n.span.checked(add(left, right))
	case '-':
		return n.span.checked(subtract(left, right))
	case '*':
		return n.span.checked(multiply(left, right))
	}
	if right == 0 {
		return 0, &Error{DivideByZero, n.start, n.end, fmt.Sprintf("%d %c 0 divides by zero", left, n.operator), ""}
	}
	if n.operator == '%' {
		return remainder(left, right), nil
	}
	return n.span.checked(divide(left, right))
}

type call struct {
	greatest  bool
	arguments []node
	span
}

func (n *call) eval(resolve Resolver) (int64, error) {
	best, err := n.arguments[0].eval(resolve)
	for _, argument := range n.arguments[1:] {
		if err != nil {
			break
		}
		var value int64
		value, err = argument.eval(resolve)
		if (value > best) == n.greatest {
			best = value
		}
	}
	return best, err
}

// checked turns a result that did not fit into an error at the place of its expression.
func (s span) checked(value int64, fits bool) (int64, error) {
	if !fits {
		return 0, &Error{Overflow, s.start, s.end, "the result does not fit in 64 bits", ""}
	}
	return value, nil
}

func add(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum > a) == (b > 0)
}

func subtract(a, b int64) (int64, bool) {
	difference := a - b
	return difference, (difference < a) == (b > 0)
}

func multiply(a, b int64) (int64, bool) {
	high, low := bits.Mul64(magnitude(a), magnitude(b))
	if (a < 0) != (b < 0) {
		return -int64(low), high == 0 && low <= 1<<63
	}
	return int64(low), high == 0 && low < 1<<63
}

func divide(a, b int64) (int64, bool) {
	if b == -1 {
		return subtract(0, a)
	}
	return a / b, true
}

func remainder(a, b int64) int64 {
	if b == -1 {
		return 0
	}
	return a % b
}

// magnitude is |a|; that of the least int64 is 1<<63.
func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
