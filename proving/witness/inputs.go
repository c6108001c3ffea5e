package witness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// Inputs are the values of a circuit's input signals by name, arrays flattened row by row. The fields of a bus are
// named like point.x, its elements in an array like points[2].x. Values of any size and sign are reduced modulo r.
type Inputs map[string][]*big.Int

// What bounds a document, so that a small one cannot take much memory: every value in a deep object has the whole way to
// it in its name.
const (
	longestNumber = 1 << 12 // characters
	longestName   = 1 << 10 // bytes, fields and indices and all
	deepest       = 64      // objects and arrays in each other
)

// ParseInputs reads an input.json: an object of numbers, strings of numbers (decimal, or with 0x, 0o or 0b), and
// nested arrays and objects of them. What is no whole number is refused by its name.
func ParseInputs(data []byte) (Inputs, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var top map[string]any
	if err := d.Decode(&top); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInput, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: something follows the object of inputs", ErrInput)
	}
	if top == nil {
		return nil, fmt.Errorf("%w: the document is no object", ErrInput)
	}
	in := Inputs{}
	return in, in.addFields("", top, 0)
}

func (in Inputs) addFields(prefix string, fields map[string]any, depth int) error {
	for name, value := range fields {
		if prefix != "" {
			name = prefix + "." + name
		}
		if err := in.add(name, value, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// add adds a value under a name. Values under one name gather in order; an object inside an array gets the indices
// into its name.
func (in Inputs) add(name string, value any, depth int) error {
	if len(name) > longestName || depth > deepest {
		return fmt.Errorf("%w: input %.40q...: a name has at most %d bytes, and values lie at most %d deep", ErrInput,
			name, longestName, deepest)
	}
	switch v := value.(type) {
	case map[string]any:
		return in.addFields(name, v, depth)
	case []any:
		if _, ok := in[name]; !ok && !holdsObjects(v) {
			in[name] = nil
		}
		return in.addElements(name, v, depth)
	}
	n, err := number(value)
	if err != nil {
		return fmt.Errorf("%w: input %q: %w", ErrInput, name, err)
	}
	in[name] = append(in[name], n)
	return nil
}

func (in Inputs) addElements(name string, list []any, depth int) error {
	objects := holdsObjects(list)
	for i, element := range list {
		inner := name
		if objects {
			inner = fmt.Sprintf("%s[%d]", name, i)
		}
		if err := in.add(inner, element, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// holdsObjects says whether an array, or an array in it, begins with an object.
func holdsObjects(list []any) bool {
	if len(list) == 0 {
		return false
	}
	switch first := list[0].(type) {
	case map[string]any:
		return true
	case []any:
		return holdsObjects(first)
	}
	return false
}

func number(value any) (*big.Int, error) {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	case nil:
		return nil, fmt.Errorf("null is no number")
	default:
		return nil, fmt.Errorf("%v is no number", v)
	}
	if len(text) > longestNumber {
		return nil, fmt.Errorf("a number of %d characters is too long", len(text))
	}
	n, ok := new(big.Int).SetString(text, baseOf(text))
	if !ok || strings.ContainsRune(text, '_') {
		return nil, fmt.Errorf("%q is no whole number", text)
	}
	return n, nil
}

// baseOf is 0, the base that the prefix tells, for what has one, and else 10, where leading zeros mean nothing.
func baseOf(text string) int {
	digits := strings.TrimPrefix(text, "-")
	if len(digits) > 2 && digits[0] == '0' && strings.ContainsRune("xXoObB", rune(digits[1])) {
		return 0
	}
	return 10
}

// String lists names and numbers of values.
func (in Inputs) String() string {
	parts := make([]string, 0, len(in))
	for _, name := range in.names() {
		parts = append(parts, fmt.Sprintf("%s: %d", name, len(in[name])))
	}
	return strings.Join(parts, ", ")
}
