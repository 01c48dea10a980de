#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds one API table, runs it and compares what it prints with the expected text.
#
#   check_table.sh native TABLE.cu EXPECTED.txt WORKDIR [NVCC]     with NVIDIA's compiler; status 77 if there is none
#   check_table.sh host   TABLE.cu EXPECTED.txt WORKDIR COMPILER [ARGUMENT...]
#   check_table.sh diff   EXPECTED.txt PRINTED.txt                 only compares
#
# Status 0: the same text. 1: it differs, or the table does not compile.
set -u

# The first differing lines with both sides, then the counts.
compare() {
    local expected=$1 printed=$2 shown=40
    cmp -s "$expected" "$printed" && return 0
    diff --old-line-format='%5dn expected: %L' --new-line-format='%5dn printed:  %L' --unchanged-line-format='' \
        "$expected" "$printed" | awk -v shown="$shown" -v name="$(basename "$expected" .txt)" '
        NR <= shown { print }
        $2 == "expected:" { missing++ }
        $2 == "printed:" { extra++ }
        END {
            if (NR > shown) print "  ... and " NR - shown " more"
            print name ": " missing + 0 " expected rows are not printed, " extra + 0 " printed rows are not expected"
        }'
    return 1
}

# The compiler given, or TILESIM_NVCC, or the one that `tilesim toolchain` installed.
find_nvcc() {
    local candidate=${1:-${TILESIM_NVCC:-}}
    if [ -z "$candidate" ] && command -v tilesim >/dev/null; then
        candidate=$(tilesim toolchain path 2>/dev/null)
        [ -d "$candidate" ] && candidate=$candidate/bin/nvcc
    fi
    [ -n "$candidate" ] && command -v "$candidate"
}

mode=$1
shift
if [ "$mode" = diff ]; then
    compare "$1" "$2"
    exit
fi

source=$1 expected=$2 work=$3
shift 3
name=$(basename "$source" .cu)
mkdir -p "$work" || exit 1
if [ "$mode" = native ]; then
    if ! nvcc=$(find_nvcc "${1:-}"); then
        echo "skipped: no NVIDIA compiler (set TILESIM_NVCC, or run 'tilesim toolchain install')"
        exit 77
    fi
    build=("$nvcc" --enable-tile -std=c++20 -arch=sm_90 "$source" -o "$work/$name")
else
    build=("$1" -x c++ "$source" -x none "${@:2}" -o "$work/$name")
fi

if ! "${build[@]}" >"$work/$name.log" 2>&1; then
    grep -m 20 -E 'error|undefined' "$work/$name.log" || head -n 40 "$work/$name.log"
    echo "$name: does not compile, see $work/$name.log; the command was"
    printf '%q ' "${build[@]}"
    echo
    exit 1
fi
"$work/$name" >"$work/$name.txt" || { echo "$name: the program itself failed"; exit 1; }
compare "$expected" "$work/$name.txt"
