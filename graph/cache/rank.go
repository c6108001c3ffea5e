package cache

// A Ranker orders idle entries by how little they will be missed. It is told of every use, and only advises: the table
// decides. Its methods are called one at a time.
type Ranker interface {
	// Use counts a use of an entry, which is not idle from then on.
	Use(key string)
	// Idle says that an entry of so many bytes is idle.
	Idle(key string, bytes int64)
	// Forget says that an entry is no longer in the table.
	Forget(key string)
	// Next names the idle entry to give up first among those that eligible admits; ok is false where there is none.
	Next(eligible func(key string) bool) (key string, ok bool)
}
