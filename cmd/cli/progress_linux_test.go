package cli_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/proofgraph/proofgraph/cmd/cli"
)

// terminal is a pseudo-terminal that a test writes to as a program does.
type terminal struct {
	*os.File
	written chan string // all that was written, once the file is closed
}

func openTerminal(t *testing.T, columns uint16) *terminal {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine has no pseudo-terminals: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	require.NoError(t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: columns}))
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	term := &terminal{tty, make(chan string, 1)}
	go func() {
		all, _ := io.ReadAll(master) // it ends with an error when the other side is closed
		term.written <- string(all)
	}()
	return term
}

// screen is as much of a terminal as a progress bar needs: lines, a cursor that goes up, and erasing.
type screen struct {
	lines    [][]rune
	row, col int
}

var control = regexp.MustCompile(`^\x1b\[(\d*)([A-Za-z])`)

// show gives what stands on a terminal after all of the text was written to it.
func show(text string) string {
	s := &screen{lines: make([][]rune, 1)}
	for len(text) > 0 {
		if m := control.FindStringSubmatch(text); m != nil {
			s.obey(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		char, size := utf8.DecodeRuneInString(text)
		s.put(char)
		text = text[size:]
	}
	lines := make([]string, len(s.lines))
	for i, line := range s.lines {
		lines[i] = string(line)
	}
	return strings.Join(lines, "\n")
}

func (s *screen) obey(number, letter string) {
	n, _ := strconv.Atoi(number)
	switch letter {
	case "A":
		s.row, s.col = max(0, s.row-max(1, n)), 0
	case "J":
		s.lines = append(slices.Clone(s.lines[:s.row]), s.lines[s.row][:min(s.col, len(s.lines[s.row]))])
	case "K":
		s.lines[s.row] = s.lines[s.row][:min(s.col, len(s.lines[s.row]))]
	}
}

func (s *screen) put(c rune) {
	switch c {
	case '\r':
		s.col = 0
	case '\n':
		s.row, s.col = s.row+1, 0
		if s.row == len(s.lines) {
			s.lines = append(s.lines, nil)
		}
	default:
		line := s.lines[s.row]
		s.lines[s.row] = slices.Concat(line[:s.col], []rune{c}, line[min(len(line), s.col+1):])
		s.col++
	}
}

// On a terminal the stages tell what they do and wait for, messages stay above them, and nothing of the drawing is left.
func TestProgressOnATerminal(t *testing.T) {
	c := theLarge(t)
	const n = 16
	bad := flipped(t, c.wtns, t.TempDir(), "bad.wtns")
	var stdout safeBuffer
	stderr := openTerminal(t, 100)
	app := &cli.App{Stdout: &stdout, Stderr: stderr.File, Getenv: func(string) string { return "" }, Terminal: true, Width: 100}
	args := []string{"prove", "--zkey", c.zkey, "--out", filepath.Join(t.TempDir(), "out"), "--memory", "16MiB", "--wtns", bad}
	code := app.RunContext(context.Background(), append(args, c.witnesses(t, n)...))
	require.Equal(t, notVerified, code)

	require.NoError(t, stderr.Close())
	drawn := <-stderr.written
	for _, words := range []string{"msm_h ", " at work", "waits for input", "waits for resource lane", "of 17 "} {
		assert.True(t, strings.Contains(drawn, words), words)
	}
	left := show(drawn)
	assert.NotContains(t, left, "waits for", "the drawing is gone")
	assert.NotContains(t, left, "at work")
	assert.Equal(t, 1, strings.Count(left, "bad.wtns: proof is not valid"), left)
	assert.Contains(t, left, "16 proofs in ")
	assert.Empty(t, stdout.String())
}

func TestNoProgressWhereNobodyLooks(t *testing.T) {
	key, witness := golden("bn254", "cells.zkey"), golden("bn254", "cells.wtns")
	for _, terminal := range []bool{false, true} {
		var stderr safeBuffer
		app := &cli.App{Stderr: &stderr, Stdout: &stderr, Getenv: func(string) string { return "" }, Terminal: terminal}
		args := []string{"prove", "--zkey", key, "--wtns", witness, "--out", t.TempDir()}
		if terminal {
			args = append(args, "--quiet")
		}
		require.Equal(t, done, app.RunContext(context.Background(), args))
		assert.NotContains(t, stderr.String(), "\x1b")
	}
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	for _, noColor := range []string{"", "1"} {
		var stderr safeBuffer
		app := &cli.App{Stderr: &stderr, Stdout: &stderr, Terminal: true, Getenv: func(name string) string {
			return map[string]string{"NO_COLOR": noColor, "TERM": "xterm"}[name]
		}}
		args := []string{"prove", "--zkey", golden("bn254", "cells.zkey"), "--wtns", golden("bn254", "cells.wtns"), "--out", t.TempDir()}
		require.Equal(t, done, app.RunContext(context.Background(), args))
		assert.Equal(t, noColor == "", strings.Contains(stderr.String(), "\x1b[1m"))
	}
}
