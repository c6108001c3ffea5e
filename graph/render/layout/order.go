package layout

import (
	"cmp"
	"slices"
)

const sweeps = 24

// reduceCrossings orders the items of each layer by the mean position of their neighbours, sweeping down and up, and
// keeps the best order it meets.
func (d *grid) reduceCrossings() {
	best, kept := d.crossings(), d.copyLayers()
	for i := 0; i < sweeps && best > 0; i++ {
		d.sweep(i%2 == 0, i%4 >= 2)
		d.transpose()
		if n := d.crossings(); n < best {
			best, kept = n, d.copyLayers()
		}
	}
	for _, layer := range kept {
		d.setLayer(layer)
	}
}

func (d *grid) copyLayers() [][]int {
	layers := make([][]int, len(d.layers))
	for i, layer := range d.layers {
		layers[i] = slices.Clone(layer)
	}
	return layers
}

func (d *grid) setLayer(layer []int) {
	for i, v := range layer {
		d.items[v].pos = i
	}
	if len(layer) > 0 {
		d.layers[d.items[layer[0]].rank] = layer
	}
}

// sweep orders every layer by the one before it (down) or after it; flip turns the order of ties.
func (d *grid) sweep(down, flip bool) {
	for i := range d.layers {
		rank, neighbours := i, d.prev
		if !down {
			rank, neighbours = len(d.layers)-1-i, d.next
		}
		layer := slices.Clone(d.layers[rank])
		if flip {
			slices.Reverse(layer)
		}
		means := make(map[int]float64, len(layer))
		for _, v := range layer {
			means[v] = d.mean(v, neighbours[v])
		}
		slices.SortStableFunc(layer, func(a, b int) int { return cmp.Compare(means[a], means[b]) })
		d.setLayer(layer)
	}
}

// mean gives the mean position of the neighbours of v, or its own where it has none; positions are in [0, 1], since
// layers differ in length.
func (d *grid) mean(v int, neighbours []int) float64 {
	if len(neighbours) == 0 {
		return d.share(v)
	}
	sum := 0.0
	for _, w := range neighbours {
		sum += d.share(w)
	}
	return sum / float64(len(neighbours))
}

func (d *grid) share(v int) float64 {
	it := d.items[v]
	return (float64(it.pos) + 0.5) / float64(len(d.layers[it.rank]))
}

// transpose exchanges neighbours while that saves crossings.
func (d *grid) transpose() {
	for round, improved := 0, true; improved && round < 8; round++ {
		improved = false
		for _, layer := range d.layers {
			for i := 0; i+1 < len(layer); i++ {
				v, w := layer[i], layer[i+1]
				if d.pairCrossings(v, w) > d.pairCrossings(w, v) {
					layer[i], layer[i+1] = w, v
					d.items[v].pos, d.items[w].pos = i+1, i
					improved = true
				}
			}
		}
	}
}

// pairCrossings counts the crossings of the edges of v with those of w if v stands just before w.
func (d *grid) pairCrossings(v, w int) int {
	n := 0
	for _, ends := range [2][2][]int{{d.next[v], d.next[w]}, {d.prev[v], d.prev[w]}} {
		for _, a := range ends[0] {
			for _, b := range ends[1] {
				if d.items[a].pos > d.items[b].pos {
					n++
				}
			}
		}
	}
	return n
}

// crossings counts those of the whole grid.
func (d *grid) crossings() int {
	n := 0
	for _, layer := range d.layers {
		var ends []int // positions on the next rank, in the order of this one
		for _, v := range layer {
			before := len(ends)
			for _, w := range d.next[v] {
				ends = append(ends, d.items[w].pos)
				for _, earlier := range ends[:before] {
					if earlier > d.items[w].pos {
						n++
					}
				}
			}
		}
	}
	return n
}
