package sim

// equations are the normal equations of least squares: rows says how many seconds each stage's bodies ran between two
// samples, and the processor time between them is what they should come to.
type equations struct {
	prior  []float64
	matrix [][]float64
	right  []float64
}

func newEquations(prior []float64) *equations {
	e := &equations{prior: prior, right: make([]float64, len(prior))}
	for range prior {
		e.matrix = append(e.matrix, make([]float64, len(prior)))
	}
	return e
}

// add adds the stretches of a run between samples. Where the bodies, as far as is known by now, ask for more cores than
// there are, the processor time only tells how many there are, and where one opens a device, it tells of that: such
// stretches are left out.
func (e *equations) add(run measured, loads []float64, cores float64) {
	moments, usage := run.moments, run.usage
	for i := 1; i < len(usage); i++ {
		from, to := usage[i-1].At, usage[i].At
		row, unclear := make([]float64, len(loads)), false
		for _, m := range moments {
			if m.from >= to {
				break
			}
			seconds := max(min(m.to, to)-max(m.from, from), 0).Seconds()
			unclear = unclear || seconds > 0 && (m.cold || m.demand(loads) > cores)
			for s, n := range m.running {
				row[s] += n * seconds
			}
		}
		if !unclear {
			e.row(row, (usage[i].CPU - usage[i-1].CPU).Seconds(), 1/((to-from).Seconds()+blur))
		}
		for len(moments) > 0 && moments[0].to <= to {
			moments = moments[1:]
		}
	}
}

// row adds one stretch. Longer ones are off by more, since a body that others keep from the cores lasts longer and uses no
// more; with weights that fall with their length, what the stages use together stays what was used.
func (e *equations) row(row []float64, cpu, weight float64) {
	for i, a := range row {
		if a == 0 {
			continue
		}
		for j, b := range row {
			e.matrix[i][j] += weight * a * b
		}
		e.right[i] += weight * a * cpu
	}
}

// solve gives the loads that fit best, none below zero and none beyond a stage's threads, by descent along one after the
// other. Samples are blurred by a tick and the prior is true to about half a stage's threads, which weighs one against the
// other.
func (e *equations) solve(all loads, names []string) []float64 {
	x := all.vector(names)
	const rounds = 200
	for range rounds {
		for i := range x {
			threads := float64(all[names[i]].threads)
			weight := 4 * blur / (threads * threads)
			rest := e.right[i] + weight*e.prior[i]
			for j, a := range e.matrix[i] {
				if j != i {
					rest -= a * x[j]
				}
			}
			x[i] = min(max(rest/(e.matrix[i][i]+weight), 0), threads)
		}
	}
	return x
}
