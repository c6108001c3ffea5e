package witness

import (
	"context"
	"errors"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/proofgraph/proofgraph/proving/curve"
)

// longestMessage bounds what a module may say.
const longestMessage = 64 << 10

var errException = errors.New("the circuit raised an exception")

// addRuntime gives modules the functions that circom's expect from their host.
func addRuntime(ctx context.Context, rt wazero.Runtime) error {
	host := rt.NewHostModuleBuilder("runtime")
	for name, f := range map[string]func(*run){
		"printErrorMessage":  (*run).printError,
		"writeBufferMessage": (*run).writeBuffer,
		"showSharedRWMemory": (*run).showShared,
	} {
		host.NewFunctionBuilder().WithFunc(func(ctx context.Context) { f(of(ctx)) }).Export(name)
	}
	host.NewFunctionBuilder().WithFunc(func(ctx context.Context, code int32) { of(ctx).exception(code) }).
		Export("exceptionHandler")
	_, err := host.Instantiate(ctx)
	return err
}

func of(ctx context.Context) *run { return ctx.Value(runKey{}).(*run) }

// exception ends the call under way. wazero turns the panic into an error of the call.
func (r *run) exception(code int32) {
	r.circuit = &CircuitError{Code: int(code), Message: strings.TrimSpace(r.message.String())}
	panic(errException)
}

func (r *run) printError() {
	if r.message.Len() > longestMessage {
		return
	}
	r.message.WriteString(r.readMessage())
	r.message.WriteByte('\n')
}

// writeBuffer gets the pieces of a log line, then a newline.
func (r *run) writeBuffer() {
	text := r.readMessage()
	if text != "\n" {
		r.addToLine(text)
		return
	}
	if r.log != nil {
		r.log(r.line.String())
	}
	r.line.Reset()
}

// showShared gets a number of a log line.
func (r *run) showShared() {
	if b, ok := r.module.Memory().Read(r.start, curve.ScalarSize); ok {
		r.addToLine(curve.FromLittleEndian(b).String())
	}
}

func (r *run) addToLine(text string) {
	if r.line.Len() > longestMessage {
		return
	}
	if r.line.Len() > 0 {
		r.line.WriteByte(' ')
	}
	r.line.WriteString(text)
}

// readMessage asks the module for its message, a character at a time.
func (r *run) readMessage() string {
	var text strings.Builder
	next := r.module.ExportedFunction("getMessageChar")
	for text.Len() < longestMessage {
		results, err := next.Call(r.ctx)
		if err != nil || api.DecodeI32(results[0]) == 0 {
			break
		}
		text.WriteByte(byte(results[0]))
	}
	return text.String()
}
