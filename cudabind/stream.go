//go:build cgo && linux

package cudabind

// #include "loader.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Stream queues work on its device; what is queued on one stream runs in order.
type Stream struct {
	device *Device
	handle *C.pg_stream
}

// Event marks a point of a stream.
type Event struct {
	handle *C.pg_event
}

// NewStream makes a stream; Close ends it.
func (d *Device) NewStream() (*Stream, error) {
	s := &Stream{device: d}
	return s, failed(C.pg_stream_create(d.index, &s.handle))
}

// NewEvent makes an event; Close ends it.
func (d *Device) NewEvent() (*Event, error) {
	e := &Event{}
	return e, failed(C.pg_event_create(d.index, &e.handle))
}

// Device is the stream's device.
func (s *Stream) Device() *Device { return s.device }

// Close destroys the stream; what is queued still runs.
func (s *Stream) Close() error { return failed(C.pg_stream_destroy(s.handle)) }

// Synchronize waits for all that is queued, without regard to contexts, and returns the first failure among it.
func (s *Stream) Synchronize() error { return failed(C.pg_stream_synchronize(s.handle)) }

// Done reports whether all that was queued has run.
func (s *Stream) Done() (bool, error) { return done(failed(C.pg_stream_query(s.handle))) }

// Drain waits for all that is queued. When ctx ends first it still waits, since the device still uses the buffers,
// and then returns ctx's error: once Drain returns, the buffers are the caller's again.
func (s *Stream) Drain(ctx context.Context) error {
	if err := s.Synchronize(); err != nil {
		return err
	}
	return context.Cause(ctx)
}

// Wait makes what is queued on s from now on wait for the event.
func (s *Stream) Wait(e *Event) error { return failed(C.pg_stream_wait(s.handle, e.handle)) }

// Record marks the stream's present end.
func (s *Stream) Record(e *Event) error { return failed(C.pg_event_record(e.handle, s.handle)) }

// Close destroys the event.
func (e *Event) Close() error { return failed(C.pg_event_destroy(e.handle)) }

// Synchronize waits until the event's point has been passed.
func (e *Event) Synchronize() error { return failed(C.pg_event_synchronize(e.handle)) }

// Done reports whether the event's point has been passed.
func (e *Event) Done() (bool, error) { return done(failed(C.pg_event_query(e.handle))) }

// Since is the device's time from the earlier event to e; both must have been passed.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	var milliseconds C.float
	err := failed(C.pg_event_elapsed(earlier.handle, e.handle, &milliseconds))
	return time.Duration(float64(milliseconds) * float64(time.Millisecond)), err
}

func done(err error) (bool, error) {
	if errors.Is(err, ErrNotReady) {
		return false, nil
	}
	return err == nil, err
}

// Upload copies host memory to the start of a buffer. Memory from AllocPinned or Register is copied while the call
// returns at once, and must live until then; any other is read before it returns.
func (s *Stream) Upload(to *Buffer, from []byte) error {
	if len(from) > to.bytes {
		return fmt.Errorf("upload of %d bytes into a buffer of %d", len(from), to.bytes)
	}
	return failed(C.pg_copy_to_device(s.handle, to.pointer, first(from), C.size_t(len(from))))
}

// Download copies the start of a buffer to host memory, as Upload does the other way.
func (s *Stream) Download(to []byte, from *Buffer) error {
	if len(to) > from.bytes {
		return fmt.Errorf("download of %d bytes from a buffer of %d", len(to), from.bytes)
	}
	return failed(C.pg_copy_to_host(s.handle, first(to), from.pointer, C.size_t(len(to))))
}

// Copy copies the start of one buffer to another of the same device.
func (s *Stream) Copy(to, from *Buffer, bytes int) error {
	if bytes > to.bytes || bytes > from.bytes {
		return fmt.Errorf("copy of %d bytes between buffers of %d and %d", bytes, from.bytes, to.bytes)
	}
	return failed(C.pg_copy_on_device(s.handle, to.pointer, from.pointer, C.size_t(bytes)))
}

// Fill sets every byte of a buffer.
func (s *Stream) Fill(buffer *Buffer, value byte) error {
	return failed(C.pg_fill(s.handle, buffer.pointer, C.int32_t(value), C.size_t(buffer.bytes)))
}
