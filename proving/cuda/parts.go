package cuda

import "github.com/proofgraph/proofgraph/cudabind"

// A partList cuts rows into the parts that blocks of threads evaluate, as long as they may be: the numbers of their
// first rows, and at the end that of all rows.
type partList struct {
	numbers     []byte
	count       int // of numbers
	rows, terms int // of the part that is not ended
}

func newPartList(memory []byte) *partList { return &partList{numbers: memory} }

// add takes the next row in, of so many terms.
func (p *partList) add(row, terms int) {
	if p.count == 0 || p.rows == partRows || p.rows > 0 && p.terms+terms > cudabind.PartTerms {
		p.put(row)
		p.rows, p.terms = 0, 0
	}
	p.rows++
	p.terms += terms
}

// end gives the number of parts.
func (p *partList) end(rows int) int {
	p.put(rows)
	return p.count - 1
}

func (p *partList) put(row int) {
	putNumber(p.numbers[numberBytes*p.count:], row)
	p.count++
}
