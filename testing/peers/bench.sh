#!/usr/bin/env bash
# proofgraph beside gnark, snarkjs and, where RAPIDSNARK names its prover, rapidsnark: the same
# circuits, keys and witnesses, whole processes, in turns. Prints a Markdown table; docs/peers.md
# says how to read it.
#
#   SIZES=16,18,20 CIRCUITS=poseidon,sha256,mul CURVE=bn254 ROUNDS=5 RAPIDSNARK=path testing/peers/bench.sh
#
# Circuits and keys stay in .cache/peers (or PEERS_CACHE): about 2 GB for each circuit of 2^20.
set -euo pipefail
shopt -s inherit_errexit

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cache=${PEERS_CACHE:-$root/.cache/peers}
build=$root/.build/peers
curve=${CURVE:-bn254}
IFS=, read -ra sizes <<< "${SIZES:-16,18,20}"
IFS=, read -ra kinds <<< "${CIRCUITS:-poseidon,sha256,mul}"
mkdir -p "$cache" "$build"

(cd "$root" && go build -o "$build/makecircuit" ./proving/circuits/makecircuit)
(cd "$here" && go build -o "$build/peers" .)
proofgraph=${PROOFGRAPH:-$build/proofgraph}
[[ -n ${PROOFGRAPH:-} ]] || (cd "$root" && go build -o "$proofgraph" ./cmd/proofgraph)

# snarkjs is the interop suite's, where npm is to be had.
snarkjs=$root/.build/interop/node_modules/snarkjs/build/cli.cjs
if [[ ! -f $snarkjs ]] && command -v npm > /dev/null; then
    mkdir -p "$root/.build/interop"
    cp "$root"/testing/interop/{package.json,package-lock.json,.npmrc} "$root/.build/interop"
    (cd "$root/.build/interop" && npm ci >&2)
fi
[[ -f $snarkjs ]] || snarkjs=

rapidsnark=${RAPIDSNARK:-}
[[ $curve == bn254 ]] || rapidsnark= # it knows no other curve

# circuit KIND SIZE prints the folder of a circuit with its witnesses and a development key.
circuit() {
    local dir=$cache/$curve/$1-$2
    if [[ ! -s $dir/vkey.json ]]; then
        "$build/makecircuit" -kind "$1" -curve "$curve" -log "$2" -witnesses 8 -out "$dir"
        "$proofgraph" setup --quiet --r1cs "$dir/circuit.r1cs" --out "$dir"
        mv "$dir/circuit.insecure.zkey" "$dir/key.insecure.zkey"
        mv "$dir/circuit.insecure.vkey.json" "$dir/vkey.json"
    fi >&2
    echo "$dir"
}

for size in "${sizes[@]}"; do
    for kind in "${kinds[@]}"; do dirs+=("$(circuit "$kind" "$size")"); done
done
"$build/peers" compare -proofgraph "$proofgraph" -rapidsnark "$rapidsnark" -snarkjs "$snarkjs" \
    -rounds "${ROUNDS:-5}" -snarkjs-rounds "${SNARKJS_ROUNDS:-1}" "${dirs[@]}"
