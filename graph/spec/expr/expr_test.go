package expr

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func values(names map[string]int64) Resolver {
	return func(name string) (int64, error) {
		if v, ok := names[name]; ok {
			return v, nil
		}
		return 0, errors.New("unknown " + name)
	}
}

func TestEval(t *testing.T) {
	names := values(map[string]int64{"workers": 4, "cores": 16, "big": math.MaxInt64})
	for text, want := range map[string]int64{
		"1":                          1,
		"1 + 2 * 3":                  7,
		"(1 + 2) * 3":                9,
		"10 - 3 - 2":                 5,
		"2 * 7 / 4":                  3,
		"-7 / 2":                     -3,
		"-7 % 2":                     -1,
		"--3":                        3,
		"5 - -3":                     8,
		"64MiB":                      64 << 20,
		"1.5GiB":                     3 << 29,
		"2KB + 1B":                   2001,
		"workers":                    4,
		"min(workers, cores / 8, 9)": 2,
		"max(workers,\n\tcores)":     16,
		"max(3)":                     3,
		"(workers + 3) / 4 * 1GiB":   1 << 30,
		"min(big, 2) * max(0, -1)":   0,
		"big - 1 + 1":                math.MaxInt64,
		"-9223372036854775807 - 1":   math.MinInt64,
		"(-big - 1) % -1":            0,
		"minimum":                    7,
	} {
		resolve := func(name string) (int64, error) {
			if name == "minimum" {
				return 7, nil
			}
			return names(name)
		}
		t.Run(text, func(t *testing.T) {
			e, err := Parse(text)
			require.NoError(t, err)
			got, err := e.Eval(resolve)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestErrorsHavePlaces(t *testing.T) {
	for text, want := range map[string]Error{
		"":                                {Syntax, 0, 0, "the expression ends where a value is expected", ""},
		"1 +":                             {Syntax, 3, 3, "the expression ends where a value is expected", ""},
		"1 2":                             {Syntax, 2, 3, `"2" stands where an operator is expected`, ""},
		"(1":                              {Syntax, 2, 2, `the expression ends where ")" is expected`, ""},
		"1 + é":                           {Syntax, 4, 6, `unexpected "é"`, "an expression has integers, sizes, names, + - * / % ( ), min and max"},
		"min()":                           {Syntax, 4, 5, `")" stands where a value is expected`, ""},
		"min 1":                           {Syntax, 4, 5, `"1" stands where "(" is expected`, ""},
		"abs(1)":                          {Syntax, 0, 3, `there is no function "abs"`, "the functions are min and max"},
		"1 + 010":                         {Ambiguous, 4, 7, "010 begins with a zero, which some readers of YAML take for octal", "write decimal numbers without leading zeros"},
		"3 mib":                           {Syntax, 2, 5, `"mib" stands where an operator is expected`, ""},
		"3mib":                            {Syntax, 0, 4, `"mib" is not a unit of size`, "did you mean MiB? " + unitHint},
		"0x10":                            {Syntax, 0, 4, "0x10 is not a decimal number", "write decimal digits alone, or a size such as 64MiB"},
		"1_000":                           {Syntax, 0, 5, "1_000 has an underscore in it", "write decimal digits alone, or a size such as 64MiB"},
		"1.5":                             {Syntax, 0, 3, "1.5 is not an integer", "only a size may have a fraction: 1.5GiB"},
		"0.3B":                            {Syntax, 0, 4, "0.3B is not a whole number of bytes", "use a smaller unit"},
		"1 + 4 / (2 - 2)":                 {DivideByZero, 4, 14, "4 / 0 divides by zero", ""},
		"7 % 0":                           {DivideByZero, 0, 5, "7 % 0 divides by zero", ""},
		"1 - 8388608TiB * 2":              {Overflow, 4, 14, "8388608TiB is too large: numbers have 64 bits", ""},
		"1 - 4194304TiB * 2":              {Overflow, 4, 18, "the result does not fit in 64 bits", ""},
		"9223372036854775807 + 1":         {Overflow, 0, 23, "the result does not fit in 64 bits", ""},
		"-(-9223372036854775807 - 1)":     {Overflow, 0, 26, "the result does not fit in 64 bits", ""},
		"(-9223372036854775807 - 1) / -1": {Overflow, 1, 31, "the result does not fit in 64 bits", ""},
	} {
		t.Run(text, func(t *testing.T) {
			e, err := Parse(text)
			if err == nil {
				_, err = e.Eval(values(nil))
			}
			var got *Error
			require.ErrorAs(t, err, &got)
			assert.Equal(t, want, *got)
		})
	}
}

func TestNestingIsBounded(t *testing.T) {
	deep := func(n int) string {
		text := make([]byte, 0, 2*n+1)
		for range n {
			text = append(text, '(')
		}
		text = append(text, '1')
		for range n {
			text = append(text, ')')
		}
		return string(text)
	}
	_, err := Parse(deep(50))
	require.NoError(t, err)
	_, err = Parse(deep(1000))
	require.ErrorContains(t, err, "nested too deeply")
	_, err = Parse(deep(5000))
	require.ErrorContains(t, err, "too long")
}

func TestText(t *testing.T) {
	names := values(map[string]int64{"n": 3, "m": -2})
	for text, want := range map[string]string{
		"":                   "",
		"plain":              "plain",
		"${n}":               "3",
		"${n}MiB":            "3MiB",
		"a${n}b${ m * n }c":  "a3b-6c",
		"$5 and $n":          "$5 and $n",
		"$${n} is ${n}":      "${n} is 3",
		"100%":               "100%",
		"} closes nothing {": "} closes nothing {",
	} {
		t.Run(text, func(t *testing.T) {
			parsed, err := ParseText(text)
			require.NoError(t, err)
			got, err := parsed.Eval(names)
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestTextErrorsCountFromItsBeginning(t *testing.T) {
	_, err := ParseText("size ${1 +} of")
	assert.Equal(t, &Error{Syntax, 10, 10, "the expression ends where a value is expected", ""}, err)
	_, err = ParseText("size ${1")
	require.ErrorContains(t, err, "not closed")
	parsed, err := ParseText("x${a}${b + a}")
	require.NoError(t, err)
	assert.Equal(t, []Reference{{"a", 3, 4}, {"b", 7, 8}, {"a", 11, 12}}, parsed.References())
	assert.True(t, parsed.Computed())
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]struct {
		value int64
		sized bool
	}{
		"0": {0, false}, "-12": {-12, false}, "+3": {3, false}, "64MiB": {64 << 20, true}, "2TB": {2e12, true},
		"0.5KiB": {512, true}, "-1GiB": {-1 << 30, true}, "-9223372036854775808": {math.MinInt64, false},
	} {
		value, sized, err := ParseLiteral(text)
		require.NoError(t, err, text)
		assert.Equal(t, want.value, value, text)
		assert.Equal(t, want.sized, sized, text)
	}
	for _, text := range []string{"", "-", "--1", "x", "1e6", "1,000", "64 MiB", "9223372036854775808", "1.GiB.", "٣"} {
		_, _, err := ParseLiteral(text)
		assert.Error(t, err, text)
	}
}
