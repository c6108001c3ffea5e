package cli

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/proofgraph/proofgraph/graph/run"
	"github.com/proofgraph/proofgraph/stages"
)

// remembered is how many files of jobs that have ended are known, so that a stream of jobs without end takes bounded
// memory: some 3 MiB.
const remembered = 1 << 16

// outputs knows which files the jobs of a run write, so that no job writes over another's proof: those of all jobs that
// have not ended, and the latest of those that have. A job that failed wrote nothing, and its files may be named again.
type outputs struct {
	mu      sync.Mutex
	writers map[fileID]string // the job; empty when it has ended
	done    []fileID          // a ring, oldest at next
	next    int
}

// A fileID tells files apart by where they lie.
type fileID [16]byte

func newOutputs() *outputs { return &outputs{writers: map[fileID]string{}} }

func idOf(file string) fileID {
	if absolute, err := filepath.Abs(file); err == nil {
		file = absolute
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(folder, filepath.Base(file))
	}
	sum := sha256.Sum256([]byte(file))
	return fileID(sum[:16])
}

// claim says that a job will write its files, all or, with an error that names the job that has one, none.
func (o *outputs) claim(job string, p *stages.Payload) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	claimed := map[fileID]bool{}
	for _, file := range filesOf(p) {
		id := idOf(file)
		if claimed[id] {
			return fmt.Errorf("two of its outputs are %s", file)
		}
		if writer, taken := o.writers[id]; taken && writer != "" {
			return fmt.Errorf("job %s, which has not ended, writes %s too", writer, file)
		} else if taken {
			return fmt.Errorf("an earlier job of this run wrote %s", file)
		}
		claimed[id] = true
	}
	for id := range claimed {
		o.writers[id] = job
	}
	return nil
}

// ended says that a job whose files were claimed has ended.
func (o *outputs) ended(r *run.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, item := range r.Job.Items {
		p, ok := item.Payload.(*stages.Payload)
		if !ok {
			continue
		}
		for _, file := range filesOf(p) {
			o.close(idOf(file), r.Err == nil)
		}
	}
}

// close forgets a file that was not written, and keeps one that was for as long as the ring goes round.
func (o *outputs) close(id fileID, written bool) {
	if !written {
		delete(o.writers, id)
		return
	}
	o.writers[id] = ""
	if len(o.done) < remembered {
		o.done = append(o.done, id)
		return
	}
	delete(o.writers, o.done[o.next])
	o.done[o.next] = id
	o.next = (o.next + 1) % remembered
}

func filesOf(p *stages.Payload) (files []string) {
	for _, file := range []string{p.Proof, p.Public, p.Calldata} {
		if file != "" {
			files = append(files, file)
		}
	}
	return files
}
