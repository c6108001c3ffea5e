package stage

// An Item is one unit of work on its way through a pipeline: a partition of a job. It describes the work and holds no
// buffer, so it can be sent to another machine or run again.
type Item struct {
	Job      string
	Index    int // among the items of its job
	Priority int
	Facts    Facts
	// Payload is what the source put in: the description of the work, which the kinds of a pipeline agree on.
	Payload any
}
