package stages

import (
	"context"
	"errors"
	"fmt"

	"github.com/proofgraph/proofgraph/graph/stage"
	"github.com/proofgraph/proofgraph/proving/curve"
	"github.com/proofgraph/proofgraph/proving/format/binfile"
	"github.com/proofgraph/proofgraph/proving/format/r1cs"
	"github.com/proofgraph/proofgraph/proving/format/wtns"
	"github.com/proofgraph/proofgraph/proving/groth16"
)

// A Witness is the value of a witness port.
type Witness struct {
	Curve  curve.ID
	Values []byte // canonical scalars, in the port's lease or in a mapped file

	file *wtns.Witness
}

// Close ends the mapping of a witness that lies in a file.
func (w *Witness) Close() error {
	if w.file == nil {
		return nil
	}
	return w.file.Close()
}

// Intact implements stage.Fragile: a witness that lies in a file changes with it.
func (w *Witness) Intact() error {
	if w.file == nil {
		return nil
	}
	return w.file.Intact()
}

// ErrUnsatisfied is wrapped when a witness does not satisfy its circuit.
var ErrUnsatisfied = errors.New("the witness does not satisfy the circuit")

// ErrMismatch is wrapped when the files of a job belong to different circuits.
var ErrMismatch = errors.New("the files are not of one circuit")

// witnessKind is groth16.witness.
func witnessKind(generators *Generators) *stage.Kind {
	return &stage.Kind{
		Name: "groth16.witness",
		Doc: "Gives the witness: mapped from a .wtns file, or computed from inputs by the circuit's .wasm. Where the job " +
			"names an .r1cs, the witness is checked against it here, and the first constraint that fails is told.",
		Outputs: []stage.Port{
			{Name: "witness", Type: typeWitness(host), Class: ClassWitness, Doc: "the witness; one in a file takes no memory of the pool"},
			{Name: "public", Type: typePublic, Doc: "its public values"},
		},
		Scratch: []string{ClassScratch},
		Footprint: func(_ stage.Options, item stage.Item) (stage.Footprint, error) {
			traffic := stage.Traffic{stage.MemoryBus: witnessBytes(item.Facts)}
			if item.Facts[FactInFile] == 1 {
				return stage.Footprint{Traffic: traffic}, nil
			}
			return stage.Footprint{
				Traffic: traffic,
				Outputs: map[string]int64{"witness": witnessBytes(item.Facts)},
				Scratch: map[string]int64{ClassScratch: item.Facts[FactGenerator]},
				Heap:    map[string]int64{ClassScratch: item.Facts[FactGeneratorHeap]},
			}, nil
		},
		New: func(stage.Options) (stage.Body, error) { return &witnessMaker{generators}, nil },
	}
}

type witnessMaker struct{ generators *Generators }

// Run implements stage.Body.
func (m *witnessMaker) Run(ctx context.Context, t *stage.Task) error {
	p, err := payload(t)
	if err != nil {
		return err
	}
	w, err := m.make(ctx, t, p)
	if err != nil {
		return err
	}
	public, err := groth16.PublicInputs(p.Key.Header, w.Values)
	if err == nil {
		err = checkSatisfied(ctx, p.R1CS, w)
	}
	if changed := w.Intact(); changed != nil {
		err = changed
	}
	if err != nil {
		return errors.Join(err, w.Close())
	}
	if err := t.Set("public", public); err != nil {
		return err
	}
	return t.Set("witness", w)
}

func (m *witnessMaker) make(ctx context.Context, t *stage.Task, p *Payload) (*Witness, error) {
	if p.Wtns == "" {
		return m.compute(ctx, t, p)
	}
	file, err := wtns.OpenParallel(ctx, p.Wtns, t.Threads)
	if err != nil {
		return nil, err
	}
	w := &Witness{Curve: file.Curve, Values: file.Values, file: file}
	if err := groth16.CheckWitness(p.Key.Header, w.Curve, w.Values); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", p.Wtns, err), w.Close())
	}
	return w, nil
}

// compute runs the circuit's generator; its memory is the scratch, and the witness lies in the output's lease.
func (m *witnessMaker) compute(ctx context.Context, t *stage.Task, p *Payload) (w *Witness, err error) {
	generator, err := m.generators.Open(ctx, p.Wasm, p.Generator)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, generator.Close()) }()
	if err := m.checkSizes(ctx, t, p, generator); err != nil {
		return nil, err
	}
	inputs, _, err := binfile.OpenRegular(p.Input)
	if err != nil {
		return nil, err
	}
	defer inputs.Close()
	values := t.OutBytes("witness")
	if err := generator.Calculate(ctx, inputs, values, t.Scratch(ClassScratch)); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Input, err)
	}
	return &Witness{Curve: p.Key.Header.Curve, Values: values}, nil
}

// checkSizes says whether a generator makes witnesses for the item's key.
func (m *witnessMaker) checkSizes(ctx context.Context, t *stage.Task, p *Payload, generator *Generator) error {
	sizes, err := generator.Sizes(ctx, t.Scratch(ClassScratch))
	if err != nil {
		return fmt.Errorf("%s: %w", p.Wasm, err)
	}
	if h := p.Key.Header; sizes.Curve != h.Curve || sizes.Length != h.NVars {
		return fmt.Errorf("%w: %s makes %d values over %s, and the key is for %d over %s", ErrMismatch, p.Wasm,
			sizes.Length, sizes.Curve, h.NVars, h.Curve)
	}
	return nil
}

// checkSatisfied checks the witness against the circuit, if there is one.
func checkSatisfied(ctx context.Context, path string, w *Witness) error {
	if path == "" {
		return nil
	}
	circuit, err := r1cs.Open(ctx, path)
	if err != nil {
		return err
	}
	defer circuit.Close()
	if circuit.Curve != w.Curve {
		return fmt.Errorf("%w: %s is over %s and the witness over %s", ErrMismatch, path, circuit.Curve, w.Curve)
	}
	broken, err := groth16.FirstUnsatisfied(ctx, circuit, w.Values)
	if changed := circuit.Intact(); changed != nil {
		return changed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if broken != nil {
		return fmt.Errorf("%w: %s", ErrUnsatisfied, broken)
	}
	return nil
}
