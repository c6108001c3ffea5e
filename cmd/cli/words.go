package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// complain is an error as the user reads it: what names of files, jobs and circuits have put into it does nothing to a terminal.
func complain(err error) string { return harmless(complaint(err)) }

// harmless writes control characters as Go does, but for the ends of lines and tabs.
func harmless(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}

func complaint(err error) string {
	var pipeline spec.Errors
	if errors.As(err, &pipeline) {
		return pipeline.Error()
	}
	if exitCode(err) == exitInterrupted {
		return "proofgraph: interrupted"
	}
	text := "proofgraph: " + inWords(err)
	var panicked *run.PanicError
	if errors.As(err, &panicked) {
		text += fmt.Sprintf("\nThis is a fault of the program; where it happened:\n%s", panicked.Stack)
	}
	return text
}

// inWords is an error's text, without what the programs below say to each other alone.
func inWords(err error) string {
	text := err.Error()
	var at *run.StageError
	if errors.As(err, &at) {
		text = strings.Replace(text, at.Error(), stageWords(at), 1)
	}
	if file := missing(err); file != nil {
		text = strings.Replace(text, file.Error(), "there is no file "+file.Path, 1)
	}
	var value *json.UnmarshalTypeError
	if errors.As(err, &value) {
		text = strings.Replace(text, value.Error(), valueWords(value), 1)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		text = strings.Replace(text, syntax.Error(), "it is not JSON ("+syntax.Error()+")", 1)
	}
	return text
}

// valueWords says which kind of value stands where another belongs, in the words of JSON.
func valueWords(e *json.UnmarshalTypeError) string {
	wanted := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Int: "a whole number", reflect.Slice: "an array", reflect.Array: "an array",
		reflect.Struct: "an object", reflect.Map: "an object",
	}[e.Type.Kind()]
	if wanted == "" {
		wanted = "another value"
	}
	if e.Field == "" {
		return fmt.Sprintf("%s belongs here, and this is of the kind %s", wanted, e.Value)
	}
	return fmt.Sprintf("%q is %s, and not of the kind %s", e.Field, wanted, e.Value)
}

// stageWords begins with the job, which most errors name by its file already.
func stageWords(e *run.StageError) string {
	text := e.Err.Error()
	if !strings.HasPrefix(text, e.Job) {
		text = e.Job + ": " + text
	}
	return fmt.Sprintf("%s (stage %s)", text, e.Stage)
}

// missing finds the input file that an error says is not there, or nil.
func missing(err error) *fs.PathError {
	var file *fs.PathError
	if errors.As(err, &file) && errors.Is(file, os.ErrNotExist) && (file.Op == "open" || file.Op == "stat") {
		return file
	}
	return nil
}

// cannotWrite says that an output could not be begun. It hides the name of the temporary file, and that it is a file
// which is missing: that would speak of an input.
func cannotWrite(name string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		if dir := filepath.Dir(name); errors.Is(at, os.ErrNotExist) {
			return fmt.Errorf("%s cannot be written: there is no directory %s", name, dir)
		}
		return fmt.Errorf("%s cannot be written: %v", name, at.Err)
	}
	return fmt.Errorf("%s cannot be written: %v", name, err)
}
