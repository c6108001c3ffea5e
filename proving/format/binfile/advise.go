package binfile

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise gives madvise the whole pages of b. Advice that the system refuses changes nothing, so errors are dropped.
func advise(b []byte, advice int) {
	if len(b) == 0 {
		return
	}
	page := uintptr(os.Getpagesize())
	start := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	skip := (page - start%page) % page
	if uintptr(len(b)) < skip+page {
		return
	}
	b = b[skip:]
	_ = unix.Madvise(b[:uintptr(len(b))/page*page], advice)
}
