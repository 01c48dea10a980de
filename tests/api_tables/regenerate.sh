#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints every API table anew with NVIDIA's compiler and compares them with expected/.
#
#   regenerate.sh NVCC OUTDIR [TABLE...]
#
# Leaves OUTDIR/<table>.txt, shows the first lines of every difference, and ends with status 1 if there is any.
# To accept the new text: cp OUTDIR/*.txt expected/
set -u
if [ $# -lt 2 ]; then
    sed -n '3,9s/^# \{0,1\}//p' "$0"
    exit 64
fi
here=$(cd "$(dirname "$0")" && pwd)
nvcc=$1 out=$2
shift 2
mkdir -p "$out" || exit 1

tables=("$@")
if [ ${#tables[@]} -eq 0 ]; then
    for source in "$here"/*.cu; do tables+=("$(basename "$source" .cu)"); done
fi

status=0
for table in "${tables[@]}"; do
    started=$SECONDS
    if ! "$nvcc" --enable-tile -std=c++20 -arch=sm_90 "$here/$table.cu" -o "$out/$table" >"$out/$table.log" 2>&1; then
        head -n 20 "$out/$table.log"
        echo "$table: does not compile, see $out/$table.log"
        status=1
        continue
    fi
    if ! "$out/$table" >"$out/$table.txt"; then
        echo "$table: the program itself failed"
        status=1
        continue
    fi
    if diff -u "$here/expected/$table.txt" "$out/$table.txt" >"$out/$table.diff"; then
        verdict=same
    else
        verdict=DIFFERS
        status=1
        head -n 40 "$out/$table.diff"
    fi
    echo "$table: $(grep -vc '^#' "$out/$table.txt") rows, $((SECONDS - started)) s, $verdict"
done
exit $status
