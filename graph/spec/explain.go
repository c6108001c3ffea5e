package spec

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/proofgraph/proofgraph/graph/spec/expr"
	"github.com/proofgraph/proofgraph/graph/stage"
)

// Explain describes a stage kind to those who write pipelines: what it does, its ports and its options, in plain text.
func Explain(k *stage.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", k.Name, k.Doc)
	inputs, outputs := documentedPorts(k)
	table(&b, "inputs", len(inputs), func(row func(...string)) {
		for _, p := range inputs {
			row(p.Name, p.Type.String(), inputNotes(p), p.Doc)
		}
	})
	table(&b, "outputs", len(outputs), func(row func(...string)) {
		for _, p := range outputs {
			row(p.Name, p.Type.String(), outputNotes(k, p), p.Doc)
		}
	})
	if k.PortsFor != nil {
		b.WriteString("  (ports and types may change with the options)\n")
	}
	table(&b, "options", len(k.Options), func(row func(...string)) {
		for _, o := range k.Options {
			row(o.Name, optionType(o), optionDefault(o), o.Doc)
		}
	})
	if len(k.Scratch) > 0 {
		fmt.Fprintf(&b, "scratch classes: %s\n", strings.Join(classNotes(k, k.Scratch), ", "))
	}
	if len(k.OptionalScratch) > 0 {
		fmt.Fprintf(&b, "scratch classes where they are declared: %s\n", strings.Join(classNotes(k, k.OptionalScratch), ", "))
	}
	return b.String()
}

// documentedPorts gives the ports that the kind declares, or else those it has with the defaults of its options.
func documentedPorts(k *stage.Kind) (inputs, outputs []stage.Port) {
	if k.Inputs != nil || k.Outputs != nil || k.PortsFor == nil {
		return k.Inputs, k.Outputs
	}
	l := Loader{}.loader("", nil)
	defaults, good := l.options(&fields{at: l.file.scalar("", 1)}, k)
	if !good {
		return nil, nil
	}
	inputs, outputs, _ = k.PortsFor(defaults) // with an error there are none to show
	return inputs, outputs
}

// table writes a titled table with aligned columns, and nothing where it has no rows.
func table(b *strings.Builder, title string, rows int, fill func(row func(...string))) {
	if rows == 0 {
		return
	}
	fmt.Fprintf(b, "%s:\n", title)
	var aligned strings.Builder
	w := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	fill(func(cells ...string) { fmt.Fprintf(w, "  %s\n", strings.Join(cells, "\t")) })
	w.Flush() // a strings.Builder takes everything
	for line := range strings.Lines(aligned.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func inputNotes(p stage.Port) string {
	if p.Optional {
		return "optional"
	}
	return ""
}

func outputNotes(k *stage.Kind, p stage.Port) string {
	class := strings.Join(classNotes(k, []string{p.Class}), "")
	switch {
	case p.Takes != "" && p.Class != "":
		return fmt.Sprintf("takes over %s, class %s", p.Takes, class)
	case p.Takes != "":
		return "takes over " + p.Takes
	case p.Class != "":
		return "class " + class
	}
	return ""
}

// classNotes names classes, each with the memory that it takes where not every one would do.
func classNotes(k *stage.Kind, classes []string) []string {
	notes := make([]string, len(classes))
	for i, class := range classes {
		notes[i] = class
		if serve := k.Memory[class]; len(serve) > 0 {
			notes[i] += fmt.Sprintf(" (%s memory)", orWords(serve))
		}
	}
	return notes
}

// optionType gives the values that an option takes: "int 1 to 100", "rgb | gray".
func optionType(o stage.Option) string {
	format := func(n int64) string { return fmt.Sprint(n) }
	if o.Type == stage.Size {
		format = expr.FormatSize
	}
	switch {
	case o.Enum != nil:
		return strings.Join(o.Enum, " | ")
	case o.Max != 0:
		return fmt.Sprintf("%s %s to %s", o.Type, format(o.Min), format(o.Max))
	case o.Min != 0:
		return fmt.Sprintf("%s from %s", o.Type, format(o.Min))
	}
	return string(o.Type)
}

func optionDefault(o stage.Option) string {
	switch {
	case o.Required:
		return "required"
	case o.Default == "":
		return ""
	}
	return "default " + o.Default
}
