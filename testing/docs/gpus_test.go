package docs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/proofgraph/proofgraph/cudabind/standin"
)

// What the documents say of GPUs goes without one, where something says what kernels take. The process keeps that, so
// this comes last.
func TestCommandsForGPUsRunWithoutOne(t *testing.T) {
	standin.Use(t, standin.Devices(0))
	assert.Greater(t, runCommands(t, func(line string) bool { return strings.Contains(line, " gpu-") }), 3)
}
