package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// Arrivals say what is asked of a pipeline: Jobs jobs of Items items. AtOnce jobs are under way at once, the next coming
// when one ends (0: all come at the beginning); or, where Every is given, they come by the clock, Random ones with that
// mean time between them.
type Arrivals struct {
	Jobs   int           `yaml:"jobs"`
	Items  int           `yaml:"items"`
	AtOnce int           `yaml:"at_once,omitempty"`
	Every  time.Duration `yaml:"every,omitempty"`
	Random bool          `yaml:"random,omitempty"`
	// Facts replace those of the profile; job k has those of Mix[k mod len(Mix)] beside.
	Facts stage.Facts   `yaml:"facts,omitempty"`
	Mix   []stage.Facts `yaml:"mix,omitempty"`
}

// most bounds the items of one simulation.
const most = 10_000_000

func (a *Arrivals) check() error {
	switch {
	case a.Jobs < 1 || a.Items < 1 || a.Jobs > most/a.Items:
		return fmt.Errorf("%d jobs of %d items: at least one of each, and at most %d items together", a.Jobs, a.Items, most)
	case a.AtOnce < 0 || a.Every < 0:
		return fmt.Errorf("at_once and every cannot be below zero")
	case a.Every > 0 && a.AtOnce > 0:
		return fmt.Errorf("jobs come by the clock (every), or as others end (at_once), not both")
	case a.Random && a.Every == 0:
		return fmt.Errorf("random arrivals need a mean time between them: every")
	case a.Every > inTime(longest):
		return fmt.Errorf("every is at most %g seconds", longest)
	}
	return nil
}

// String says in words what is asked of a pipeline: "20 jobs of 10 items, 15 jobs at once".
func (a Arrivals) String() string {
	text := counted(a.Jobs, "job")
	if a.Items > 1 {
		text += " of " + counted(a.Items, "item")
	}
	switch {
	case a.Every > 0 && a.Random:
		return fmt.Sprintf("%s, one every %v on average", text, a.Every)
	case a.Every > 0:
		return fmt.Sprintf("%s, one every %v", text, a.Every)
	case a.AtOnce > 0 && a.AtOnce < a.Jobs:
		return fmt.Sprintf("%s, %s at once", text, counted(a.AtOnce, "job"))
	}
	return text + ", all at the beginning"
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// atStart gives the number of jobs that come at the beginning.
func (a *Arrivals) atStart() int {
	switch {
	case a.Every > 0:
		return 0
	case a.AtOnce == 0:
		return a.Jobs
	}
	return min(a.AtOnce, a.Jobs)
}

// factsOf gives the facts of a job's items.
func (a *Arrivals) factsOf(job int, base stage.Facts) stage.Facts {
	facts := stage.Facts{}
	layers := []stage.Facts{base, a.Facts}
	if len(a.Mix) > 0 {
		layers = append(layers, a.Mix[job%len(a.Mix)])
	}
	for _, layer := range layers {
		for name, value := range layer {
			facts[name] = value
		}
	}
	return facts
}

// after gives the time from one arrival by the clock to the next.
func (a *Arrivals) after(random *rand.Rand) time.Duration {
	if !a.Random {
		return a.Every
	}
	return time.Duration(random.ExpFloat64() * float64(a.Every))
}
