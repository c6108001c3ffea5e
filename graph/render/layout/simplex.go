package layout

import "errors"

var errCycle = errors.New("the graph has a cycle")

// A program asks for integers x such that x[head] - x[tail] >= length for every arc, and Σ weight·(x[head] - x[tail]) is
// least. Its arcs must connect all of its nodes.
type program struct {
	nodes int
	arcs  []arc
}

type arc struct {
	tail, head, length, weight int
}

func (p *program) node() int {
	p.nodes++
	return p.nodes - 1
}

func (p *program) arc(tail, head, length, weight int) {
	p.arcs = append(p.arcs, arc{tail, head, length, weight})
}

// solve finds an optimum by the network simplex method: from a spanning tree of arcs that are as short as they may be,
// exchange an arc whose cut says that stretching it pays, until none does.
func (p *program) solve() ([]int, error) {
	x, err := p.longestPaths()
	if err != nil || p.nodes == 0 {
		return x, err
	}
	t := p.tightTree(x)
	for {
		t.root()
		leaving := t.payingArc()
		if leaving < 0 {
			return x, nil
		}
		t.exchange(leaving)
	}
}

// longestPaths gives the feasible solution in which every node comes as early as it can.
func (p *program) longestPaths() ([]int, error) {
	waiting, out := make([]int, p.nodes), make([][]arc, p.nodes)
	for _, a := range p.arcs {
		waiting[a.head]++
		out[a.tail] = append(out[a.tail], a)
	}
	var ready []int
	for v, n := range waiting {
		if n == 0 {
			ready = append(ready, v)
		}
	}
	x := make([]int, p.nodes)
	for i := 0; i < len(ready); i++ {
		for _, a := range out[ready[i]] {
			x[a.head] = max(x[a.head], x[a.tail]+a.length)
			if waiting[a.head]--; waiting[a.head] == 0 {
				ready = append(ready, a.head)
			}
		}
	}
	if len(ready) < p.nodes {
		return nil, errCycle
	}
	return x, nil
}

// A tree is a spanning tree of tight arcs (slack 0), with the solution x that it stands for.
type tree struct {
	*program
	x       []int
	surplus []int // per node: weight going out less weight coming in
	in      []bool
	adj     [][]int // per node: its arcs in the tree

	parent        []int // per node: the arc to its parent, -1 at the root
	first, behind []int // per node: the interval of its subtree in order
	order         []int // nodes, parents before children
}

func (p *program) tightTree(x []int) *tree {
	t := &tree{program: p, x: x, surplus: make([]int, p.nodes), in: make([]bool, len(p.arcs)), adj: make([][]int, p.nodes)}
	for _, a := range p.arcs {
		t.surplus[a.tail] += a.weight
		t.surplus[a.head] -= a.weight
	}
	t.parent, t.first, t.behind = make([]int, p.nodes), make([]int, p.nodes), make([]int, p.nodes)
	t.grow()
	return t
}

// grow adds a node at a time, the one with the least slack, and moves all that is there so that its arc is tight.
func (t *tree) grow() {
	inside := make([]bool, t.nodes)
	inside[0] = true
	for members := []int{0}; len(members) < t.nodes; {
		next := t.leastSlack(func(a arc) bool { return inside[a.tail] != inside[a.head] })
		a := t.arcs[next]
		joining, shift := a.head, t.slack(a)
		if inside[a.head] {
			joining, shift = a.tail, -shift
		}
		for _, v := range members {
			t.x[v] += shift
		}
		inside[joining] = true
		members = append(members, joining)
		t.link(next)
	}
}

func (t *tree) slack(a arc) int { return t.x[a.head] - t.x[a.tail] - a.length }

func (t *tree) leastSlack(eligible func(arc) bool) int {
	best := -1
	for i, a := range t.arcs {
		if !t.in[i] && eligible(a) && (best < 0 || t.slack(a) < t.slack(t.arcs[best])) {
			best = i
		}
	}
	return best
}

func (t *tree) link(i int) {
	t.in[i] = true
	for _, v := range []int{t.arcs[i].tail, t.arcs[i].head} {
		t.adj[v] = append(t.adj[v], i)
	}
}

func (t *tree) unlink(i int) {
	t.in[i] = false
	for _, v := range []int{t.arcs[i].tail, t.arcs[i].head} {
		kept := t.adj[v][:0]
		for _, j := range t.adj[v] {
			if j != i {
				kept = append(kept, j)
			}
		}
		t.adj[v] = kept
	}
}

// root walks the tree from node 0 and notes parents and subtrees.
func (t *tree) root() {
	t.order = t.order[:0]
	t.visit(0, -1)
}

func (t *tree) visit(v, from int) {
	t.parent[v], t.first[v] = from, len(t.order)
	t.order = append(t.order, v)
	for _, i := range t.adj[v] {
		if i != from {
			t.visit(t.arcs[i].tail+t.arcs[i].head-v, i)
		}
	}
	t.behind[v] = len(t.order)
}

// payingArc finds the tree arc of least number whose cut value is negative (Bland's rule, so that no sequence of
// exchanges returns to where it was), or -1. The cut value of an arc is the weight that crosses its cut forwards less
// the weight backwards; within one side all but the crossing arcs cancel, so it is the surplus of the tail's side.
func (t *tree) payingArc() int {
	sums, best := append([]int(nil), t.surplus...), -1
	for k := len(t.order) - 1; k > 0; k-- {
		v := t.order[k]
		i := t.parent[v]
		a := t.arcs[i]
		cut := sums[v]
		if a.head == v {
			cut = -cut
		}
		if cut < 0 && (best < 0 || i < best) {
			best = i
		}
		sums[a.tail+a.head-v] += sums[v]
	}
	return best
}

// exchange stretches the leaving arc until another arc across its cut is tight, which takes its place.
func (t *tree) exchange(leaving int) {
	a := t.arcs[leaving]
	low := a.tail // the end that is the child: the root of the side that moves
	if t.parent[a.head] == leaving {
		low = a.head
	}
	moves := func(v int) bool { return t.first[v] >= t.first[low] && t.first[v] < t.behind[low] }
	tailMoves := moves(a.tail)
	entering := t.leastSlack(func(b arc) bool {
		return moves(b.tail) != moves(b.head) && moves(b.head) == tailMoves
	})
	shift := t.slack(t.arcs[entering])
	if tailMoves {
		shift = -shift
	}
	for _, v := range t.order[t.first[low]:t.behind[low]] {
		t.x[v] += shift
	}
	t.unlink(leaving)
	t.link(entering)
}
