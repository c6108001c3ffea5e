package render

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// A Trace writes what happened in a run, as it happens, in the trace event format that Perfetto and chrome://tracing
// open: a track per worker with what it worked on, and a counter per pool or class. Nothing is kept but the numbers of
// the tracks. It is for one goroutine; Close ends the file, and the first error sticks and is returned by every later
// call.
//
// The format is described in "Trace Event Format" (Google, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU).
type Trace struct {
	w         *bufio.Writer
	processes map[string]int
	threads   map[[2]string]int
	separator string // before the next event
	err       error
}

// A Span is a stretch of work on one track.
type Span struct {
	Process         string // what the track is grouped under: a stage
	Track           string // a worker: "worker 0"
	Name            string // what it worked on: "job 7, partition 3"
	Category        string
	Start, Duration time.Duration  // since the run began
	Args            map[string]any // shown when the span is selected; keys are written in order
}

// A Sample is the value of a counter from a moment on. Its series are stacked in one picture.
type Sample struct {
	Process, Counter string // a pool, and what is counted: "bytes"
	At               time.Duration
	Values           map[string]int64 // per series: a class and its bytes
}

// NewTrace begins a trace on w.
func NewTrace(w io.Writer) *Trace {
	t := &Trace{w: bufio.NewWriter(w), processes: map[string]int{}, threads: map[[2]string]int{}, separator: "\n"}
	t.print("[")
	return t
}

// An event is one line of the format; times are in microseconds.
type event struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"`
	Category string         `json:"cat,omitempty"`
	Start    float64        `json:"ts"`
	Duration *float64       `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// Span writes a stretch of work.
func (t *Trace) Span(s Span) error {
	process, thread := t.thread(s.Process, s.Track)
	duration := microseconds(s.Duration)
	return t.write(event{Name: s.Name, Phase: "X", Category: s.Category, Start: microseconds(s.Start), Duration: &duration,
		Process: process, Thread: thread, Args: s.Args})
}

// Sample writes the value of a counter.
func (t *Trace) Sample(s Sample) error {
	values := make(map[string]any, len(s.Values))
	for series, value := range s.Values {
		values[series] = value
	}
	return t.write(event{Name: s.Counter, Phase: "C", Start: microseconds(s.At), Process: t.process(s.Process), Args: values})
}

// Close ends the trace and flushes it; it does not close the writer beneath.
func (t *Trace) Close() error {
	t.print("\n]\n")
	if err := t.w.Flush(); t.err == nil && err != nil {
		t.err = fmt.Errorf("writing a trace: %w", err)
	}
	return t.err
}

// process gives the number of a process, and names it where it is new.
func (t *Trace) process(name string) int {
	id, known := t.processes[name]
	if !known {
		id = len(t.processes) + 1
		t.processes[name] = id
		t.name("process", name, id, 0)
	}
	return id
}

func (t *Trace) thread(process, track string) (pid, tid int) {
	pid = t.process(process)
	key := [2]string{process, track}
	tid, known := t.threads[key]
	if !known {
		tid = len(t.threads) + 1
		t.threads[key] = tid
		t.name("thread", track, pid, tid)
	}
	return pid, tid
}

// name writes the metadata that gives a process or thread its name and its place: in the order of their numbers.
func (t *Trace) name(of, name string, pid, tid int) {
	place := pid
	if of == "thread" {
		place = tid
	}
	_ = t.write(event{Name: of + "_name", Phase: "M", Process: pid, Thread: tid, Args: map[string]any{"name": name}})
	_ = t.write(event{Name: of + "_sort_index", Phase: "M", Process: pid, Thread: tid, Args: map[string]any{"sort_index": place}})
}

func (t *Trace) write(e event) error {
	line, err := json.Marshal(e)
	if err != nil && t.err == nil {
		t.err = fmt.Errorf("writing the trace event %q: %w", e.Name, err)
	}
	t.print(t.separator + string(line))
	t.separator = ",\n"
	return t.err
}

func (t *Trace) print(s string) {
	if t.err != nil {
		return
	}
	if _, err := t.w.WriteString(s); err != nil {
		t.err = fmt.Errorf("writing a trace: %w", err)
	}
}
