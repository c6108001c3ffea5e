// Command peers holds proofgraph against others. It is a module of its own because gnark v0.15.0
// wants an older gnark-crypto than proofgraph's.
//
//	peers verify   checks snarkjs' JSON files with gnark's verifier        (verify.go)
//	peers gnark    proves .r1cs and .wtns files with gnark                 (gnark.go)
//	peers compare  times provers on the same files and prints a table      (compare.go)
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/consensys/gnark/logger"
)

// errUsage ends with exit code 2; every other error with 1.
var errUsage = errors.New("usage: peers verify|gnark|compare [flags] [arguments]; -h lists the flags")

func main() {
	logger.Disable()
	err := run(os.Args[1:])
	switch {
	case err == nil:
	case errors.Is(err, flag.ErrHelp):
	case errors.Is(err, errUsage):
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	default:
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	switch args[0] {
	case "verify":
		return runVerify(args[1:])
	case "gnark":
		return runGnark(args[1:])
	case "compare":
		return runCompare(args[1:])
	}
	return fmt.Errorf("%q: %w", args[0], errUsage)
}
