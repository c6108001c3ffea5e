package circuits

// width is Poseidon's t: two inputs and the capacity.
const width = 3

type (
	vector[E any] [width]E
	matrix[E any] [width]vector[E] // rows
)

func (m *matrix[E]) transposed() (t matrix[E]) {
	for i := range m {
		for j := range m[i] {
			t[j][i] = m[i][j]
		}
	}
	return t
}

func dot[E comparable, P scalar[E]](x, y vector[E]) E {
	var total, part E
	for i := range x {
		P(&part).Mul(&x[i], &y[i])
		P(&total).Add(&total, &part)
	}
	return total
}

func apply[E comparable, P scalar[E]](m matrix[E], v vector[E]) (out vector[E]) {
	for i := range m {
		out[i] = dot[E, P](m[i], v)
	}
	return out
}

func multiply[E comparable, P scalar[E]](a, b matrix[E]) (out matrix[E]) {
	columns := b.transposed()
	for j := range columns {
		columns[j] = apply[E, P](a, columns[j])
	}
	return columns.transposed()
}

// invert returns m⁻¹ by Gauss-Jordan elimination. Every leading minor of a Cauchy matrix and of its
// products here is invertible, so no pivot is ever zero; a zero one gives a wrong inverse, which the
// published vectors would show.
func invert[E comparable, P scalar[E]](m matrix[E]) matrix[E] {
	inverse := identity[E, P]()
	for col := range m {
		var pivot E
		P(&pivot).Inverse(&m[col][col])
		scaleRow[E, P](&m[col], pivot)
		scaleRow[E, P](&inverse[col], pivot)
		for row := range m {
			if row != col {
				factor := m[row][col]
				subtractRow[E, P](&m[row], m[col], factor)
				subtractRow[E, P](&inverse[row], inverse[col], factor)
			}
		}
	}
	return inverse
}

func identity[E comparable, P scalar[E]]() (m matrix[E]) {
	for i := range m {
		m[i][i] = constant[E, P](1)
	}
	return m
}

func scaleRow[E comparable, P scalar[E]](row *vector[E], k E) {
	for j := range row {
		P(&row[j]).Mul(&row[j], &k)
	}
}

func subtractRow[E comparable, P scalar[E]](row *vector[E], other vector[E], k E) {
	scaleRow[E, P](&other, k)
	for j := range row {
		P(&row[j]).Sub(&row[j], &other[j])
	}
}

func plus[E comparable, P scalar[E]](x, y vector[E]) vector[E] {
	for i := range x {
		P(&x[i]).Add(&x[i], &y[i])
	}
	return x
}
