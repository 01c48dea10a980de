#!/bin/sh
# Makes the recordings of launches (docs/recording.md): builds the programs with `tilesim gpu build`, and runs
# them on the GPU of another machine.
#
#   tests/gpu/record_launches.sh build FOLDER [GROUP...]  builds all groups, or those, into FOLDER, and packs it
#                                                         into FOLDER.tar.xz; needs NVIDIA's compiler, no GPU
#   tests/gpu/record_launches.sh run FOLDER.tar.xz OUT    runs what it holds, writes OUT/GROUP.tar.xz and OUT/log;
#                                                         needs a GPU, sh, tar and xz alone
#   tests/gpu/record_launches.sh take OUT                 here again: puts the recordings in their places
#
# Groups: examples, kernels, simt (examples/simt), threads (tests/simt), defects, operations (the programs of tests/gpu),
# thread_operations (those of tests/gpu/threads), random (50 programs of tilesim fuzz, ten to a source), recorder (tests/gpu/device), bench.
# $TILESIM is the tilesim that builds, build/dev/bin/tilesim unless set. A program may take
# $TILESIM_RECORD_SECONDS (60). Exit status: 0; 64 for a wrong command line, 69 when something is missing, 1 when a
# program fails.
# SPDX-License-Identifier: Apache-2.0
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
tilesim=${TILESIM:-$root/build/dev/bin/tilesim}
groups='examples kernels simt threads defects operations thread_operations random recorder bench'

usage() {
  sed -n 's/^#   //p' "$0" >&2
  exit 64
}

# The sources of a group.
sources() {
  case $1 in
  examples) ls "$root"/examples/*.cu ;;
  kernels) ls "$root"/examples/kernels/*.cu ;;
  simt) ls "$root"/examples/simt/*.cu ;;
  threads) ls "$root"/tests/simt/*.cu ;;
  defects) ls "$here"/defects/*.cu ;;
  operations) ls "$here"/*.cu ;;
  thread_operations) ls "$here"/threads/*.cu ;;
  recorder) ls "$here"/device/*.cu ;;
  bench) ls "$root"/bench/programs/recorded.cu ;;
  random)
    "$tilesim" fuzz --seed 50000 --count 50 --per-file 10 -o "$folder/random.sources" >/dev/null
    ls "$folder"/random.sources/*.cu
    ;;
  *) usage ;;
  esac
}

build() {
  [ -x "$tilesim" ] || {
    echo "record_launches.sh: error: there is no $tilesim; build it, or set TILESIM" >&2
    exit 69
  }
  folder=$1
  shift
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  cd "$root" # sources are named from here in recordings
  for group in ${*:-$groups}; do
    mkdir -p "$folder/$group"
    for source in $(sources "$group"); do
      name=${source##*/}
      name=${name%.cu}
      echo "building $group/$name"
      "$tilesim" gpu build -O3 -fmad=false -diag-suppress 445 "${source#"$root"/}" -o "$folder/$group/$name"
    done
    rm -rf "$folder/random.sources"
    if [ "$group" = bench ]; then
      nvcc=${TILESIM_NVCC:-$("$tilesim" toolchain path)}
      "$nvcc" -std=c++20 -arch=sm_90 -O3 -Xcompiler -static-libstdc++ bench/programs/recorded.cu -o "$folder/bench/plain"
      cp bench/gpu.py "$folder/bench/gpu.py"
    fi
  done
  tar -C "$folder" -cf - . | xz -T0 -6 >"$folder.tar.xz"
  ls -l "$folder.tar.xz"
}

# run_one GROUP PROGRAM: into the group's folder of recordings.
run_one() {
  status=0
  TILESIM_RECORD="$out/$1/$2.rec" timeout "${TILESIM_RECORD_SECONDS:-60}" "$work/$1/$2" >"$out/$1/$2.txt" 2>&1 || status=$?
  size=$(wc -c <"$out/$1/$2.rec" 2>/dev/null || echo none)
  echo "$1/$2: status $status, recording $size bytes"
}

run() {
  archive=$1
  mkdir -p "$2"
  out=$(cd "$2" && pwd)
  work=$(mktemp -d)
  xz -dc "$archive" | tar -C "$work" -xf -
  {
    nvidia-smi -L 2>&1 || true
    for group in $groups; do
      [ -d "$work/$group" ] || continue
      mkdir -p "$out/$group"
      case $group in
      bench) # plain and recorded, timed
        python3 "$work/bench/gpu.py" run "$work/bench" || echo "bench: status $?"
        continue
        ;;
      recorder) # the same lines with and without the recorder's file being wanted, several times
        for program in "$work/$group"/*; do
          run_one "$group" "${program##*/}"
          TILESIM_RECORD_RUNS=3 run_one_again "$group" "${program##*/}"
        done
        ;;
      *)
        for program in "$work/$group"/*; do
          run_one "$group" "${program##*/}"
        done
        ;;
      esac
      tar -C "$out" -cf - "$group" | xz -T0 -6 >"$out/$group.tar.xz"
      rm -rf "${out:?}/$group"
    done
  } 2>&1 | tee "$out/log"
  rm -rf "$work"
}

# The same program, three runs in one recording.
run_one_again() {
  cp "$work/$1/$2" "$work/$1/$2-3"
  run_one "$1" "$2-3"
  rm "$work/$1/$2-3"
}

# take_operations FOLDER SOURCES TO: compact, with the content of what is not the same under the arithmetic that it agrees
# under; of programs whose output is the recording, that.
take_operations() {
  for recording in "$1"/*.rec; do
    name=${recording##*/}
    name=${name%.rec}
    if [ -f "$3/$name.txt" ]; then
      sed "s|[^ ]*/\\($name\\.cu\\)|\\1|g" "$1/$name.txt" >"$3/$name.txt"
      continue
    fi
    arith=page
    if grep -q "^recorded($name hardware" "$here/CMakeLists.txt"; then
      arith=hardware
    fi
    "$tilesim" diff -O0 --arith "$arith" "$2/$name.cu" --against "$recording" --json "$1/$name.json" | tail -1
    "$tilesim" gpu compact "$recording" --keep "$1/$name.json" -o "$3/$name.rec"
  done
}

take() {
  for group in $groups; do
    [ -f "$1/$group.tar.xz" ] || continue
    case $group in
    examples | kernels | threads) to=$here/recordings/launches ;;
    simt | random) to=$here/recordings/launches/$group ;;
    defects) to=$here/defects/recordings ;;
    operations | thread_operations) to=$here/recordings ;;
    *) to=$1/$group ;;
    esac
    mkdir -p "$to"
    work=$(mktemp -d)
    xz -dc "$1/$group.tar.xz" | tar -C "$work" -xf -
    case $group in
    operations) take_operations "$work/$group" "$here" "$to" ;;
    thread_operations) take_operations "$work/$group" "$here/threads" "$to/threads" ;;
    esac
    for recording in "$work/$group"/*.rec; do
      "$tilesim" gpu show "$recording" >/dev/null || exit 1
      case $group in *operations) ;; *) cp "$recording" "$to/" ;; esac
    done
    echo "$group: $(find "$work/$group" -name '*.rec' | wc -l) recordings in $to"
    rm -rf "$work"
  done
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
take)
  [ $# -eq 2 ] || usage
  take "$2"
  ;;
*) usage ;;
esac
