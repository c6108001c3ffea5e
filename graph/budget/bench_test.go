package budget

import (
	"fmt"
	"testing"
)

func BenchmarkCharge(b *testing.B) {
	b.Run("goroutines=1", func(b *testing.B) {
		tr := newTracker(b, 1<<30)
		for b.Loop() {
			chargeAndRelease(b, tr)
		}
	})
	b.Run("goroutines=all", func(b *testing.B) {
		tr := newTracker(b, 1<<30)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				chargeAndRelease(b, tr)
			}
		})
	})
}

func chargeAndRelease(b *testing.B, tr *Tracker) {
	l, err := tr.Charge(abc, 100, "item")
	if err == nil {
		err = l.Release()
	}
	if err != nil {
		b.Error(err)
	}
}

// BenchmarkLease touches every page, as whoever leases memory will.
func BenchmarkLease(b *testing.B) {
	for _, size := range []int64{64 << 10, 32 << 20} {
		for name, opts := range map[string][]Option{
			"small": nil, "huge": {WithHugePages()}, "recycled": {WithFreeList(64 << 20), WithHugePages()},
		} {
			b.Run(fmt.Sprintf("bytes=%d/pages=%s", size, name), func(b *testing.B) {
				tr := newTracker(b, 1<<30, opts...)
				b.SetBytes(size)
				for b.Loop() {
					l := mustLease(b, tr, abc, size, "item")
					touch(l.Bytes())
					_ = l.Release()
				}
			})
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	tr := newTracker(b, 1<<30)
	for i := range 100 {
		if _, err := tr.Charge(i%2, 100, fmt.Sprint("item ", i%10)); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		tr.Snapshot()
	}
}
