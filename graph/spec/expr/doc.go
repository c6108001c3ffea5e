// Package expr reads the values of a pipeline: integers, sizes ("64MiB"), and text with integer expressions in it
// ("${2 * workers + 1}").
//
// Reading order: Text (text.go) is what stands in a pipeline, Parse (parse.go) reads one expression, Expr (tree.go)
// evaluates it, ParseLiteral (literal.go) reads numbers and sizes, Error (error.go) says what was wrong and where.
package expr
