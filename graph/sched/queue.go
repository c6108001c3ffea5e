package sched

// fifo holds items in the order in which they came: an ordered stage's in the order of their region.
type fifo struct {
	items []*item
	head  int
}

func (q *fifo) push(it *item) { q.items = append(q.items, it) }

// first gives the first item, or nil.
func (q *fifo) first() *item {
	if q.head == len(q.items) {
		return nil
	}
	return q.items[q.head]
}

func (q *fifo) pop() {
	q.items[q.head] = nil
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	} else if q.head > 64 && q.head > len(q.items)/2 {
		q.items, q.head = append(q.items[:0], q.items[q.head:]...), 0
	}
}

func (q *fifo) remove(it *item) {
	kept := q.items[:q.head]
	for _, other := range q.items[q.head:] {
		if other != it {
			kept = append(kept, other)
		}
	}
	clear(q.items[len(kept):])
	q.items = kept
}

// ranked is a heap of items: greater priority first, then the earlier arrival.
type ranked struct{ items []*item }

func before(a, b *item) bool {
	if a.Priority != b.Priority {
		return a.Priority > b.Priority
	}
	return a.seq < b.seq
}

func (q *ranked) push(it *item) {
	q.items = append(q.items, it)
	for i := len(q.items) - 1; i > 0; {
		parent := (i - 1) / 2
		if before(q.items[parent], q.items[i]) {
			return
		}
		q.items[parent], q.items[i] = q.items[i], q.items[parent]
		i = parent
	}
}

func (q *ranked) first() *item {
	if len(q.items) == 0 {
		return nil
	}
	return q.items[0]
}

func (q *ranked) pop() {
	last := len(q.items) - 1
	q.items[0] = q.items[last]
	q.items[last] = nil
	q.items = q.items[:last]
	q.sift(0)
}

func (q *ranked) sift(i int) {
	for {
		child := 2*i + 1
		if child >= len(q.items) {
			return
		}
		if child+1 < len(q.items) && before(q.items[child+1], q.items[child]) {
			child++
		}
		if before(q.items[i], q.items[child]) {
			return
		}
		q.items[i], q.items[child] = q.items[child], q.items[i]
		i = child
	}
}

func (q *ranked) remove(it *item) {
	kept := q.items[:0]
	for _, other := range q.items {
		if other != it {
			kept = append(kept, other)
		}
	}
	clear(q.items[len(kept):])
	q.items = kept
	for i := len(kept)/2 - 1; i >= 0; i-- {
		q.sift(i)
	}
}
