// Package pipelines holds the pipelines that come with proofgraph, so that the binary has them wherever it lies.
package pipelines

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed *.yaml profiles/*.yaml
var files embed.FS

// costed are the pipelines of costed stages: they are simulated, explored and planned, and prove nothing.
var costed = []string{"porep"}

// devices are the pipelines that need a GPU.
var devices = []string{"gpu-resident", "gpu-split"}

// Default is the name of the pipeline that is used where none is named.
const Default = "groth16"

// Read gives the source of a pipeline by its name, "groth16" or "groth16.yaml"; ok is false where there is none.
func Read(name string) (source []byte, ok bool) {
	source, err := files.ReadFile(strings.TrimSuffix(name, ".yaml") + ".yaml")
	return source, err == nil
}

// Names lists the pipelines that prove on any machine, in alphabetical order.
func Names() []string {
	return slices.DeleteFunc(names("*.yaml"), func(name string) bool {
		return slices.Contains(costed, name) || slices.Contains(devices, name)
	})
}

// Devices lists the pipelines that prove on GPUs alone, in alphabetical order.
func Devices() []string { return slices.Clone(devices) }

// Costed lists the pipelines of costed stages (model.stage), in alphabetical order.
func Costed() []string { return slices.Clone(costed) }

// Profile gives the source of a machine's profile by its name; ok is false where there is none.
func Profile(name string) (source []byte, ok bool) {
	source, err := files.ReadFile("profiles/" + strings.TrimSuffix(name, ".yaml") + ".yaml")
	return source, err == nil
}

// Profiles lists the profiles in alphabetical order.
func Profiles() []string { return names("profiles/*.yaml") }

func names(pattern string) []string {
	entries, _ := fs.Glob(files, pattern)
	for i, name := range entries {
		entries[i] = strings.TrimSuffix(path.Base(name), ".yaml")
	}
	entries = slices.DeleteFunc(entries, func(name string) bool { return strings.HasSuffix(name, "_test") })
	slices.Sort(entries)
	return entries
}
