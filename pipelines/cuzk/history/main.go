// Command history prints, for every published outcome of cuzk, what the simulator says of the same configuration.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/proofgraph/proofgraph/pipelines/cuzk"
)

func main() {
	profile := flag.String("profile", "pipelines/profiles/threadripper-7995wx.yaml", "the machine")
	pages := flag.String("html", "", "a folder for a page with the timeline of each row")
	seeds := flag.Int("seeds", cuzk.Seeds, "simulations of each row, of which the mean is shown")
	flag.Parse()
	if err := run(*profile, *pages, *seeds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(profile, pages string, seeds int) error {
	outcomes, err := cuzk.Simulate(profile, seeds)
	if err != nil {
		return err
	}
	if err := cuzk.Compare(os.Stdout, outcomes); err != nil {
		return err
	}
	if pages == "" {
		return nil
	}
	return cuzk.WritePages(pages, profile)
}
