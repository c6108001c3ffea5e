package cuda

// trialBytes is as much memory as a trial takes.
const trialBytes = 4096

// Try asks of a device a little of what every step asks: memory, a stream, work on it, an end. The error is the device's.
func (d *Device) Try() error {
	s, err := d.borrow()
	if err != nil {
		return err
	}
	b, err := d.Alloc(trialBytes)
	if err != nil {
		return andThen(err, d.retire(s))
	}
	err = s.Fill(b, 0)
	err = andThen(err, d.retire(s))
	return andThen(err, b.Free())
}
