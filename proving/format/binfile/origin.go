package binfile

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrChanged is wrapped when a mapped file was cut short or written to while it was in use: what was read of it is worth
// nothing. Files that are replaced by rename do not change; the mapping keeps the old one.
var ErrChanged = errors.New("the file changed while it was in use")

// origin is the file behind a mapping, and what it was like when it was mapped.
type origin struct {
	file    *os.File
	size    int64
	changed time.Time
}

func originOf(file *os.File) (*origin, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return &origin{file, info.Size(), info.ModTime()}, nil
}

// intact says whether the file is as it was. Writes through another mapping may be seen late, or never.
func (o *origin) intact() error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() != o.size || !info.ModTime().Equal(o.changed) {
		return fmt.Errorf("%s: %w", o.file.Name(), ErrChanged)
	}
	return nil
}
