#!/usr/bin/env bash
# The interop suite: proofgraph against circom, snarkjs, gnark and keys of real ceremonies.
#
#   testing/interop/run.sh [go test flags]
#
# Needs node, npm and Go. PROOFGRAPH names the binary to test (built when unset). Circuits are
# compiled into .build/interop; the powers of tau and the keys that snarkjs makes from them, the
# slow part, stay in .cache/interop (or INTEROP_CACHE), named by what they were made from.
set -euo pipefail
shopt -s inherit_errexit

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$root/.build/interop
cache=${INTEROP_CACHE:-$root/.cache/interop}
power=10 # of tau: domains up to 2^10, the largest that snarkjs prepares in a minute
mkdir -p "$work" "$cache"

snarkjs() { node "$work/node_modules/snarkjs/build/cli.cjs" "$@"; }
circom() { node "$work/node_modules/circom2/cli.js" "$@"; }

# install brings the npm packages of package-lock.json, unless that very list is there.
install() {
    cmp -s "$here/package-lock.json" "$work/installed.json" && return
    cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$work"
    (cd "$work" && npm ci)
    cp "$here/package-lock.json" "$work/installed.json"
}

# sources lays circomlib beside the circuits: circom2 runs in a sandbox and sees no other folder.
sources() {
    rm -rf "$work/circuits" && mkdir -p "$work/circuits"
    cp "$here"/circuits/* "$work/circuits"
    mkdir "$work/circuits/circomlib"
    cp -r "$work/node_modules/circomlib/circuits" "$work/circuits/circomlib"
}

# tau CURVE prints the path of a prepared powers-of-tau file.
tau() {
    local curve=$1 file=$cache/$1-$power.ptau
    if [[ ! -s $file ]]; then
        local draft; draft=$(mktemp -d "$cache/tau.XXXXXX")
        snarkjs powersoftau new "$curve" $power "$draft/0"
        snarkjs powersoftau contribute "$draft/0" "$draft/1" -e="$(od -An -N32 -tx1 /dev/urandom)"
        snarkjs powersoftau prepare phase2 "$draft/1" "$draft/2"
        mv "$draft/2" "$file" && rm -r "$draft"
    fi >&2
    echo "$file"
}

# compile CURVE NAME leaves NAME.r1cs, NAME.wasm and a witness for each input.
compile() {
    local curve=$1 name=$2 out=$work/$1/$2 input
    rm -rf "$out" && mkdir -p "$out"
    (cd "$work/circuits" && circom "$name.circom" --O1 --r1cs --wasm -p "$curve" -o "../$curve/$name")
    mv "$out/${name}_js/$name.wasm" "$out/circuit.wasm"
    mv "$out/$name.r1cs" "$out/circuit.r1cs"
    for input in "$here/circuits/$name".*.json; do
        local number=${input%.json}; number=${number##*.}
        cp "$input" "$out/$number.json"
        snarkjs wtns calculate "$out/circuit.wasm" "$input" "$out/$number.wtns"
    done
}

# key CURVE NAME leaves key.zkey and vkey.json, made by snarkjs with one contribution.
key() {
    local curve=$1 out=$work/$1/$2 ptau made
    ptau=$(tau "$curve")
    made=$cache/$curve-$2-$(cat "$out/circuit.r1cs" "$ptau" | sha256sum | cut -c1-16).zkey
    if [[ ! -s $made ]]; then
        snarkjs groth16 setup "$out/circuit.r1cs" "$ptau" "$out/0.zkey"
        snarkjs zkey contribute "$out/0.zkey" "$out/1.zkey" -e="$(od -An -N32 -tx1 /dev/urandom)"
        mv "$out/1.zkey" "$made" && rm "$out/0.zkey"
    fi
    ln -f "$made" "$out/key.zkey" || cp "$made" "$out/key.zkey"
    snarkjs zkey export verificationkey "$out/key.zkey" "$out/vkey.json"
}

# prepare CURVE makes all that the tests of a curve need. sha256 is beyond the powers of tau: its
# key is proofgraph's own, made by the tests.
prepare() {
    local curve=$1 name
    for name in multiplier poseidon nested outputs sha256; do compile "$curve" "$name"; done
    for name in multiplier poseidon nested outputs; do key "$curve" "$name"; done
}

install
sources
for curve in bn128 bls12381; do
    prepare $curve > "$work/$curve.log" 2>&1 & pids+=($!)
done
for pid in "${pids[@]}"; do
    wait "$pid" || { tail -n 30 "$work"/*.log >&2; exit 1; }
done

if [[ -z ${PROOFGRAPH:-} ]]; then
    (cd "$root" && go build -o "$work/proofgraph" ./cmd/proofgraph)
    PROOFGRAPH=$work/proofgraph
fi
(cd "$root/testing/peers" && go build -o "$work/peers" .)

export PROOFGRAPH INTEROP_WORK=$work PEERS=$work/peers
cd "$root"
go test -tags interop -count=1 -timeout 20m "$@" ./testing/interop/...
