package expr

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A sample is an expression as text, and what unbounded integers make of it (nil: it must fail).
type sample struct {
	text  string
	value *big.Int
}

var environment = map[string]int64{"a": 3, "b": -17, "workers": 64, "huge": 1 << 62, "zero": 0}

// sampleOf draws an expression, written with every group in parentheses, beside its value by math/big.
func sampleOf(depth int) *rapid.Generator[sample] {
	return rapid.Custom(func(t *rapid.T) sample {
		shape := 0
		if depth > 0 {
			shape = rapid.IntRange(0, 4).Draw(t, "shape")
		}
		switch shape {
		case 0:
			return leaf(t)
		case 1:
			operand := sampleOf(depth-1).Draw(t, "operand")
			return sample{"-" + operand.text, combine(big.NewInt(0), operand.value, (*big.Int).Sub)}
		case 2:
			return callOf(t, depth)
		}
		left, right := sampleOf(depth-1).Draw(t, "left"), sampleOf(depth-1).Draw(t, "right")
		operator := rapid.SampledFrom([]string{"+", "-", "*", "/", "%"}).Draw(t, "operator")
		return sample{fmt.Sprintf("(%s %s %s)", left.text, operator, right.text), reference2(operator, left.value, right.value)}
	})
}

func leaf(t *rapid.T) sample {
	if rapid.Bool().Draw(t, "named") {
		name := rapid.SampledFrom([]string{"a", "b", "workers", "huge", "zero"}).Draw(t, "name")
		return sample{name, big.NewInt(environment[name])}
	}
	number := rapid.Int64Range(0, 1<<20).Draw(t, "number")
	unit := rapid.SampledFrom(append([]Unit{{"", 1}}, Units...)).Draw(t, "unit")
	return sample{fmt.Sprintf("%d%s", number, unit.Name), fit(new(big.Int).Mul(big.NewInt(number), big.NewInt(unit.Bytes)))}
}

func callOf(t *rapid.T, depth int) sample {
	left, right := sampleOf(depth-1).Draw(t, "left"), sampleOf(depth-1).Draw(t, "right")
	name := rapid.SampledFrom([]string{"min", "max"}).Draw(t, "function")
	pick := func(_, x, y *big.Int) *big.Int {
		if (x.Cmp(y) > 0) == (name == "max") {
			return x
		}
		return y
	}
	return sample{fmt.Sprintf("%s(%s, %s)", name, left.text, right.text), combine(left.value, right.value, pick)}
}

func reference2(operator string, x, y *big.Int) *big.Int {
	switch operator {
	case "+":
		return combine(x, y, (*big.Int).Add)
	case "-":
		return combine(x, y, (*big.Int).Sub)
	case "*":
		return combine(x, y, (*big.Int).Mul)
	}
	if y == nil || y.Sign() == 0 {
		return nil
	}
	if operator == "/" {
		return combine(x, y, (*big.Int).Quo)
	}
	return combine(x, y, (*big.Int).Rem)
}

func combine(x, y *big.Int, apply func(z, x, y *big.Int) *big.Int) *big.Int {
	if x == nil || y == nil {
		return nil
	}
	return fit(apply(new(big.Int), x, y))
}

// fit is nil where a value leaves 64 bits: every step must fit, not only the last.
func fit(x *big.Int) *big.Int {
	if !x.IsInt64() {
		return nil
	}
	return x
}

func TestEvalAgreesWithUnboundedIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sampleOf(5).Draw(t, "expression")
		var got int64
		e, err := Parse(s.text)
		if err == nil {
			got, err = e.Eval(values(environment))
		}
		if s.value == nil {
			require.Error(t, err, s.text)
			return
		}
		require.NoError(t, err, s.text)
		require.Equal(t, s.value.Int64(), got, s.text)
	})
}

// Without parentheses, precedence decides; Go's is the same, so the test compares with the grouping written out.
func TestPrecedence(t *testing.T) {
	rank := map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
	rapid.Check(t, func(t *rapid.T) {
		operators := []string{"+", "-", "*", "/", "%"}
		first := rapid.SampledFrom(operators).Draw(t, "first")
		second := rapid.SampledFrom(operators).Draw(t, "second")
		x, y, z := rapid.IntRange(1, 99).Draw(t, "x"), rapid.IntRange(1, 99).Draw(t, "y"), rapid.IntRange(1, 99).Draw(t, "z")
		grouped := fmt.Sprintf("(%d %s %d) %s %d", x, first, y, second, z)
		if rank[second] > rank[first] {
			grouped = fmt.Sprintf("%d %s (%d %s %d)", x, first, y, second, z)
		}
		flat, err := Parse(fmt.Sprintf("%d %s %d %s %d", x, first, y, second, z))
		require.NoError(t, err)
		explicit, err := Parse(grouped)
		require.NoError(t, err)
		flatValue, flatErr := flat.Eval(nil)
		value, err := explicit.Eval(nil)
		assert.Equal(t, err == nil, flatErr == nil)
		assert.Equal(t, value, flatValue)
	})
}

func TestSizesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Int64().Draw(t, "bytes")
		value, sized, err := ParseLiteral(FormatSize(bytes))
		require.NoError(t, err)
		assert.True(t, sized)
		assert.Equal(t, bytes, value)
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "${a}", "x${1 + 2*3}y", "$${", "${min(a, 64MiB)}", "${((((1))))}", "${9223372036854775807+1}", "${-0 % -1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParseText(text)
		if err == nil {
			for _, r := range parsed.References() {
				require.Equal(t, r.Name, text[r.Start:r.End])
			}
			_, err = parsed.Eval(values(environment))
		}
		var place *Error
		if errors.As(err, &place) {
			require.LessOrEqual(t, 0, place.Start)
			require.LessOrEqual(t, place.Start, place.End)
			require.LessOrEqual(t, place.End, len(text))
		}
	})
}
