// Package spec reads pipelines: from YAML to a checked Pipeline, or to every error that is in it with its place.
// docs/pipeline-language.md describes the language to those who write it.
//
// Reading order: Load (load.go) goes through the file section by section: params (params.go, scope.go), pools, buffers
// and resources (memory.go), stages (stages.go, options.go), edges (edges.go). What only the whole shows is checked last
// (join.go): types (typing.go, unify.go), order and circles (order.go), classes, whose memory they lie in (reside.go), and
// budgets. Beneath lie the YAML nodes (source.go, node.go, value.go) and the errors (errors.go, codes.go); the result is in
// pipeline.go. Schema (schema.go) and Explain (explain.go) tell editors and people about the language.
package spec
