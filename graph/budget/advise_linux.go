package budget

import "golang.org/x/sys/unix"

// Advice is advice: a kernel without huge pages refuses it, and nothing is lost.

func adviseHugePages(mem []byte) {
	if len(mem) > 0 {
		_ = unix.Madvise(mem, unix.MADV_HUGEPAGE)
	}
}

// avoidHugePages keeps memory out of huge pages that the kernel might make over the borders of leases.
func avoidHugePages(mem []byte) {
	if len(mem) > 0 {
		_ = unix.Madvise(mem, unix.MADV_NOHUGEPAGE)
	}
}
