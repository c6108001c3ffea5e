package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
)

// A feed brings memory of the host to a device on one stream, and back: page-locked memory as it lies, other through
// staging.
type feed struct {
	stream  *cudabind.Stream
	staging []byte
	threads int
	stager  *stager // nil until staging is used
}

// bring queues the copy of from to the start of to.
func (f *feed) bring(ctx context.Context, to *cudabind.Buffer, from []byte, pinned bool) error {
	if len(from) == 0 {
		return nil
	}
	if pinned {
		return f.stream.Upload(to, from)
	}
	st, err := f.open()
	if err != nil {
		return err
	}
	return st.upload(ctx, to, from)
}

// fetch queues the copy of the start of from to memory of the host; what is not page-locked is there when it returns.
func (f *feed) fetch(ctx context.Context, to []byte, from *cudabind.Buffer, pinned bool) error {
	if len(to) == 0 {
		return nil
	}
	if pinned {
		return f.stream.Download(to, from)
	}
	st, err := f.open()
	if err != nil {
		return err
	}
	return st.download(ctx, to, from)
}

func (f *feed) open() (_ *stager, err error) {
	if f.stager == nil {
		f.stager, err = newStager(f.stream, f.staging, f.threads)
	}
	return f.stager, err
}

// close ends what the feed made; what is queued goes on.
func (f *feed) close() {
	if f.stager != nil {
		f.stager.close()
	}
}

// perform launches work: now, where nothing in it keeps the CPU waiting, or else as far as Wait drives it.
func (d *Device) perform(now bool, work func(context.Context, *cudabind.Stream) error) (*Pending, error) {
	if now {
		return d.launch(func(s *cudabind.Stream) error { return work(context.Background(), s) })
	}
	p, err := d.launch(func(*cudabind.Stream) error { return nil })
	if err != nil {
		return nil, err
	}
	p.drive = func(ctx context.Context) error { return work(ctx, p.stream) }
	return p, nil
}
