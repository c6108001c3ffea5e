package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/spec"
	"github.com/proofgraph/proofgraph/pipelines"
	"github.com/proofgraph/proofgraph/proving/engine"
	"github.com/proofgraph/proofgraph/stages"
)

// simFlags are those of every command that simulates.
type simFlags struct {
	pipelineFlags
	gpus                gpuFlags
	profiles            []string
	zkey                string
	jobs, items, atOnce int
	every               time.Duration
	random              bool
	seed                uint64
	json                bool
}

func (f *simFlags) add(flags *pflag.FlagSet) {
	f.pipelineFlags.add(flags)
	f.gpus.add(flags, "what the profile's machine has")
	flags.Lookup("memory").Usage = "the `bytes` of the host's memory to use at most, pinned memory for GPUs included; default: what the profile's machine has"
	flags.StringArrayVar(&f.profiles, "profile", nil, "what stages cost: a `file`, or the name of a profile that comes with the program; several of one machine are merged")
	flags.StringVar(&f.zkey, "zkey", "", "a proving `key`: proofs of its circuit, with witnesses in files, instead of what the profile was made with")
	flags.IntVar(&f.jobs, "jobs", 10, "how many jobs")
	flags.IntVar(&f.items, "items", 1, "items of a job: its partitions")
	flags.IntVar(&f.atOnce, "at-once", 0, "jobs that are under way at once, the next coming when one ends (0: all come at the beginning)")
	flags.DurationVar(&f.every, "every", 0, "a job comes after each of these times, instead")
	flags.BoolVar(&f.random, "random", false, "with --every: at random, with that mean")
	flags.Uint64Var(&f.seed, "seed", 1, "of what is drawn at random; equal seeds give equal results")
	flags.BoolVar(&f.json, "json", false, "print the results as JSON")
}

func (f *simFlags) arrivals() (sim.Arrivals, error) {
	switch {
	case f.jobs < 1 || f.items < 1:
		return sim.Arrivals{}, usageError{errors.New("--jobs and --items are at least 1")}
	case f.atOnce < 0 || f.every < 0:
		return sim.Arrivals{}, usageError{errors.New("--at-once and --every cannot be below zero")}
	case f.atOnce > 0 && f.every > 0:
		return sim.Arrivals{}, usageError{errors.New("jobs come by the clock, --every, or as others end, --at-once, and not both")}
	case f.random && f.every == 0:
		return sim.Arrivals{}, usageError{errors.New("--random wants the mean time between jobs: --every 30s")}
	}
	a := sim.Arrivals{Jobs: f.jobs, Items: f.items, AtOnce: f.atOnce, Every: f.every, Random: f.random}
	if f.zkey == "" {
		return a, nil
	}
	key, err := stages.StatKey(f.zkey)
	a.Facts = (&stages.Payload{Key: key, Wtns: "in a file"}).Facts()
	return a, err
}

// limits gives the bytes of a pipeline's pools of the host's memory where they are asked for, divided as in a run.
func (s *scene) limits(f *simFlags, file string, source []byte) (map[string]int64, error) {
	if f.memory == "" {
		return nil, nil
	}
	p, err := s.profile.Load(file, source, s.bench.registry, f.set)
	if err != nil {
		return nil, invalidInput{err}
	}
	total, err := parseMemory(f.memory, p)
	if err != nil {
		return nil, err
	}
	if s.profile.Machine.Devices == 0 {
		return map[string]int64{hostPool: total}, nil
	}
	parts := divide(p, total)
	return parts, requireRest(f.memory, total, parts[hostPool])
}

// loadProfile loads what stages cost, of one profile or of several that are merged.
func (f *simFlags) loadProfile() (*sim.Profile, error) {
	if len(f.profiles) == 0 {
		return nil, usageError{fmt.Errorf("--profile says what stages cost; %s", profilesHint())}
	}
	var all []*sim.Profile
	for _, name := range f.profiles {
		p, err := readProfile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	p, err := sim.Merge(all...)
	if err != nil {
		return nil, invalidInput{fmt.Errorf("merge profiles: %w", err)}
	}
	return p, nil
}

// comeWith lists what comes with the program.
func comeWith(names []string) string {
	return "those that come with the program: " + strings.Join(names, ", ")
}

func readProfile(name string) (*sim.Profile, error) {
	if _, err := os.Stat(name); err != nil {
		if source, ok := pipelines.Profile(name); ok {
			return sim.ReadProfile(name, source)
		}
	}
	p, err := sim.LoadProfile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, invalidInput{fmt.Errorf("there is no profile %s; %s", name, profilesHint())}
	}
	if err != nil {
		return nil, invalidInput{err}
	}
	return p, nil
}

