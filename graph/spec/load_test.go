package spec

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func loadPhotos(t *testing.T, overrides ...string) *Pipeline {
	t.Helper()
	p, err := Loader{Registry: photoKinds(t), Cores: 4, Overrides: overrides}.LoadFile("testdata/photos.yaml")
	require.NoError(t, err)
	return p
}

func (p *Pipeline) stageNamed(name string) *Stage {
	for i := range p.Stages {
		if p.Stages[i].Name == name {
			return &p.Stages[i]
		}
	}
	return nil
}

func TestLoadReadsEverySection(t *testing.T) {
	p := loadPhotos(t)
	assert.Equal(t, "photos", p.Name)
	assert.Equal(t, "small pictures of large ones", p.Doc)
	assert.Equal(t, "testdata/photos.yaml", p.File)
	assert.Equal(t, FailPipeline, p.Fail)
	assert.Equal(t, []Param{
		{Name: "decoders", Doc: "pictures decoded at once", Value: 2, Default: "${max(1, cores / 2)}", Min: 1, Max: 64, Ranged: true, Pos: Pos{4, 3}},
		{Name: "waiting", Doc: "decoded pictures that may wait", Value: 2, Default: "${decoders}", Pos: Pos{5, 3}},
	}, p.Params)
	assert.Equal(t, []Pool{
		{Name: "host", Limit: Limit{Auto: true}, Margin: 1 << 30, Pos: Pos{7, 3}},
		{Name: "disk", Limit: Limit{None: true}, Pos: Pos{8, 3}},
	}, p.Pools)
	assert.Equal(t, Class{Name: "pixels", Pool: 0, Pos: Pos{11, 3}}, p.Classes[1])
	assert.Equal(t, []Resource{{Name: "disk", Count: 2, Pos: Pos{14, 14}}}, p.Resources)
}

func TestLoadReadsStages(t *testing.T) {
	p := loadPhotos(t)
	read, decode, count := p.stageNamed("read"), p.stageNamed("decode"), p.stageNamed("count")
	assert.Equal(t, int64(128<<10), read.Options.Int("ahead"))
	assert.Equal(t, []Use{{0, 1}}, read.Uses)
	assert.Equal(t, 2, decode.Workers)
	assert.Equal(t, OnConsume, decode.Release)
	assert.Equal(t, "rgb", decode.Options.String("space"))
	assert.Equal(t, int64(8), decode.Options.Int("depth"))
	assert.True(t, count.Async)
	assert.Equal(t, 4, count.Pending)
	assert.Equal(t, "of 2", count.Options.String("label"))
	assert.Equal(t, 1, count.Workers)
	assert.Equal(t, AfterSend, count.Release)
	assert.Zero(t, read.Pending)
	assert.Equal(t, 2, p.stageNamed("scale").Threads)
}

func TestLoadJoinsStages(t *testing.T) {
	p := loadPhotos(t)
	names := make([]string, len(p.Stages))
	for i, s := range p.Stages {
		names[i] = s.Name
	}
	assert.Equal(t, []string{"read", "decode", "scale", "encode", "plain", "count", "store"}, names)
	read, scale, encode, count := p.stageNamed("read"), p.stageNamed("scale"), p.stageNamed("encode"), p.stageNamed("count")
	assert.Equal(t, []int{0, 1}, read.Outputs[0].Edges, "one output, two edges")
	assert.Equal(t, "read.file", p.Edges[1].FromName, "short forms are written out")
	assert.Equal(t, "pixels(space=rgb)", scale.Outputs[0].Type.String())
	assert.Equal(t, "counts(of=rgb)", count.Outputs[0].Type.String())
	assert.Equal(t, 0, scale.Outputs[0].Takes)
	assert.Equal(t, "pixels", p.Classes[scale.Outputs[0].Class].Name, "the class of the buffer that is taken over")
	assert.Equal(t, "small", p.Classes[encode.Outputs[0].Class].Name, "the class that the stage names")
	assert.Equal(t, -1, count.Outputs[0].Class)
	assert.Equal(t, Bytes{Share: 0.25}, p.Edges[2].Bytes)
	assert.Equal(t, Bytes{Share: 0.245}, p.Edges[3].Bytes)
	assert.Equal(t, Bytes{Fixed: 3 << 29}, p.Edges[4].Bytes)
	assertConsistent(t, p)
}

// assertConsistent checks that all indexes of a pipeline point at each other.
func assertConsistent(t require.TestingT, p *Pipeline) {
	for i, e := range p.Edges {
		from, to := p.Stages[e.From], p.Stages[e.To]
		require.Less(t, e.From, e.To, "topological order")
		require.Contains(t, from.Outputs[e.Output].Edges, i)
		require.Equal(t, i, to.Inputs[e.Input].Edge)
		require.Equal(t, from.Name+"."+from.Outputs[e.Output].Port.Name, e.FromName)
		require.Equal(t, to.Name+"."+to.Inputs[e.Input].Port.Name, e.ToName)
	}
	for _, s := range p.Stages {
		for i, in := range s.Inputs {
			if in.Edge >= 0 {
				require.Equal(t, i, p.Edges[in.Edge].Input)
			}
		}
		require.Len(t, s.ScratchClass, len(p.Classes))
	}
	for _, c := range p.Classes {
		require.NotEmpty(t, p.Pools[c.Pool].Name)
	}
}

func TestOverrides(t *testing.T) {
	p := loadPhotos(t, "decoders=1", "decoders=3")
	assert.Equal(t, int64(3), p.Params[0].Value, "the later of two")
	assert.Equal(t, int64(3), p.Params[1].Value, "others follow")
	assert.Equal(t, "${max(1, cores / 2)}", p.Params[0].Default)
	assert.Equal(t, int64(64<<10*5), loadPhotos(t, "decoders=${2 + waiting}", "waiting=3").stageNamed("read").Options.Int("ahead"))
}

func TestLoadFileSaysWhatItCannotRead(t *testing.T) {
	_, err := LoadFile("testdata/none.yaml", photoKinds(t), nil)
	require.ErrorIs(t, err, os.ErrNotExist)
}
