// Package docs tests the documentation: its commands run, its pipelines pass, its pictures are up to date.
package docs

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/proofgraph/proofgraph/cmd/cli"
	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/testing/budgettest"
)

const root = "../.."

// documents gives the README and everything in docs, with the pipeline language, which package spec tests, left out.
func documents(t *testing.T) map[string]string {
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	texts := map[string]string{}
	for _, path := range append(paths, filepath.Join(root, "README.md")) {
		if filepath.Base(path) == "pipeline-language.md" {
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[filepath.Base(path)] = string(text)
	}
	return texts
}

var fence = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// fences gives the blocks of a kind.
func fences(text, kind string) (blocks []string) {
	for _, match := range fence.FindAllStringSubmatch(text, -1) {
		if match[1] == kind {
			blocks = append(blocks, match[2])
		}
	}
	return blocks
}

// execute runs a command line in the current folder and gives its output and exit code.
func execute(args ...string) (output string, code int) {
	var out bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
	code = app.RunContext(context.Background(), args)
	return out.String(), code
}

// layOut makes a folder with the files that the documents speak of, and goes there.
func layOut(t *testing.T, readme string) {
	golden, err := filepath.Abs(filepath.Join(root, "proving", "testdata"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	for name, file := range map[string]string{
		"circuit.zkey": "bn254/cells.zkey", "circuit.wasm": "bn254/cells.wasm", "circuit.r1cs": "bn254/cells.r1cs",
		"witness.wtns": "bn254/cells.wtns", "verification_key.json": "bn254/verification_key.json",
		"proof.json": "bn254/proof.json", "public.json": "bn254/public.json", "a.json": "input.json", "b.json": "input.json",
		"small.zkey": "bls12-381/cells.zkey", "small.wtns": "bls12-381/cells.wtns",
	} {
		require.NoError(t, os.Symlink(filepath.Join(golden, file), name))
	}
	job := `{"zkey": "circuit.zkey", "wtns": "witness.wtns", "proof": "p.json", "public": "u.json"}` + "\n"
	require.NoError(t, os.WriteFile("jobs.jsonl", []byte(job), 0o644))
	require.NoError(t, os.WriteFile("my-pipeline.yaml", []byte(edited(t, readme)), 0o644))
}

// edited is the default pipeline with the README's change to it.
func edited(t *testing.T, readme string) string {
	source, ok := pipelines.Read(pipelines.Default)
	require.True(t, ok)
	text := string(source)
	for _, diff := range fences(readme, "diff") {
		lines := strings.Split(strings.TrimSpace(diff), "\n")
		require.Len(t, lines, 2)
		before, after := strings.TrimPrefix(lines[0], "-"), strings.TrimPrefix(lines[1], "+")
		require.Contains(t, text, before, "the README changes a line that the pipeline does not have")
		text = strings.Replace(text, before, after, 1)
	}
	return text
}

func TestCommandsRun(t *testing.T) {
	assert.Greater(t, runCommands(t, func(line string) bool { return !strings.Contains(line, " gpu-") }), 4, "the documents have commands")
}

// runCommands runs the commands of the documents that are chosen, and gives their number.
func runCommands(t *testing.T, chosen func(line string) bool) (ran int) {
	texts := documents(t)
	layOut(t, texts["README.md"])
	for name, text := range texts {
		for _, block := range fences(text, "console") {
			for line := range strings.Lines(block) {
				args, command := strings.CutPrefix(strings.TrimSpace(line), "$ proofgraph ")
				if !command || !chosen(line) {
					continue
				}
				output, code := execute(strings.Fields(args)...)
				assert.Zero(t, code, "%s: %s\n%s", name, line, output)
				ran++
			}
		}
	}
	return ran
}

// A YAML fence is a pipeline, a profile or a file of budget tests, by its keys.
func TestYAMLInDocumentsPasses(t *testing.T) {
	texts := documents(t)
	t.Chdir(t.TempDir())
	for name, text := range texts {
		for _, block := range fences(text, "yaml") {
			var err error
			switch {
			case strings.Contains(block, "\ntests:"):
				_, err = budgettest.Read("fence_test.yaml", []byte(block))
			case strings.HasPrefix(block, "profile:"):
				_, err = sim.ReadProfile("fence.yaml", []byte(block))
			default:
				require.NoError(t, os.WriteFile("fence.yaml", []byte(block), 0o644))
				output, code := execute("check", "fence.yaml")
				assert.Zero(t, code, output)
			}
			assert.NoError(t, err, "%s:\n%s", name, block)
		}
	}
}

func TestPictureIsThatOfTheDefaultPipeline(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join(root, "docs", "pictures", "groth16.svg"))
	require.NoError(t, err)
	drawn, code := execute("graph", pipelines.Default)
	require.Zero(t, code)
	assert.Equal(t, string(picture), drawn, "draw it again: proofgraph graph groth16 -o docs/pictures/groth16.svg")
}

func TestErrorsInReadmeAreThoseOfTheProgram(t *testing.T) {
	texts := documents(t)
	t.Chdir(t.TempDir())
	source, _ := pipelines.Read(pipelines.Default)
	broken := strings.NewReplacer("synthesize.abc", "synthesize.abd", "capacity: 1, bytes: 50%", "capacity: 0, bytes: 50%").
		Replace(string(source))
	require.NoError(t, os.WriteFile("my-pipeline.yaml", []byte(broken), 0o644))
	output, code := execute("check", "my-pipeline.yaml")
	assert.Equal(t, 3, code)
	assert.Contains(t, texts["README.md"], strings.TrimSpace(output))
}

func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
	for name, text := range documents(t) {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			dir := filepath.Join(root, "docs")
			if name == "README.md" {
				dir = root
			}
			assert.FileExists(t, filepath.Join(dir, match[1]), name)
		}
	}
}
