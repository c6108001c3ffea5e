//go:build !cgo || !amd64

package ifma

func available() (bool, string) { return false, "built without cgo, or not for amd64" }

// The rest is never called: check refuses first.

func scalarsCensus(Curve, []byte, ScalarForm) census                { return census{} }
func (d *Digits) cut([]byte, span, ScalarForm, census, census) bool { return false }
func workspaceBytes(Curve, Group, int, int) int                     { return 0 }
func findInfinity(Curve, Group, []byte, span, []uint64) int         { return 0 }
func (r *run) sum(task, []byte, []byte)                             {}
