#!/usr/bin/env bash
# Runs a command with libcu++'s headers in the search path; status 77 where there are none.
#
#   run.sh NVCC COMMAND...      NVCC, or TILESIM_NVCC, or `tilesim toolchain path`, has them beside it; TILESIM_CCCL names them
#
# SPDX-License-Identifier: Apache-2.0
set -u
nvcc=${1:-${TILESIM_NVCC:-}}
shift
[ -n "$nvcc" ] || nvcc=$("$1" toolchain path 2>/dev/null)
root=
[ -n "$nvcc" ] && root=$(dirname "$(dirname "$nvcc")")
for folder in "${TILESIM_CCCL:-}" "$root/include/cccl" "$root/include" /usr/local/cuda/include/cccl; do
    if [ -e "$folder/cuda/std/algorithm" ]; then # older ones lack some of headers.h
        exec "$@" -I "$folder"
    fi
done
echo "skipped: no headers of libcu++ as new as 13.4's (set TILESIM_CCCL to the folder that has cuda/std/algorithm)"
exit 77
