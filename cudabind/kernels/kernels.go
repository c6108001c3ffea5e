// Package kernels holds the CUDA sources. Its Go side is their text alone: a package that compiles these headers by
// cgo imports it, so that go's build cache notices when one of them changes.
package kernels

import "embed"

// Sources are the headers and translation units.
//
//go:embed *.cuh *.cu *.h
var Sources embed.FS
