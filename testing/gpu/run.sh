#!/usr/bin/env bash
# Builds the kernel library on a GPU machine, proves it right, then times it and prints a table.
#
#   testing/gpu/run.sh               everything
#   PROOFGRAPH_GPU_TEST=path         a test binary made elsewhere by `go test -c ./testing/gpu` (no Go needed here)
#   PROOFGRAPH_CUDA_LIB=path         a library made elsewhere (no nvcc needed here)
#   TIMES="ntt:16-24,..."            what to time (see times_test.go); empty for nothing
#   SUMS="bls12-381_g1:20-24,..."    sums with bases on the device and from the host (see sums_test.go); empty for none
#   PROOFS="bls12-381:mul:18-22,..." whole proofs through every pipeline (see proofs_test.go); empty for none
#   CHECKS="short full sanitizer"    which checks to run
set -euo pipefail
cd "$(dirname "$0")/../.."

CHECKS=${CHECKS-short full sanitizer}
TIMES=${TIMES-ntt:16-26,quotient:20-24,evaluate:20-22,msm_bls12-381_g1:16-24,msm_bls12-381_g2:16-22,msm_bn254_g1:16-24,msm_bn254_g2:16-22,table_bls12-381_g1:16-24,witness_bls12-381_g1:20-24}
SUMS=${SUMS-bls12-381_g1:20-24,witness_bls12-381_g1:22}
PROOFS=${PROOFS-bls12-381:mul:18-22,bn254:mul:22,bn254:sha256:20}
export PROOFGRAPH_GPU_REQUIRED=1

nvidia-smi --query-gpu=name,driver_version,clocks.sm,memory.total --format=csv

if [ -z "${PROOFGRAPH_CUDA_LIB:-}" ]; then
  architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
  make -j"$(nproc)" -f cudabind/kernels/Makefile cuda ARCHS="${ARCHS:-$architecture}"
  export PROOFGRAPH_CUDA_LIB=$PWD/bin/libproofgraph_cuda.so
fi

if [ -z "${PROOFGRAPH_GPU_TEST:-}" ]; then
  PROOFGRAPH_GPU_TEST=$PWD/bin/gpu.test
  go test -c -o "$PROOFGRAPH_GPU_TEST" ./testing/gpu
fi

for check in $CHECKS; do
  case $check in
    short) "$PROOFGRAPH_GPU_TEST" -test.short ;;
    full) "$PROOFGRAPH_GPU_TEST" -test.timeout 8m ;;
    sanitizer)
      for tool in memcheck racecheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$PROOFGRAPH_GPU_TEST" -test.short \
          -test.run 'TestPointwise|TestTransforms/(bn254|bls12-381)/2.(5|11)$|TestQuotients/bn254/2.5|TestEvaluate/bn254/(short|a_dense)|TestFixedBase/bn254_g1|TestMSM/bn254_g1/(random|witness)|TestMSM/bls12-381_g2/witness'
      done ;;
  esac
done

if [ -n "$TIMES" ]; then
  PROOFGRAPH_GPU_TIMES=$TIMES "$PROOFGRAPH_GPU_TEST" -test.run TestTimes -test.timeout 9m
fi

if [ -n "$SUMS" ]; then
  PROOFGRAPH_GPU_SUMS=$SUMS "$PROOFGRAPH_GPU_TEST" -test.run TestStreamedSum -test.timeout 9m
fi

if [ -n "$PROOFS" ]; then
  PROOFGRAPH_GPU_PROOFS=$PROOFS "$PROOFGRAPH_GPU_TEST" -test.run TestProofs -test.timeout 20m
fi
