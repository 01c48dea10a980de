#!/bin/sh
# Makes the recordings: builds every program here with NVIDIA's compiler and the recorder, and runs
# it on the GPU of this machine.
#
#   tests/gpu/record.sh build FOLDER   builds into FOLDER; needs NVIDIA's compiler, no GPU
#   tests/gpu/record.sh run FOLDER OUT runs what FOLDER holds, writes OUT/*.rec; needs a GPU alone
#
# The compiler is $TILESIM_NVCC, or the one that `tilesim toolchain install` brought. Exit status: 0;
# 64 for a wrong command line, 69 when the compiler is missing, 1 when a program fails.
# SPDX-License-Identifier: Apache-2.0
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
flags='--enable-tile -std=c++20 -arch=sm_90 -O3'

usage() {
  sed -n 's/^#   //p' "$0" >&2
  exit 64
}

# Of a program and of the headers here that it may include: says whether a recording is of today's
# text.
source_hash() {
  cat "$1" "$here"/*.hpp | sha256sum | cut -c1-16
}

# build_one SOURCE PROGRAM FLAGS
build_one() {
  # shellcheck disable=SC2086  # flags are words
  "$nvcc" $3 -diag-suppress 445 -include "$root/gpu_backend/record.hpp" \
    -DTILESIM_RECORD_SOURCE="\"$(source_hash "$1") ${1##*/}\"" \
    -DTILESIM_RECORD_FLAGS="\"$3\"" -Xcompiler -static-libstdc++ -o "$2" "$1"
}

build() {
  nvcc=${TILESIM_NVCC:-$("$root/tilesim" toolchain path)} || {
    echo "record.sh: error: NVIDIA's compiler is missing; run ./tilesim toolchain install" >&2
    exit 69
  }
  mkdir -p "$1"
  for source in "$here"/*.cu; do
    program=${source##*/}
    program=${program%.cu}
    echo "building $program"
    build_one "$source" "$1/$program" "$flags -fmad=false"
  done
  # What the compiler does when it is not told otherwise.
  build_one "$here/contraction.cu" "$1/contraction_fmad" "$flags"
}

run() {
  mkdir -p "$2"
  for program in "$1"/*; do
    name=${program##*/}
    case $name in
    *.*) continue ;;
    # Compared within a bound, not by hash: every value is kept.
    arithmetic_approximate) values=all ;;
    *) values=16 ;;
    esac
    printf '%s: ' "$name"
    TILESIM_RECORD="$2/$name.rec" TILESIM_RECORD_VALUES="${TILESIM_RECORD_VALUES:-$values}" "$program"
  done
}

case ${1:-} in
build) [ $# -eq 2 ] || usage && build "$2" ;;
run) [ $# -eq 3 ] || usage && run "$2" "$3" ;;
*) usage ;;
esac
