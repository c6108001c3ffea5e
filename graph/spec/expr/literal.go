package expr

import (
	"fmt"
	"math/big"
	"strings"
)

// Units are the units of sizes with their bytes, in the order they are documented.
var Units = []Unit{
	{"B", 1},
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
}

// A Unit is a unit of sizes.
type Unit struct {
	Name  string
	Bytes int64
}

const (
	unitHint = "units are B, KiB, MiB, GiB, TiB and KB, MB, GB, TB"
	// maxDigits keeps hostile numbers out of big arithmetic; the largest int64 has 19.
	maxDigits = 40
)

// ParseLiteral reads an integer or a size, with an optional sign. Sized says that it had a unit; the value then counts
// bytes. A size may have a fraction ("1.5GiB") where the result is a whole number of bytes. Errors are of type *Error.
func ParseLiteral(text string) (value int64, sized bool, err error) {
	digits := strings.TrimLeft(text, "+-")
	sign := len(text) - len(digits)
	if sign > 1 || digits == "" || !isDigit(digits[0]) {
		return 0, false, &Error{Reason: Syntax, End: len(text), Message: fmt.Sprintf("%q is not a number", text),
			Hint: "write an integer such as 4, or a size such as 64MiB"}
	}
	return parseNumber(digits, text[0] == '-', sign)
}

// parseNumber reads digits, a fraction and a unit; offset is where text stands in the whole, for errors.
func parseNumber(text string, negative bool, offset int) (value int64, sized bool, err error) {
	whole, unit := cutDigits(text)
	fraction := ""
	if strings.HasPrefix(unit, ".") {
		fraction, unit = cutDigits(unit[1:])
	}
	problem := numberProblem(text, whole, fraction, unit)
	if problem == nil {
		value, problem = numberValue(text, whole, fraction, unit, negative)
	}
	if problem != nil {
		problem.Start, problem.End = offset, offset+len(text)
		return 0, false, problem
	}
	return value, unit != "", nil
}

// numberProblem says what is wrong with how a number is written, without its place; nil where nothing is.
func numberProblem(text, whole, fraction, unit string) *Error {
	_, known := findUnit(unit)
	switch {
	case len(whole) > 1 && whole[0] == '0':
		return &Error{Reason: Ambiguous, Message: fmt.Sprintf("%s begins with a zero, which some readers of YAML take for octal", text),
			Hint: "write decimal numbers without leading zeros"}
	case !known:
		return &Error{Reason: Syntax, Message: unknownUnit(text, unit), Hint: unitSuggestion(text, unit)}
	case fraction != "" && unit == "":
		return &Error{Reason: Syntax, Message: fmt.Sprintf("%s is not an integer", text), Hint: "only a size may have a fraction: 1.5GiB"}
	case len(whole)+len(fraction) > maxDigits:
		return &Error{Reason: Overflow, Message: "the number is too large"}
	}
	return nil
}

// numberValue computes a number that is written well.
func numberValue(text, whole, fraction, unit string, negative bool) (int64, *Error) {
	u, _ := findUnit(unit)
	value, exact := scale(whole, fraction, u.Bytes)
	if negative {
		value.Neg(value)
	}
	switch {
	case !exact:
		return 0, &Error{Reason: Syntax, Message: fmt.Sprintf("%s is not a whole number of bytes", text), Hint: "use a smaller unit"}
	case !value.IsInt64():
		return 0, &Error{Reason: Overflow, Message: fmt.Sprintf("%s is too large: numbers have 64 bits", text)}
	}
	return value.Int64(), nil
}

// scale gives whole.fraction times bytes, and whether that is an integer.
func scale(whole, fraction string, bytes int64) (*big.Int, bool) {
	value, _ := new(big.Int).SetString(whole+fraction, 10)
	value.Mul(value, big.NewInt(bytes))
	tens := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(fraction))), nil)
	remainder := new(big.Int)
	value.QuoRem(value, tens, remainder)
	return value, remainder.Sign() == 0
}

func findUnit(name string) (Unit, bool) {
	if name == "" {
		return Unit{"", 1}, true
	}
	for _, u := range Units {
		if u.Name == name {
			return u, true
		}
	}
	return Unit{}, false
}

// unknownUnit says what is wrong with what follows the digits of a number.
func unknownUnit(text, unit string) string {
	switch {
	case unit[0] == ' ':
		return fmt.Sprintf("%q has a space in it", text)
	case unit[0] == '_':
		return fmt.Sprintf("%s has an underscore in it", text)
	case text[0] == '0' && strings.ContainsAny(unit[:1], "xXoO"):
		return fmt.Sprintf("%s is not a decimal number", text)
	}
	return fmt.Sprintf("%q is not a unit of size", unit)
}

// unitSuggestion finds the unit that was meant: "mib" and "M" are MiB.
func unitSuggestion(text, unit string) string {
	switch {
	case unit[0] == ' ':
		return "write it without the space"
	case unit[0] == '_' || text[0] == '0':
		return "write decimal digits alone, or a size such as 64MiB"
	}
	unit = strings.ToLower(unit)
	for _, u := range Units {
		name := strings.ToLower(u.Name)
		if unit == name || unit == strings.TrimSuffix(name, "b") || unit == strings.TrimSuffix(name, "ib") {
			return fmt.Sprintf("did you mean %s? %s", u.Name, unitHint)
		}
	}
	return unitHint
}

// FormatSize writes bytes in the largest binary unit that gives a whole number: 1536 is "1536B", 2048 is "2KiB".
// ParseLiteral reads it back.
func FormatSize(bytes int64) string {
	best := Units[0]
	for _, u := range Units[1:5] {
		if bytes != 0 && bytes%u.Bytes == 0 {
			best = u
		}
	}
	return fmt.Sprintf("%d%s", bytes/best.Bytes, best.Name)
}

func cutDigits(text string) (digits, rest string) {
	end := 0
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return text[:end], text[end:]
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