// profilesHint says where profiles come from.
func profilesHint() string {
	return fmt.Sprintf("those that come with the program: %s; prove and run make one of this machine: --record-profile", strings.Join(pipelines.Profiles(), ", "))
}

// unlike is the error of a pipeline that a profile does not go with, with what the profile is for.
func unlike(err error, name string, profile *sim.Profile) error {
	if errors.As(err, new(spec.Errors)) {
		return err
	}
	if errors.Is(err, engine.ErrUnavailable) { // of a GPU's kernels, whatever the profile
		return invalidInput{err}
	}
	known := slices.Sorted(maps.Keys(profile.Stages))
	for _, kind := range slices.Sorted(maps.Keys(profile.Kinds)) {
		known = append(known, "kind "+kind)
	}
	return invalidInput{fmt.Errorf("pipeline %s: %w\n  hint: profile %s has costs of %s; %s", name, err, profile.Name, strings.Join(known, ", "), profilesHint())}
}

func (a *App) simulate() *cobra.Command {
	f := &simFlags{}
	var page, trace string
	cmd := &cobra.Command{
		Use:   "simulate PIPELINE... --profile F",
		Short: "Run pipelines in virtual time, side by side",
		Long: "simulate lets the scheduling core that runs pipelines decide over time and bytes that a profile gives: what takes\n" +
			"hours is known in a moment, and a machine that would die dies on paper. Exit code 4 says that a pipeline runs out of\n" +
			"memory or refuses its items.",
		Example: "  proofgraph simulate porep --profile threadripper-7995wx --jobs 20 --items 10 --at-once 15 --memory 512GiB",
		Args:    someArgs(1, 1<<10, "pipelines"),
		RunE: func(_ *cobra.Command, args []string) error {
			if trace != "" && len(args) > 1 {
				return usageError{errors.New("--trace is of one pipeline; --html shows several side by side")}
			}
			results, err := f.simulateAll(args, page != "" || trace != "")
			if err != nil {
				return err
			}
			if err := a.writeTimelines(results, page, trace); err != nil {
				return err
			}
			if f.json {
				err = printJSON(a.Stdout, results)
			} else {
				err = a.writeFolded(func(to io.Writer) error { return sim.Text(to, results...) })
			}
			return errors.Join(err, verdictOf(results))
		},
	}
	f.add(cmd.Flags())
	cmd.Flags().StringVar(&page, "html", "", "write a page with a comparison, Gantt charts and bytes over time to this `file`")
	cmd.Flags().StringVar(&trace, "trace", "", "write a trace for Perfetto to this `file` (of one pipeline)")
	return cmd
}

// scene is what a simulation needs beside the pipeline.
type scene struct {
	bench    *workbench
	profile  *sim.Profile
	arrivals sim.Arrivals
}

func (f *simFlags) scene() (s scene, err error) {
	if s.profile, err = f.loadProfile(); err != nil {
		return s, err
	}
	if err = f.gpus.onto(&s.profile.Machine); err != nil {
		return s, err
	}
	if s.bench, err = newAssumingWorkbench(assumedGPUs{count: s.profile.Machine.Devices}); err != nil {
		return s, err
	}
	s.arrivals, err = f.arrivals()
	return s, err
}

func (f *simFlags) simulateAll(names []string, record bool) ([]*sim.Result, error) {
	s, err := f.scene()
	if err != nil {
		return nil, err
	}
	var results []*sim.Result
	for _, name := range names {
		source, file, err := readPipeline(name)
		if err != nil {
			return nil, err
		}
		limits, err := s.limits(f, file, source)
		if err != nil {
			return nil, err
		}
		prog, err := s.profile.Bind(file, source, s.bench.registry, f.set, limits)
		if err != nil {
			return nil, invalidInput{err}
		}
		r, err := sim.Run(prog, s.profile, s.arrivals, sim.Options{Seed: f.seed, Record: record})
		if err != nil {
			return nil, unlike(err, name, s.profile)
		}
		results = append(results, r)
	}
	return results, nil
}

// writeTimelines writes the page of all results and the trace of a single one.
func (a *App) writeTimelines(results []*sim.Result, page, trace string) error {
	if page != "" {
		if err := a.writeTo(page, func(to io.Writer) error { return sim.HTML(to, results...) }); err != nil {
			return err
		}
	}
	if trace == "" || results[0].Timeline == nil { // an item that can never fit leaves no trace
		return nil
	}
	return a.writeTo(trace, results[0].Timeline.WriteTrace)
}

// errNotThrough says that a simulated pipeline does not get through; its table has told why.
var errNotThrough = errors.New("the pipeline does not get through")

func verdictOf(results []*sim.Result) error {
	for _, r := range results {
		if r.Verdict.Outcome != sim.Completed {
			return alreadySaid{errNotThrough}
		}
	}
	return nil
}
