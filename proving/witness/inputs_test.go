package witness

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// listed is what readInputs gives of a document: a value a word.
func listed(document string) (string, error) {
	var words []string
	err := readInputs(strings.NewReader(document), func(name string, x *big.Int) error {
		words = append(words, fmt.Sprintf("%s=%v", name, x))
		return nil
	})
	return strings.Join(words, " "), err
}

func TestReadInputs(t *testing.T) {
	for _, test := range []struct{ name, json, want string }{
		{"numbers of all kinds", `{"a": 1, "b": "-2", "c": "0xff", "d": [["1", 2], [3, " 4 "]]}`, "a=1 b=-2 c=255 d=1 d=2 d=3 d=4"},
		{"leading zeros", `{"a": "007", "b": "0b11", "c": "0o17"}`, "a=7 b=3 c=15"},
		{"objects", `{"p": {"x": 1, "y": [2, 3]}}`, "p.x=1 p.y=2 p.y=3"},
		{"objects in arrays", `{"p": [{"x": 1}, {"x": 2}], "q": [[{"x": 1}], [{"x": [2, 3]}]]}`,
			"p[0].x=1 p[1].x=2 q[0][0].x=1 q[1][0].x=2 q[1][0].x=3"},
		{"objects after nothing", `{"p": [[], [{"x": 1}]], "q": [{}, {"x": 2}]}`, "p[0].x=1 q[1].x=2"},
		{"an empty array", `{"a": []}`, ""},
		{"nothing", ` {} `, ""},
		{"escapes in names", `{"\u0061\n\"": 1}`, "a\n\"=1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := listed(test.json)
			require.NoError(t, err)
			require.Equal(t, test.want, got)
		})
	}
}

func TestInputsThatAreNone(t *testing.T) {
	for _, test := range []struct{ name, json, says string }{
		{"a fraction", `{"a": [1, 1.5]}`, `input "a": "1.5" is no whole number`},
		{"a word", `{"a": {"b": "two"}}`, `input "a.b": "two" is no whole number`},
		{"an empty string", `{"a": ""}`, `input "a": "" is no whole number`},
		{"an underscore", `{"a": "0x1_0"}`, `is no whole number`},
		{"null", `{"a": null}`, `input "a": null is no number`},
		{"a truth value", `{"a": true}`, `input "a": true is no number`},
		{"an array at the top", `[1]`, "no object"},
		{"null at the top", `null`, "no object"},
		{"arrays in arrays without end", `{"a": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "64 deep"},
		{"objects in objects without end", `{"a":` + strings.Repeat(`{"b":`, 100) + "1" + strings.Repeat("}", 100) + `}`, "64 deep"},
		{"a name without end", `{"` + strings.Repeat("a", 2000) + `": {"b": 1}}`, "1024 bytes"},
		{"a string without end", `{"a": "` + strings.Repeat("1", 1<<20), "at most 24576 bytes"},
		{"a number without end", `{"a": ` + strings.Repeat("1", 1<<20), "at most 24576 bytes"},
		{"a long number", `{"a": ` + strings.Repeat("1", 5000) + "}", "a number of 5000 characters is too long"},
		{"two documents", `{} {}`, "follows"},
		{"no document", ``, "unexpected EOF"},
		{"half a document", `{"a": [1,`, "unexpected EOF"},
		{"half a string", `{"a`, "unexpected EOF"},
		{"no comma", `{"a": 1 "b": 2}`, "a comma"},
		{"a comma too many", `{"a": [1,]}`, "begins no value"},
		{"no colon", `{"a", 1}`, "colon"},
		{"no name", `{1: 1}`, "begins with its name"},
		{"no number", `{"a": 01}`, "is no number"},
		{"no JSON", `{"a": nought}`, "is no number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := listed(test.json)
			require.ErrorIs(t, err, ErrInput)
			require.ErrorContains(t, err, test.says)
		})
	}
}

// endless is a document without end: its beginning, then a piece again and again, until so many bytes are read.
type endless struct {
	rest  []byte
	piece string
	left  int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	for len(e.rest) < len(b) {
		e.rest = append(e.rest, e.piece...)
	}
	n := copy(b, e.rest)
	e.rest = append(e.rest[:0], e.rest[n:]...)
	e.left -= n
	return n, nil
}

// However long a document is, what is held of it is small.
func TestInputsAreNotHeld(t *testing.T) {
	const size = 8 << 20
	for name, document := range map[string]*endless{
		"numbers":        {rest: []byte(`{"a": [`), piece: `"21888242871839275222246405745257275088548364400416034343698204186575808495616", `},
		"names":          {rest: []byte(`{`), piece: `"name": 1, `},
		"many names":     {rest: []byte(`{"p": [`), piece: `{"x": 1}, `},
		"empty objects":  {rest: []byte(`{"a": [`), piece: `{}, `},
		"space":          {rest: []byte(`{`), piece: "\n   "},
		"one string":     {rest: []byte(`{"a": "`), piece: "1"},
		"one number":     {rest: []byte(`{"a": 1`), piece: "1"},
		"one long name":  {rest: []byte(`{"`), piece: "a"},
		"opened objects": {rest: []byte(`{`), piece: `"a":{`},
	} {
		t.Run(name, func(t *testing.T) {
			document.left = size
			var most, before, now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			seen := 0
			err := readInputs(document, func(string, *big.Int) error {
				if seen++; seen%(1<<14) == 0 {
					runtime.GC()
					runtime.ReadMemStats(&now)
					most.HeapAlloc = max(most.HeapAlloc, now.HeapAlloc)
				}
				return nil
			})
			require.ErrorIs(t, err, ErrInput)
			runtime.GC()
			runtime.ReadMemStats(&now)
			require.Less(t, max(most.HeapAlloc, now.HeapAlloc), before.HeapAlloc+4<<20)
		})
	}
}

func TestInputsEndWithTheirReader(t *testing.T) {
	broken := errors.New("broken")
	err := readInputs(io.MultiReader(strings.NewReader(`{"a": [1, `), failing{broken}), func(string, *big.Int) error { return nil })
	require.ErrorIs(t, err, broken)
	require.NotErrorIs(t, err, ErrInput)
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// What readInputs takes is JSON, and what is JSON and holds whole numbers only it takes.
func FuzzReadInputs(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "2", {"b": "0x3"}], "c": {"d": -4}}`, `{"a":[[],{"b":1e3}]}`, `{"\ud800": 1} `, "{\"a\": \"\t1\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := readInputs(bytes.NewReader(data), func(name string, x *big.Int) error { return nil })
		if err == nil && !json.Valid(data) {
			t.Fatalf("%q is no JSON", data)
		}
		if err != nil && !errors.Is(err, ErrInput) {
			t.Fatal(err)
		}
	})
}
