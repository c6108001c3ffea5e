package render

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/proofgraph/proofgraph/graph/budget"
	"github.com/proofgraph/proofgraph/graph/spec"
)

func formatSeconds(d time.Duration) string {
	if d < time.Second {
		return strconv.FormatFloat(d.Seconds()*1000, 'f', 1, 64) + " ms"
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
}

// plural gives "1 worker", "2 workers".
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// joined joins the words that are there.
func joined(separator string, words ...string) string {
	kept := words[:0:0]
	for _, w := range words {
		if w != "" {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, separator)
}

// edgeBudget gives an edge's capacity and bytes: "2 items · 6 GiB".
func edgeBudget(p *spec.Pipeline, e spec.Edge) string {
	return joined(" · ", plural(e.Capacity, "item"), bytesOf(p, e))
}

func bytesOf(p *spec.Pipeline, e spec.Edge) string {
	switch {
	case e.Bytes.Share > 0:
		share := strconv.FormatFloat(100*e.Bytes.Share, 'f', -1, 32) + " %"
		if class := classOf(p, e); class >= 0 {
			share += " of " + p.Pools[p.Classes[class].Pool].Name
		}
		return share
	case e.Bytes.Fixed > 0:
		return budget.FormatBytes(e.Bytes.Fixed)
	}
	return ""
}

// classOf gives the class of what an edge carries, or -1.
func classOf(p *spec.Pipeline, e spec.Edge) int { return p.Stages[e.From].Outputs[e.Output].Class }

// cargo names what an edge carries, in short: "abc: vector", or the type alone where the port is called the same.
func cargo(p *spec.Pipeline, e spec.Edge) string {
	out := p.Stages[e.From].Outputs[e.Output]
	name := out.Type.Name
	if name == "" {
		name = out.Port.Type.Name
	}
	if name == "" || name == out.Port.Name {
		return shorten(out.Port.Name)
	}
	return shorten(joined(": ", out.Port.Name, name))
}

const longest = 28

// shorten cuts a name to what fits on a card.
func shorten(s string) string {
	if runes := []rune(s); len(runes) > longest {
		return string(runes[:longest-1]) + "…"
	}
	return s
}

func kindName(s spec.Stage) string {
	if s.Kind == nil {
		return ""
	}
	return s.Kind.Name
}

// workers gives "2 workers × 4 threads"; threads are left out where a body may keep the whole machine busy.
func workers(s spec.Stage) string {
	words := plural(s.Workers, "worker")
	if s.Threads > 0 {
		words += " × " + plural(s.Threads, "thread")
	}
	return words
}

// release gives the release rule, "" for the default.
func release(s spec.Stage) string {
	switch s.Release {
	case spec.OnComplete:
		return "release on_complete"
	case spec.OnConsume:
		return "release on_consume"
	}
	return ""
}

func async(s spec.Stage) string {
	if !s.Async {
		return ""
	}
	return fmt.Sprintf("async · %d pending", s.Pending)
}

func uses(p *spec.Pipeline, s spec.Stage) []string {
	var words []string
	for _, u := range s.Uses {
		words = append(words, fmt.Sprintf("%s ×%d", shorten(p.Resources[u.Resource].Name), u.Count))
	}
	return words
}

// poolWords gives a pool's size, and whose memory it is where that is not the host's own: "auto · device memory, a pool
// for each".
func poolWords(pool spec.Pool) string {
	switch pool.Memory {
	case budget.Pinned:
		return limit(pool) + " · pinned memory"
	case budget.Device:
		return limit(pool) + " · device memory, a pool for each"
	}
	return limit(pool)
}

// resourceWords gives a resource and how many there are: "lane ×2 per device".
func resourceWords(r spec.Resource) string {
	words := fmt.Sprintf("%s ×%d", shorten(r.Name), r.Count)
	if r.PerDevice {
		words += " per device"
	}
	return words
}

// limit gives a pool's size: "auto − 2 GiB margin".
func limit(pool spec.Pool) string {
	switch {
	case pool.Limit.None:
		return "no limit"
	case pool.Limit.Auto && pool.Margin > 0:
		return "auto − " + budget.FormatBytes(pool.Margin) + " margin"
	case pool.Limit.Auto:
		return "auto"
	}
	return budget.FormatBytes(pool.Limit.Bytes)
}

// words gives what a Measure knows: "worst 6 GiB · peak 4 GiB · busy 3.1 s".
func (m Measure) words() string {
	var worst, peak, busy string
	if m.Worst != 0 {
		worst = "worst " + budget.FormatBytes(m.Worst)
	}
	if m.Peak != 0 {
		peak = "peak " + budget.FormatBytes(m.Peak)
	}
	if m.Busy != 0 {
		busy = "busy " + formatSeconds(m.Busy)
	}
	return joined(" · ", worst, peak, busy)
}
