package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// noise is how many cores others may use while a run counts as undisturbed: what the system itself takes, and the
// hundredths of a second in which it counts.
const noise = 0.08

// busyTime is the processor time that the whole machine has used, and what its host took from it (proc_stat(5)).
func busyTime() (time.Duration, error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	return parseBusy(string(text))
}

// parseBusy adds up all but idle and waiting of the first line, which counts hundredths of a second. Guests' time is in
// that of users.
func parseBusy(stat string) (time.Duration, error) {
	var user, nice, system, idle, wait, irq, softirq, steal int64
	line, _, _ := strings.Cut(stat, "\n")
	if _, err := fmt.Sscanf(line, "cpu %d %d %d %d %d %d %d %d", &user, &nice, &system, &idle, &wait, &irq, &softirq, &steal); err != nil {
		return 0, fmt.Errorf("/proc/stat: %w", err)
	}
	return time.Duration(user+nice+system+irq+softirq+steal) * 10 * time.Millisecond, nil
}

// A watch tells how many cores others use from its beginning on.
type watch struct {
	began time.Time
	busy  time.Duration
}

func newWatch() (watch, error) {
	busy, err := busyTime()
	return watch{time.Now(), busy}, err
}

// others gives the cores that others used, where own is what was used by whom the watch is for.
func (w watch) others(own time.Duration) (float64, error) {
	busy, err := busyTime()
	return max((busy-w.busy-own).Seconds()/time.Since(w.began).Seconds(), 0), err
}

// awaitQuiet returns when others have left the machine alone for a moment, or all patience is spent.
func (b *bench) awaitQuiet() error {
	for began := time.Now(); ; {
		w, err := newWatch()
		time.Sleep(250 * time.Millisecond)
		others, errNow := w.others(0)
		if err := errors.Join(err, errNow); err != nil {
			return err
		}
		if others <= noise || time.Since(began) > b.patience {
			b.patience = max(b.patience-time.Since(began), 0)
			return nil
		}
	}
}

// tries is how often a run that others disturb is begun.
const tries = 3

// undisturbed runs something until others leave it alone, a few times at most, and once when all patience is spent.
func (b *bench) undisturbed(run func() (others float64, err error)) error {
	for range tries {
		if err := b.awaitQuiet(); err != nil {
			return err
		}
		others, err := run()
		if err != nil || others <= noise || b.patience == 0 {
			return err
		}
	}
	return nil
}
