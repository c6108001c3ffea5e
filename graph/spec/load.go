package spec

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/proofgraph/proofgraph/graph/stage"
)

// A Loader loads pipelines for a machine that may be another than this one.
type Loader struct {
	Registry *stage.Registry
	// Overrides replace the defaults of parameters, each "name=value"; of two for one parameter the later holds.
	Overrides []string
	// Cores is what ${cores} stands for; 0 is the number of this machine's cores that the process may use.
	Cores int
	// Devices counts what ${devices} stands for, and is asked where a pipeline says so; nil is one.
	Devices func() int
}

// Load checks a pipeline: name is what errors call its file, overrides are of the form "parameter=value". All that is
// wrong is found at once; the error is then of type Errors.
func Load(name string, source []byte, registry *stage.Registry, overrides []string) (*Pipeline, error) {
	return Loader{Registry: registry, Overrides: overrides}.Load(name, source)
}

// LoadFile reads a file and loads the pipeline in it. A file that cannot be read is an *fs.PathError.
func LoadFile(path string, registry *stage.Registry, overrides []string) (*Pipeline, error) {
	return Loader{Registry: registry, Overrides: overrides}.LoadFile(path)
}

// LoadFile reads a file and loads the pipeline in it, as the function LoadFile does.
func (c Loader) LoadFile(path string) (*Pipeline, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, fmt.Errorf("read pipeline: %w", err)
	}
	return c.Load(path, text)
}

// Load checks a pipeline, as the function Load does.
func (c Loader) Load(name string, text []byte) (*Pipeline, error) {
	l := c.loader(name, text)
	if root, good := l.file.parse(text); good {
		l.document(root)
	}
	if all := l.errors(); len(all) > 0 {
		return nil, all
	}
	return l.p, nil
}

// A loader is one Load under way. Its steps fill in p from top to bottom; names lead to indexes in p.
type loader struct {
	registry  *stage.Registry
	file      *source
	overrides []*source
	scope     *scope
	p         *Pipeline

	pools, classes, resources, stages map[string]int
	drafts                            []*draft // beside p.Stages
	joints                            []joint  // beside p.Edges
}

func (c Loader) loader(name string, text []byte) *loader {
	l := &loader{
		registry: cmp.Or(c.Registry, &stage.Registry{}),
		file:     newSource(name, string(text)),
		scope:    &scope{builtins: c.builtins(), params: map[string]*param{}},
		p:        &Pipeline{File: name, Cores: cmp.Or(c.Cores, runtime.GOMAXPROCS(0))},
		pools:    map[string]int{}, classes: map[string]int{}, resources: map[string]int{}, stages: map[string]int{},
	}
	for _, o := range c.Overrides {
		l.overrides = append(l.overrides, newSource(overrideFile, o))
	}
	return l
}

// builtins are the names that expressions may use beside parameters.
func (c Loader) builtins() map[string]func() int64 {
	cores := cmp.Or(c.Cores, runtime.GOMAXPROCS(0))
	return map[string]func() int64{
		"cores": func() int64 { return int64(cores) },
		"devices": func() int64 {
			if c.Devices == nil {
				return 1
			}
			return int64(max(c.Devices(), 1))
		},
	}
}

// document checks a whole pipeline, section by section: what a section names stands in those before it.
func (l *loader) document(root node) {
	f, good := root.mapping(root, "a pipeline")
	if !good {
		return
	}
	f.only("pipeline", "doc", "params", "pools", "buffers", "resources", "stages", "edges", "fail", "in_flight")
	l.header(&f)
	for _, section := range []struct {
		key  string
		read func(node)
	}{
		{"params", l.params}, {"pools", l.poolsSection}, {"buffers", l.buffersSection}, {"resources", l.resourcesSection},
		{"stages", l.stagesSection}, {"edges", l.edgesSection},
	} {
		n, found := f.get(section.key)
		if !found {
			n = root.emptied()
		}
		section.read(n)
	}
	if n, found := f.get("in_flight"); found {
		l.p.InFlight = l.inFlight(n)
	}
	if _, found := f.need("stages", "stages: { NAME: { kind: KIND } }"); found {
		l.join()
	}
}

// header reads what a pipeline says about itself.
func (l *loader) header(f *fields) {
	if n, good := f.name("pipeline", "begin with pipeline: NAME"); good && n.namedPlainly("a pipeline") {
		l.p.Name = n.Value
	}
	l.p.Doc = f.prose("doc")
	l.p.Fail = []Fail{FailJob, FailPipeline}[f.words("fail", "job", "pipeline")]
}

// inFlight reads how many items may be under way at once.
func (l *loader) inFlight(n node) int {
	count, _ := l.count(n, "in_flight", 1, maxCount)
	return int(count)
}

// errors gives those of the file, then those of the overrides.
func (l *loader) errors() Errors {
	all := l.file.errors.sorted()
	for _, o := range l.overrides {
		all = append(all, o.errors...)
	}
	return all
}

// readBounded reads no more of a file than tells that it is too large.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile+1))
}
