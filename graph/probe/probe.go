// Package probe measures what the buses of this machine carry, for profiles.
package probe

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// rounds is how often a copy is timed; the fastest counts, since whatever disturbs makes it slower.
const rounds = 3

// MemoryRate copies one half of a buffer over the other, with so many threads at once, and gives the bytes a second that
// were read and written. The buffer's bytes are lost. It tells of memory and not of caches only where the buffer is larger
// than them by far, see Enough. With a buffer of less than two bytes a thread there is nothing to tell: 0.
func MemoryRate(buffer []byte, threads int) float64 {
	half := len(buffer) / 2
	if threads < 1 || half < threads {
		return 0
	}
	clear(buffer) // pages that nobody has touched are not there, and all read as one
	best := time.Duration(1<<63 - 1)
	for range rounds {
		began := time.Now()
		copyAll(buffer[:half], buffer[half:2*half], threads)
		best = min(best, time.Since(began))
	}
	return 2 * float64(half) / max(best, time.Nanosecond).Seconds()
}

// copyAll copies with so many threads, a part each.
func copyAll(to, from []byte, threads int) {
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() {
			start, end := len(to)*i/threads, len(to)*(i+1)/threads
			copy(to[start:end], from[start:end])
		})
	}
	all.Wait()
}

// leastBuffer is enough where caches are small or unknown.
const leastBuffer = 64 << 20

// Enough gives the bytes of a buffer that MemoryRate can tell memory from caches with: twice the largest cache of a
// core.
func Enough() int { return enoughIn(os.DirFS("/")) }

func enoughIn(root fs.FS) int {
	enough := leastBuffer
	sizes, _ := fs.Glob(root, "sys/devices/system/cpu/cpu0/cache/index*/size")
	for _, name := range sizes {
		text, err := fs.ReadFile(root, path.Clean(name))
		if err != nil {
			continue
		}
		if bytes, ok := parseCache(strings.TrimSpace(string(text))); ok {
			enough = max(enough, 2*bytes)
		}
	}
	return enough
}

// parseCache reads a size as the kernel writes those of caches: "48K", "266240K", "32M".
func parseCache(text string) (bytes int, ok bool) {
	unit := 1
	switch {
	case strings.HasSuffix(text, "K"):
		unit = 1 << 10
	case strings.HasSuffix(text, "M"):
		unit = 1 << 20
	}
	n, err := strconv.Atoi(strings.TrimRight(text, "KM"))
	const most = 1 << 21 // 2 GiB in K: beyond it nobody is believed
	return n * unit, err == nil && n > 0 && n <= most
}
