//go:build !cgo || !linux

package binfile

// FaultsAreHarmless says that a page of a mapped file that has gone reads as zeros, and that Intact tells. Elsewhere it is a
// fault of the goroutine that reads it, a panic where debug.SetPanicOnFault says so.
const FaultsAreHarmless = false

// watch does nothing.
type watch struct{}

func watchFaults([]byte) watch { return watch{} }

func (watch) faulted() bool { return false }
func (watch) end()          {}
