package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Bounds on the width of help texts, in columns.
const (
	leastHelpWidth = 60
	mostHelpWidth  = 120
	plainHelpWidth = 80 // where there is no terminal
)

// fitHelp makes the help of a command, and of those below it, as wide as the terminal.
func fitHelp(root *cobra.Command, terminal int) {
	width := plainHelpWidth
	if terminal > 0 {
		width = min(max(terminal, leastHelpWidth), mostHelpWidth)
	}
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd, width) })
	fitText(root, width)
}

// writeUsage writes what cobra does by itself, with flags that fit. A template would say so in a line, but whoever sets one
// links the methods of all types, 4 MiB of them.
func writeUsage(cmd *cobra.Command, width int) error {
	text := &strings.Builder{}
	text.WriteString("Usage:")
	if cmd.Runnable() {
		fmt.Fprintf(text, "\n  %s", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(text, "\n  %s [command]", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(text, "\n\nExamples:\n%s", cmd.Example)
	}
	writeCommands(text, cmd)
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(text, "\n\nFlags:\n%s", strings.TrimRight(cmd.LocalFlags().FlagUsagesWrapped(width), " \n"))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(text, "\n\nUse \"%s [command] --help\" for more information about a command.", cmd.CommandPath())
	}
	text.WriteString("\n")
	_, err := io.WriteString(cmd.OutOrStderr(), text.String())
	return err
}

// writeCommands lists the commands below one.
func writeCommands(text *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	text.WriteString("\n\nAvailable Commands:")
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() || below.Name() == "help" {
			fmt.Fprintf(text, "\n  %-*s %s", below.NamePadding(), below.Name(), below.Short)
		}
	}
}

func fitText(cmd *cobra.Command, width int) {
	cmd.Long = reflow(cmd.Long, width)
	for _, below := range cmd.Commands() {
		fitText(below, width)
	}
}

// reflow breaks the lines of a text anew; indented lines and empty ones stay as they are, and end what is before them.
func reflow(text string, width int) string {
	var lines []string
	open := false // whether the last line may be continued
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			lines, open = append(lines, line), false
			continue
		}
		for _, word := range strings.Fields(line) {
			last := len(lines) - 1
			if !open || utf8.RuneCountInString(lines[last])+1+utf8.RuneCountInString(word) > width {
				lines, open = append(lines, word), true
				continue
			}
			lines[last] += " " + word
		}
	}
	return strings.Join(lines, "\n")
}

// writeFolded writes what write does to stdout, as wide as the terminal.
func (a *App) writeFolded(write func(io.Writer) error) error {
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	_, err := io.WriteString(a.Stdout, fold(text.String(), a.Columns))
	return err
}

// leastFold is how much of a line a folded last column needs to be of use.
const leastFold = 24

// fold breaks the lines of aligned text that are wider than the terminal: what is behind a line's last gap goes on below
// where it began. A width of 0 is no bound.
func fold(text string, width int) string {
	if width <= 0 {
		return text
	}
	var folded strings.Builder
	for line := range strings.Lines(text) {
		folded.WriteString(foldLine(strings.TrimSuffix(line, "\n"), width) + "\n")
	}
	return folded.String()
}

func foldLine(line string, width int) string {
	runes := []rune(line)
	switch {
	case len(runes) <= width:
		return line
	case strings.Trim(line, "─") == "": // a rule
		return string(runes[:width])
	}
	gap := strings.LastIndex(line, "  ")
	switch {
	case gap < 0 || strings.TrimSpace(line[:gap]) == "": // no columns
		return hang("", strings.TrimLeft(line, " "), 2, width)
	case gap+2+leastFold > width: // columns that leave too little for the last: it begins below
		return strings.TrimRight(line[:gap], " ") + "\n      " + hang("", line[gap+2:], 6, width)
	}
	return hang(line[:gap+2], line[gap+2:], gap+2, width)
}

// hang breaks a text that stands behind another, and indents all lines but the first.
func hang(behind, text string, indent, width int) string {
	return behind + strings.ReplaceAll(reflow(text, width-indent), "\n", "\n"+strings.Repeat(" ", indent))
}
