package stage

// A Fragile value may change under those who use it, such as a mapped file that somebody else writes to. It is asked before
// and after every body that has it as an input, and after the one that made it; an error fails the item, whatever the body
// itself made of what it saw. Several bodies may ask at once.
type Fragile interface {
	// Intact says that nothing has changed, or what has.
	Intact() error
}

// Intact asks all that the task works on.
func (t *Task) Intact() error {
	for _, bounds := range [...][]Bound{t.Inputs, t.Outputs} {
		for _, b := range bounds {
			if f, ok := b.Value.(Fragile); ok {
				if err := f.Intact(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
