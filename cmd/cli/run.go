package cli

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
)

func (a *App) run() *cobra.Command {
	var pf pipelineFlags
	var rf runFlags
	var jobs string
	cmd := &cobra.Command{
		Use:   "run PIPELINE --jobs FILE|-",
		Short: "Run a pipeline over a stream of jobs",
		Long: "run reads jobs, one JSON object a line, and prints one JSON object for each as it ends. A job names its files:\n" +
			`  {"id": "7", "zkey": "c.zkey", "wtns": "7.wtns", "proof": "7.proof.json", "public": "7.public.json"}` + "\n" +
			"or, instead of wtns, wasm and input; also r1cs, calldata, and priority (greater goes first). A line that is no job,\n" +
			"or that names an output of another job, is answered with an error, and the rest goes on. The exit code is the\n" +
			"greatest of all jobs.",
		Example: "  proofgraph run groth16 --jobs jobs.jsonl --memory 1GiB\n  produce-jobs | proofgraph run my-pipeline.yaml --jobs -",
		Args:    someArgs(1, 1, "a pipeline file, or the name of one that comes with the program"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if jobs == "" {
				return usageError{errNoJobs}
			}
			if err := rf.check(); err != nil {
				return err
			}
			return a.runStream(cmd.Context(), args[0], jobs, &pf, &rf)
		},
	}
	cmd.Flags().StringVar(&jobs, "jobs", "", "the jobs: a `file` of JSON lines, or - for stdin")
	pf.add(cmd.Flags())
	pf.addDevices(cmd.Flags())
	rf.add(cmd.Flags())
	cmd.Flags().Lookup("json").Usage = "print the closing report as one more line of JSON, instead of the table"
	return cmd
}

func (a *App) runStream(ctx context.Context, name, jobs string, pf *pipelineFlags, rf *runFlags) error {
	if err := a.requireMemory(); err != nil {
		return err
	}
	bench, err := newWorkbenchWith(&pf.devices)
	if err != nil {
		return err
	}
	defer bench.close()
	prog, err := a.loadProver(bench, name, pf)
	if err != nil {
		return err
	}
	lines, err := a.openJobs(ctx, jobs)
	if err != nil {
		return err
	}
	defer lines.Close()
	return a.stream(ctx, bench, prog, rf, lines)
}

// openJobs opens the jobs; a pipe may keep its opener waiting for a writer, so an interruption gives up.
func (a *App) openJobs(ctx context.Context, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.Stdin), nil
	}
	type opening struct {
		file *os.File
		err  error
	}
	opened := make(chan opening, 1)
	go func() {
		file, err := os.Open(name)
		opened <- opening{file, err}
	}()
	select {
	case o := <-opened:
		return o.file, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
