package probe

import (
	"bytes"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestMemoryRate(t *testing.T) {
	buffer := bytes.Repeat([]byte{7}, 1<<20)
	assert.Positive(t, MemoryRate(buffer, 3))
	assert.Zero(t, MemoryRate(buffer, 0))
	assert.Zero(t, MemoryRate(buffer[:4], 3), "less than a byte a thread")
}

func TestAllIsCopied(t *testing.T) {
	from := []byte("every byte of it")
	for threads := 1; threads <= len(from); threads++ {
		to := make([]byte, len(from))
		copyAll(to, from, threads)
		assert.Equal(t, from, to, "%d threads", threads)
	}
}

func TestEnoughIsBeyondTheCaches(t *testing.T) {
	const folder = "sys/devices/system/cpu/cpu0/cache/"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	cases := map[string]struct {
		files fstest.MapFS
		want  int
	}{
		"nothing known": {fstest.MapFS{}, 64 << 20},
		"small":         {fstest.MapFS{folder + "index0/size": file("48K\n")}, 64 << 20},
		"the largest":   {fstest.MapFS{folder + "index0/size": file("48K\n"), folder + "index3/size": file("266240K\n"), folder + "index2/size": file("2M\n")}, 2 * 260 << 20},
		"nonsense":      {fstest.MapFS{folder + "index0/size": file("-3K"), folder + "index1/size": file("99999999999999999999K"), folder + "index2/size": file("big")}, 64 << 20},
		"unbelievable":  {fstest.MapFS{folder + "index0/size": file("9999999M")}, 64 << 20},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) { assert.Equal(t, c.want, enoughIn(c.files)) })
	}
	assert.GreaterOrEqual(t, Enough(), 64<<20)
}
