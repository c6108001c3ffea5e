//go:build !cgo || !amd64

package transform

func available() (bool, string) { return false, "built without cgo, or not for amd64" }

// The rest is never called: New refuses first.

func vectorKernel(*field, int, []byte, []byte, []byte, []byte)         {}
func columnsKernel(*field, []byte, []byte, pass, int, int, bool, bool) {}
func leavesKernel(*field, *domain, []byte, []byte, int, int, int)      {}
func rowsKernel(*field, rows, []byte, []byte) bool                     { return false }
