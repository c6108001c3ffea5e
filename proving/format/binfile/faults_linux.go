//go:build cgo && linux

package binfile

// #include "faults.h"
import "C"

import (
	"sync"
	"unsafe"
)

// FaultsAreHarmless says that a page of a mapped file that has gone reads as zeros, and that Intact tells. Elsewhere it is a
// fault of the goroutine that reads it, a panic where debug.SetPanicOnFault says so.
const FaultsAreHarmless = true

// installFaults changes the process's handler of SIGBUS, once a first file is mapped.
var installFaults = sync.OnceFunc(func() { C.faults_install() })

// watch keeps faults in a mapping from ending the process.
type watch struct{ mapping *C.watched }

func watchFaults(mapping []byte) watch {
	installFaults()
	return watch{C.faults_watch(unsafe.Pointer(unsafe.SliceData(mapping)), C.size_t(len(mapping)))}
}

func (w watch) faulted() bool { return w.mapping != nil && C.faults_seen(w.mapping) != 0 }

// end comes before the mapping's end.
func (w watch) end() {
	if w.mapping != nil {
		C.faults_unwatch(w.mapping)
	}
}
