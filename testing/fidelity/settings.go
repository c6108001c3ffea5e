package main

import (
	"fmt"
	"strings"
)

// batch is how many witnesses each circuit has.
const batch = 32

// A setting is what a pipeline is run with.
type setting struct {
	size     int // constraints
	pipeline string
	jobs     int
	memory   string
	set      []string
	from     string // the pipeline whose recordings predict it
}

func (s setting) name() string {
	words := []string{fmt.Sprintf("2^%d", exponent(s.size)), s.pipeline, fmt.Sprint(s.jobs), s.memory}
	return strings.Join(append(words, s.set...), " ")
}

func exponent(size int) (n int) {
	for ; size > 1; size /= 2 {
		n++
	}
	return n
}

// recordings are what profiles are learned from: two sizes of one circuit, through pipelines that run one body at a time, so
// that no body takes anything from another. Those of serial, with all threads a body and with one, are the bodies of all
// pipelines with its stages, at sizes that it sums in one slice; lowmem has stages of its own.
var recordings = []setting{
	{1 << 14, "serial", 24, "1GiB", nil, ""},
	{1 << 16, "serial", 12, "1GiB", nil, ""},
	{1 << 14, "serial", 24, "1GiB", []string{"threads=1"}, ""},
	{1 << 16, "serial", 12, "1GiB", []string{"threads=1"}, ""},
	{1 << 14, "lowmem", 16, "1GiB", nil, ""},
	{1 << 16, "lowmem", 8, "1GiB", nil, ""},
}

// settings are what is predicted. None of them is recorded.
var settings = []setting{
	{1 << 16, "groth16", 1, "1GiB", nil, "serial"},
	{1 << 16, "groth16", 8, "1GiB", nil, "serial"},
	{1 << 16, "groth16", 32, "1GiB", nil, "serial"},
	{1 << 16, "groth16", 16, "1GiB", []string{"lanes=2"}, "serial"},
	{1 << 16, "groth16", 16, "1GiB", []string{"lanes=3"}, "serial"},
	{1 << 16, "groth16", 16, "1GiB", []string{"lanes=4"}, "serial"},
	{1 << 16, "groth16", 16, "24MiB", []string{"lanes=4"}, "serial"},
	{1 << 16, "groth16", 16, "16MiB", []string{"lanes=4"}, "serial"},
	{1 << 16, "batch", 32, "1GiB", nil, "serial"},
	{1 << 16, "batch", 16, "1GiB", []string{"lanes=1"}, "serial"},
	{1 << 16, "batch", 16, "16MiB", nil, "serial"},
	{1 << 16, "split", 16, "1GiB", nil, "serial"},
	{1 << 15, "groth16", 16, "1GiB", nil, "serial"},
	{1 << 17, "groth16", 16, "1GiB", nil, "serial"},
	{1 << 17, "batch", 16, "64MiB", nil, "serial"},
	{1 << 16, "lowmem", 16, "12MiB", nil, "lowmem"},
	{1 << 15, "lowmem", 16, "1GiB", nil, "lowmem"},
	{1 << 17, "lowmem", 8, "1GiB", nil, "lowmem"},
}

// sizes lists the circuits that all of these want.
func sizes() []int {
	var all []int
	known := map[int]bool{}
	for _, s := range append(append([]setting(nil), recordings...), settings...) {
		if !known[s.size] {
			known[s.size] = true
			all = append(all, s.size)
		}
	}
	return all
}
