#!/usr/bin/env bash
# Installs NVIDIA's compiler from pip into .cache/nvcc and compiles the kernel library for one architecture (CI has
# neither a GPU nor CUDA). Prints the library's path.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [ ! -x .cache/nvcc/bin/python ]; then
  python3 -m venv .cache/nvcc
  .cache/nvcc/bin/pip install --quiet 'nvidia-cuda-nvcc==13.0.*' 'nvidia-cuda-crt==13.0.*' 'nvidia-nvvm==13.0.*' \
    'nvidia-cuda-runtime==13.0.*' 'nvidia-cuda-cccl==13.0.*'
fi
nvcc=$(echo "$PWD"/.cache/nvcc/lib/python*/site-packages/nvidia/cu13/bin/nvcc)
lib=$(dirname "$nvcc")/../lib
make -j"$(nproc)" -f cudabind/kernels/Makefile cuda NVCC="$nvcc -L$lib" ARCHS="${ARCHS:-90}" >&2
echo "$PWD/bin/libproofgraph_cuda.so"
