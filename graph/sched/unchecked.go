package sched

// NewUnchecked makes a core that refuses no item, however little there is. It is for those who test the check: what
// Submit would have refused then gets stuck.
func NewUnchecked(g *Graph) (*Core, error) {
	c, err := New(g, nil)
	if err != nil {
		return nil, err
	}
	c.unchecked = true
	return c, nil
}
