#!/bin/sh
# Builds a commit and the work tree, release preset, and prints how every figure has changed.
#
# usage: bench/compare.sh COMMIT [bench/compare.py's options]
#
# The builds stay in build/compare/{before,now} for the next time.
# SPDX-License-Identifier: Apache-2.0
set -e
if [ $# -lt 1 ] || [ "$1" = --help ]; then
  sed -n '2,6s/^# \{0,1\}//p' "$0"
  exit 64
fi
root=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$root" rev-parse --verify "$1^{commit}")
shift
mkdir -p "$root/build/compare"
tree=$root/build/compare/tree
git -C "$root" worktree prune
if [ -e "$tree" ]; then
  git -C "$tree" checkout -q --detach "$commit"
else
  git -C "$root" worktree add -q --detach "$tree" "$commit"
fi
for side in before now; do
  source=$root
  [ $side = before ] && source=$tree
  echo "building $side ($(git -C "$source" rev-parse --short HEAD)) …" >&2
  # Each build directory has a tree of its own: presets name build/release below it.
  cmake -S "$source" --preset release -DTILESIM_BUILD_TESTS=ON -DTILESIM_BUILD_BENCH=ON -B "$root/build/compare/$side" > "$root/build/compare/$side.log" 2>&1 \
    && cmake --build "$root/build/compare/$side" --target tilesim_cli tilesim ops_bench runs_bench explore_bench >> "$root/build/compare/$side.log" 2>&1 || {
    echo "bench/compare.sh: error: $side does not build; see $root/build/compare/$side.log" >&2
    exit 69
  }
done
exec python3 "$root/bench/compare.py" "$root/build/compare/before" "$root/build/compare/now" "$@"
