package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/proofgraph/proofgraph/graph/sim"
	"github.com/proofgraph/proofgraph/graph/spec"
)

// A space is the parameters that are searched.
type space struct {
	params []spec.Param
	fixed  []string // parameters with a range that are not searched, each "name=value"
	size   float64
}

// space finds the parameters with a range that nobody has set. One that bodies see keeps its value: a profile has their
// seconds with that value alone, so any other would seem to cost nothing.
func (s *Search) space() (space, error) {
	prog, err := s.Profile.Bind(s.Name, s.Source, s.Registry, s.Sets, s.Limits)
	if err != nil {
		return space{}, err
	}
	sp := space{size: 1}
	for _, p := range prog.Spec.Params {
		switch {
		case !p.Ranged || p.Min >= p.Max || s.set(p.Name):
		case s.bodiesSee(p):
			sp.fixed = append(sp.fixed, fmt.Sprintf("%s=%d", p.Name, p.Value))
		default:
			sp.params = append(sp.params, p)
			sp.size *= float64(p.Max-p.Min) + 1
		}
	}
	if len(sp.params) == 0 {
		return sp, fmt.Errorf("%s: there is no parameter with a range to search", s.Name)
	}
	return sp, nil
}

func (s *Search) set(param string) bool {
	return slices.ContainsFunc(s.Sets, func(set string) bool { return strings.HasPrefix(set, param+"=") })
}

// bodiesSee says whether a parameter changes an option of a stage that is more than a model.
func (s *Search) bodiesSee(p spec.Param) bool {
	least, err := s.with(p.Name, p.Min)
	if err != nil {
		return false
	}
	most, err := s.with(p.Name, p.Max)
	if err != nil {
		return false
	}
	for i, st := range least.Stages {
		if !sim.Modelled(st.Kind) && !st.Options.Equal(most.Stages[i].Options) {
			return true
		}
	}
	return false
}

func (s *Search) with(param string, value int64) (*spec.Pipeline, error) {
	sets := append(slices.Clone(s.Sets), fmt.Sprintf("%s=%d", param, value))
	return s.Profile.Load(s.Name, s.Source, s.Registry, sets)
}

// written gives the setting as the pipeline has it.
func (sp *space) written() []int64 {
	var values []int64
	for _, p := range sp.params {
		values = append(values, p.Value)
	}
	return values
}

// every lists all settings of a space that is small enough.
func (sp *space) every() [][]int64 {
	all := [][]int64{nil}
	for _, p := range sp.params {
		var longer [][]int64
		for _, values := range all {
			for v := p.Min; v <= p.Max; v++ {
				longer = append(longer, append(slices.Clone(values), v))
			}
		}
		all = longer
	}
	return all
}

// at gives the value a part of the way from a parameter's least to its greatest, by ratio where the range is wide.
func at(p spec.Param, part float64) int64 {
	width := float64(p.Max - p.Min)
	if p.Min > 0 && p.Max/p.Min >= 8 {
		return bounded(p, int64(math.Round(float64(p.Min)*math.Pow(float64(p.Max)/float64(p.Min), part))))
	}
	return bounded(p, p.Min+int64(math.Round(width*part)))
}

func bounded(p spec.Param, v int64) int64 { return min(max(v, p.Min), p.Max) }

// steps lists the values near one: next to it, and a good part away.
func steps(p spec.Param, v int64) []int64 {
	far := max(max(v, -v)/4, (p.Max-p.Min)/16, 1)
	var near []int64
	for _, d := range []int64{-1, 1, -far, far} {
		if to := bounded(p, v+d); to != v && !slices.Contains(near, to) {
			near = append(near, to)
		}
	}
	return near
}
