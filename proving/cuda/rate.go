package cuda

import (
	"fmt"
	"time"

	"github.com/proofgraph/proofgraph/cudabind"
)

// UploadRate copies page-locked memory to a device a few times, and gives the bytes a second of the fastest copy. What to
// and from hold in common counts; nothing else may use the device meanwhile.
func (d *Device) UploadRate(to *cudabind.Buffer, from []byte) (float64, error) {
	from = from[:min(len(from), to.Bytes())]
	if len(from) == 0 {
		return 0, nil
	}
	s, err := d.borrow()
	if err != nil {
		return 0, err
	}
	const rounds = 4 // the first also wakes the bus
	best := time.Duration(1<<63 - 1)
	for range rounds {
		began := time.Now()
		if err = s.Upload(to, from); err == nil {
			err = s.Synchronize()
		}
		if err != nil {
			break
		}
		best = min(best, time.Since(began))
	}
	if err = andThen(err, d.retire(s)); err != nil {
		return 0, fmt.Errorf("measure copies to a device: %w", err)
	}
	return float64(len(from)) / max(best, time.Nanosecond).Seconds(), nil
}
