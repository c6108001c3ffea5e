#!/usr/bin/env bash
# How much anonymous memory proofs really take, and what a tight budget costs: `make bench-memory`.
#
#   batch    32 witnesses of a 2^18 circuit, within 256 MiB and without a limit
#   lowmem   one proof of a 2^20 circuit through lowmem.yaml within 192 MiB
#
# Needs Linux and about 1 GiB of disk under .cache. The table goes to stdout.
set -euo pipefail
cd "$(dirname "$0")/../.."

proofgraph=$PWD/bin/proofgraph
cache=$PWD/.cache/rss
mkdir -p "$cache"
go build -o "$cache/rss" ./testing/rss

# files KIND SIZE COUNT makes a circuit with a key and witnesses once.
files() {
    local dir=$cache/$1-$2
    if [[ ! -e $dir/done-$3 ]]; then
        "$proofgraph" demo --dir "$dir" --circuit "$1" --constraints "$2" --batch "$3" --memory 1GiB --quiet >&2
        rm -rf "$dir/proofs" && touch "$dir/done-$3"
    fi
    echo "$dir"
}

# prove DIR FLAGS... proves all witnesses of a folder and prints wall seconds and peak RssAnon in MiB.
prove() {
    local dir=$1 log; shift
    log=$("$cache/rss" "$proofgraph" prove --zkey "$dir"/*.zkey --out "$dir/proofs" --quiet "$@" "$dir"/*.wtns 2>&1)
    sed -nE 's/^rss: wall ([0-9.]+) s.*RssAnon ([0-9]+) KiB, peak RSS ([0-9]+) KiB$/\1 \2 \3/p' <<< "$log" |
        awk '{ printf "%s %.0f %.0f\n", $1, $2 / 1024, $3 / 1024 }'
}

row() { printf '| %s | %s | %s | %s | %s |\n' "$@"; }

row "what" "budget" "wall s" "peak RssAnon MiB" "peak RSS MiB"
row --- ---: ---: ---: ---:
for kind in ${CIRCUITS:-poseidon sha256 mul}; do
    dir=$(files "$kind" 262144 32)
    for memory in 256MiB 16GiB; do
        for pipeline in groth16 batch; do
            # shellcheck disable=SC2046
            row "32 × $kind 2^18, $pipeline" "$memory" $(prove "$dir" --memory "$memory" --pipeline "$pipeline")
        done
    done
done
for kind in ${CIRCUITS:-poseidon sha256 mul}; do
    dir=$(files "$kind" 1048576 1)
    # shellcheck disable=SC2046
    row "1 × $kind 2^20, lowmem" 192MiB $(prove "$dir" --memory 192MiB --pipeline lowmem)
done
