// Package pipelines holds the pipelines that come with proofgraph, so that the binary has them wherever it lies.
package pipelines

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed *.yaml
var files embed.FS

// Default is the name of the pipeline that is used where none is named.
const Default = "groth16"

// Read gives the source of a pipeline by its name, "groth16" or "groth16.yaml"; ok is false where there is none.
func Read(name string) (source []byte, ok bool) {
	source, err := files.ReadFile(strings.TrimSuffix(name, ".yaml") + ".yaml")
	return source, err == nil
}

// Names lists the pipelines in alphabetical order.
func Names() []string {
	entries, _ := fs.Glob(files, "*.yaml")
	for i, name := range entries {
		entries[i] = strings.TrimSuffix(name, ".yaml")
	}
	slices.Sort(entries)
	return entries
}
