package cudabind

// Curve names the curve whose scalar field a vector is over.
type Curve int32

// The curves.
const (
	BN254    Curve = 1
	BLS12381 Curve = 2
)

// ScalarBytes is the size of one scalar, of either curve.
const ScalarBytes = 32

// Group names a group of points.
type Group int32

// The groups.
const (
	BN254G1    Group = 1
	BN254G2    Group = 2
	BLS12381G1 Group = 3
	BLS12381G2 Group = 4
)

// PointBytes is the size of one affine point of the group.
func (g Group) PointBytes() int {
	return map[Group]int{BN254G1: 64, BN254G2: 128, BLS12381G1: 96, BLS12381G2: 192}[g]
}

// Pointwise names an operation element by element.
type Pointwise int32

// Element-by-element operations on vectors a, b, c.
const (
	Add          Pointwise = 0 // a + b
	Sub          Pointwise = 1 // a - b
	Mul          Pointwise = 2 // a b
	MulSub       Pointwise = 3 // a b - c
	Scale        Pointwise = 4 // a k, k the single element at b
	ToCanonical  Pointwise = 5 // a out of Montgomery form
	ToMontgomery Pointwise = 6 // a into Montgomery form
)

// PartTerms is the most terms that a part of Constraints of several rows may have.
const PartTerms = 1024

// TermOfB is added to a wire to say that a term is of matrix B.
const TermOfB = 1 << 31

// Constraints are the coefficients of A and B, row by row, in device memory. Numbers have 32 bits; buffers may be longer.
type Constraints struct {
	Rows, Parts int
	Terms       int // at most TermOfB
	Values      int // in Elements
	Wires       int // of the witness, at most TermOfB

	Starts    *Buffer // Rows+1 numbers: row r has the terms Starts[r] to Starts[r+1]-1
	PartRows  *Buffer // Parts+1 numbers: part p has the rows PartRows[p] to PartRows[p+1]-1; see PartTerms
	TermWires *Buffer // a term's wire, and TermOfB
	TermCodes *Buffer // which element is a term's value; nil: each has its own
	Elements  *Buffer // coefficients times R^2, as in a .zkey
}

// Direction of a transform.
type Direction int32

// Forward takes coefficients to values; Inverse takes them back, scaled by 1/n.
const (
	Forward Direction = 0
	Inverse Direction = 1
)

// Order of a transform's input and output.
type Order int32

// Orders; a pair of ToReversed and FromReversed saves two permutations.
const (
	Natural      Order = 0 // natural in, natural out
	ToReversed   Order = 1 // natural in, bit-reversed out
	FromReversed Order = 2 // bit-reversed in, natural out
)

// DeviceInfo describes one GPU.
type DeviceInfo struct {
	Name            string
	PCI             string
	TotalBytes      uint64
	Major, Minor    int // compute capability
	Multiprocessors int
	L2Bytes         int
}

// LibraryInfo describes a loaded kernel library.
type LibraryInfo struct {
	Path          string
	ABI           int
	RuntimeCUDA   int    // as 13000 for 13.0
	DriverCUDA    int    // 0 without a driver
	Architectures string // machine code inside, as "80 90"
}

// MSMConfig fixes the shape of multi-scalar multiplications; its Bytes functions and calls must be given the same.
type MSMConfig struct {
	Group             Group
	WindowBits        int  // 0: chosen by Configure for the size
	Copies            int  // precomputed multiples per base; 1 for plain bases
	ScalarsMontgomery bool // scalars in Montgomery form rather than canonical
}

// Report is what Probe found, for a person to read.
type Report struct {
	Library *LibraryInfo // nil when none was loaded
	Devices []DeviceInfo
	Problem error // why the kernels cannot be used; nil when they can
}
