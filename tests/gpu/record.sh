#!/bin/sh
# Makes the recordings: builds every program here and in threads, and the kernels of examples/kernels, with NVIDIA's
# compiler and the recorder, and runs them on the GPU of this machine.
#
#   tests/gpu/record.sh build FOLDER [NAME...]  builds all, or those, into FOLDER; needs NVIDIA's
#                                               compiler, no GPU
#   tests/gpu/record.sh run FOLDER OUT          runs what FOLDER holds, writes OUT/*.rec and
#                                               OUT/*.txt; needs a GPU alone
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

# Of a program and of the headers beside it that it may include: says whether a recording is of
# today's text.
source_hash() {
  case $1 in
  "$here"/threads/*) cat "$1" "$here"/threads/*.hpp ;;
  "$here"/*) cat "$1" "$here"/*.hpp ;;
  *) cat "$1" "${1%/*}"/*.h ;;
  esac | sha256sum | cut -c1-16
}

# build_one SOURCE PROGRAM FLAGS
build_one() {
  # shellcheck disable=SC2086  # flags are words
  "$nvcc" $3 -diag-suppress 445 -include "$root/gpu_backend/record.hpp" \
    -DTILESIM_RECORD_SOURCE="\"$(source_hash "$1") ${1##*/}\"" \
    -DTILESIM_RECORD_FLAGS="\"$3\"" -Xcompiler -static-libstdc++ -Xlinker -s -o "$2" "$1"
}

# build_both SOURCE PROGRAM: operation by operation, and as the compiler does it unless told.
build_both() {
  build_one "$1" "$2" "$flags -fmad=false"
  build_one "$1" "$2_fmad" "$flags"
}

build() {
  nvcc=${TILESIM_NVCC:-$("$root/tilesim" toolchain path)} || {
    echo "record.sh: error: NVIDIA's compiler is missing; run ./tilesim toolchain install" >&2
    exit 69
  }
  mkdir -p "$1/kernels" "$1/threads"
  folder=$1
  shift
  for source in "$here"/*.cu "$here"/threads/*.cu "$root"/examples/kernels/*.cu; do
    program=${source##*/}
    program=${program%.cu}
    case " ${*:-$program} " in
    *" $program "*) ;;
    *) continue ;;
    esac
    echo "building $program"
    case $source in
    "$root"/examples/kernels/*) build_both "$source" "$folder/kernels/$program" ;;
    "$here"/threads/*) build_one "$source" "$folder/threads/$program" "$flags -fmad=false" ;;
    */contraction.cu) build_both "$source" "$folder/$program" ;;
    *) build_one "$source" "$folder/$program" "$flags -fmad=false" ;;
    esac
  done
}

# What the file `kept` says of a program, or the recorder's default.
kept_values() {
  found=$(sed -n "s|^${1%_fmad} ||p" "$here/kept")
  echo "${found:-16}"
}

run() {
  mkdir -p "$2/kernels" "$2/threads"
  failed=
  for program in "$1"/* "$1"/threads/* "$1"/kernels/*; do
    name=${program#"$1"/}
    case $name in
    *.* | *\** | kernels | threads) continue ;;
    esac
    kept=$(kept_values "$name")
    if [ "$kept" = printed ]; then # without the folder that it was built in
      echo "$name: prints"
      TILESIM_RECORD=/dev/null "$program" | sed "s|/[^ ]*/\\($name\\.cu\\)|\\1|g" >"$2/$name.txt"
    else
      printf '%s: ' "$name"
      TILESIM_RECORD="$2/$name.rec" TILESIM_RECORD_VALUES="${TILESIM_RECORD_VALUES:-$kept}" "$program" ||
        failed="$failed $name"
    fi
  done
  if [ -n "$failed" ]; then
    echo "record.sh: error: these programs failed:$failed" >&2
    exit 1
  fi
}

case ${1:-} in
build)
  [ $# -ge 2 ] || usage
  shift
  build "$@"
  ;;
run)
  [ $# -eq 3 ] || usage
  run "$2" "$3"
  ;;
*) usage ;;
esac
