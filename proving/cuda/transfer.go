package cuda

import (
	"context"

	"github.com/proofgraph/proofgraph/cudabind"
)

// UploadNeed says what Upload takes for so many bytes of the host in a place: less of it is slower, down to 256 bytes.
func UploadNeed(bytes int64, from Place) Need { return Need{Pinned: stagingFor(bytes, from)} }

// Upload copies host memory to the start of to. Pinned memory goes as it is (staging nil); any other through staging,
// pinned memory, of which UploadNeed says how much is enough. from and staging are in use until Wait has returned.
func (d *Device) Upload(to *cudabind.Buffer, from, staging []byte, threads int) (*Pending, error) {
	pinned := staging == nil
	return d.perform(pinned, func(ctx context.Context, s *cudabind.Stream) error {
		t := &transfer{stream: s, staging: staging, threads: threads}
		defer t.close()
		return t.upload(ctx, to, from, pinned)
	})
}

// A transfer copies between host and device on one stream: page-locked memory as it lies, any other through staging.
type transfer struct {
	stream  *cudabind.Stream
	staging []byte
	threads int
	stager  *stager // nil until staging is used
}

// upload queues the copy of from to the start of to.
func (t *transfer) upload(ctx context.Context, to *cudabind.Buffer, from []byte, pinned bool) error {
	if len(from) == 0 {
		return nil
	}
	if pinned {
		return t.stream.Upload(to, from)
	}
	st, err := t.open()
	if err != nil {
		return err
	}
	return st.upload(ctx, to, from)
}

// download queues the copy of the start of from to host memory; what is not page-locked is there when it returns.
func (t *transfer) download(ctx context.Context, to []byte, from *cudabind.Buffer, pinned bool) error {
	if len(to) == 0 {
		return nil
	}
	if pinned {
		return t.stream.Download(to, from)
	}
	st, err := t.open()
	if err != nil {
		return err
	}
	return st.download(ctx, to, from)
}

func (t *transfer) open() (_ *stager, err error) {
	if t.stager == nil {
		t.stager, err = newStager(t.stream, t.staging, t.threads)
	}
	return t.stager, err
}

// close ends what the transfer made; what is queued goes on.
func (t *transfer) close() {
	if t.stager != nil {
		t.stager.close()
	}
}
