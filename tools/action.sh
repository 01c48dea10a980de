#!/usr/bin/env bash
# What action.yml runs, a step each:
#
#   action.sh key      prints what a kept build of tilesim depends on besides the processor: its sources, and the system
#   action.sh build    installs the packages that tilesim needs, and builds it unless a kept build is current
#   action.sh check    `tilesim check` with the inputs of the workflow's step
#
# The inputs are in the environment: TILESIM (the launcher), and of `check` FILES, OPTIONS, SARIF, HTML. Words are split at
# blanks; nothing is evaluated.
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail

# GitHub's hashFiles() sees the user's files only; a runner's name ("Linux") does not tell two releases of Ubuntu apart, whose
# libraries are others.
key() {
  cd "$(dirname "$TILESIM")" || exit 69
  { cat /etc/os-release && find api cmake gpu_backend memmodel sim tools CMakeLists.txt CMakePresets.json tilesim -type f -print0 |
    LC_ALL=C sort -z | xargs -0 cat; } | sha256sum | cut -c1-32
}

# On a new machine a kept build is current, but its libraries are not installed: without the stamp the launcher looks.
build() {
  rm -f "$(dirname "$TILESIM")/build/release/.stamp"
  "$TILESIM" --version
}

check() {
  read -r -d '' -a options <<< "${OPTIONS-}"
  read -r -d '' -a files <<< "${FILES-}"
  if [ ${#files[@]} -eq 0 ]; then
    echo "action.sh: error: no file to check: give the input files" >&2
    status=64
  else
    # Of a file that does not compile there is no page, and none of an earlier check is to pass for it.
    for report in "${SARIF:-tilesim.sarif}" "${HTML:-tilesim.html}"; do
      [ ! -f "$report" ] || rm -- "$report"
    done
    "$TILESIM" check "${options[@]}" --sarif="${SARIF:-tilesim.sarif}" --html="${HTML:-tilesim.html}" "${files[@]}"
    status=$?
  fi
  echo "status=$status" >> "${GITHUB_OUTPUT:-/dev/null}"
  exit "$status"
}

case ${1-} in
key | build | check) "$1" ;;
*)
  echo "action.sh: error: '${1-}': give key, build or check" >&2
  exit 64
  ;;
esac
