package expr

// A Reason is what was wrong with a value.
type Reason int

// The reasons. Ambiguous is a value that YAML 1.1 and YAML 1.2 read differently, such as 010.
const (
	Syntax Reason = iota
	Ambiguous
	Overflow
	DivideByZero
	Unresolved
)

// An Error is a value that could not be read or computed. Start and End are byte offsets into the text.
type Error struct {
	Reason     Reason
	Start, End int
	Message    string
	Hint       string
}

// Error gives the message alone; the hint and the place are for those who can show them.
func (e *Error) Error() string { return e.Message }
