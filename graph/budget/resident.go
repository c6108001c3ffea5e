package budget

import (
	"fmt"
	"os"
	"runtime/metrics"
)

// A Residence compares the process's anonymous resident memory with what is known of it. All are bytes.
type Residence struct {
	RssAnon int64 `json:"rss_anon"` // anonymous resident memory of the process, as the kernel counts it
	Mapped  int64 `json:"mapped"`   // what the tracker's leases and free lists have mapped, touched or not, by whole pages
	GoHeap  int64 `json:"go_heap"`  // memory that Go's runtime holds and has not given back, stacks and all
	// Unexplained is RssAnon less the two: C libraries' own memory where it is above zero, memory that is leased and
	// not touched yet where it is below.
	Unexplained int64 `json:"unexplained"`
}

// Resident measures the process's memory against the tracker's.
func (t *Tracker) Resident() (Residence, error) {
	rss, err := rssAnon()
	if err != nil {
		return Residence{}, fmt.Errorf("resident memory: %w", err)
	}
	r := Residence{RssAnon: rss, Mapped: t.mapped.Load(), GoHeap: goHeap()}
	r.Unexplained = r.RssAnon - r.Mapped - r.GoHeap
	return r, nil
}

func rssAnon() (int64, error) {
	status, err := readTable(os.DirFS("/"), "proc/self/status")
	if err != nil {
		return 0, err
	}
	kib, found := status["RssAnon:"]
	if !found {
		return 0, fmt.Errorf("proc/self/status: no RssAnon")
	}
	return kib << 10, nil
}

// goHeap reads the memory that the runtime has mapped, less what it has released to the system.
func goHeap() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64()) - int64(samples[1].Value.Uint64())
}
