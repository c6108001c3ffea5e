package stage

// Facts are the sizes of an item that footprints are computed from, as the job's source learned them from headers:
// "domain" (rows of the evaluation domain), "wires" (elements), "fr_bytes", ... A kind documents which it reads.
type Facts map[string]int64

// A Footprint is what one item will need at one stage, in bytes.
type Footprint struct {
	// Outputs has the bytes carried by each output port whose value lies in a lease.
	Outputs map[string]int64
	// Scratch has, per buffer class, the bytes that the body needs while it runs and no longer.
	Scratch map[string]int64
	// Heap has, per buffer class, the bytes that a library allocates by itself while the body runs: counted like scratch,
	// with no memory handed over.
	Heap map[string]int64
	// CacheKeys names, for an output of a cached class, the entry it is ("key:<digest>"): items that name the same
	// entry share one lease, which outlives them while there is room.
	CacheKeys map[string]string
	// Without has, per buffer class, scratch that the body would have used and does without, since there is no Room for
	// it; Instead says what it does, for people: "on the CPU".
	Without map[string]int64
	Instead string
	// Traffic has, per bus, the bytes that the body cannot but move over it: operands once and results once, whatever
	// caches hold. It bounds nothing; profiles that are learned from runs have it as loads.
	Traffic Traffic
}

// Traffic is bytes by bus.
type Traffic map[Bus]int64

// A Bus is what bodies share when they move data.
type Bus string

const (
	// MemoryBus is between the cores and the host's memory, mapped files included.
	MemoryBus Bus = "memory"
	// DeviceBus is between the host and one device; every device has one of its own.
	DeviceBus Bus = "pcie"
)
