package stage

import (
	"maps"
	"math"
	"slices"
)

// An OptionType is the type of an option's value.
type OptionType string

// The types an option can have. A size is written "64MiB" and read as bytes.
const (
	String OptionType = "string"
	Int    OptionType = "int"
	Bool   OptionType = "bool"
	Size   OptionType = "size"
)

// An Option is one key that a stage kind understands.
type Option struct {
	Name string
	Type OptionType
	Doc  string
	// Default is the value where the pipeline says nothing, in the form the pipeline would write it; a Required option
	// has none.
	Default  string
	Required bool
	// Enum lists the allowed values of a string (nil: any).
	Enum []string
	// Min and Max bound an int or a size, both inclusive; Max 0 is no bound.
	Min, Max int64
}

// Options holds the checked options of one stage: every option of its kind is present, with its default where the
// pipeline said nothing.
type Options struct {
	values  map[string]any
	classes []string // sorted
	room    map[string]int64
	// Threads is how many threads a body of the stage may keep busy, at least 1 in footprints; 0 elsewhere.
	Threads int
}

// NewOptions wraps values that are already checked: string, int64 or bool by the option's type. They are of a pipeline
// that declares no buffer class; see WithClasses.
func NewOptions(values map[string]any) Options { return Options{values: values} }

// String gives a string option ("" if the kind has none of that name).
func (o Options) String(name string) string { v, _ := o.values[name].(string); return v }

// Int gives an int option, or a size in bytes.
func (o Options) Int(name string) int64 { v, _ := o.values[name].(int64); return v }

// Bool gives a bool option.
func (o Options) Bool(name string) bool { v, _ := o.values[name].(bool); return v }

// Equal reports whether two stages of one kind have the same options, whatever their classes and threads.
func (o Options) Equal(other Options) bool { return maps.Equal(o.values, other.values) }

// Declares reports whether the pipeline declares a buffer class, or the stage maps it to one, so that a kind can do
// without memory that a pipeline does not speak of.
func (o Options) Declares(class string) bool {
	_, found := slices.BinarySearch(o.classes, class)
	return found
}

// Room gives the most bytes that scratch of a class can ever have: the limit of its pool, that of the largest of several
// devices. It is math.MaxInt64 where there is no limit, or where the pipeline is not bound to a machine yet.
func (o Options) Room(class string) int64 {
	if room, known := o.room[class]; known {
		return room
	}
	return math.MaxInt64
}

// WithRoom gives the same options on a machine that has so many bytes, by class.
func (o Options) WithRoom(room map[string]int64) Options {
	o.room = room
	return o
}

// WithClasses gives the same options in a pipeline that declares exactly these buffer classes.
func (o Options) WithClasses(classes ...string) Options {
	o.classes = slices.Sorted(slices.Values(classes))
	return o
}
