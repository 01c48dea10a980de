#!/usr/bin/env bash
# What action.yml runs: `tilesim check` with the inputs of the workflow's step, which it finds in the
# environment: TILESIM, FILES, OPTIONS, SARIF, HTML. Words are split at blanks; nothing is evaluated.
# SPDX-License-Identifier: Apache-2.0
set -uo pipefail
read -r -d '' -a options <<< "${OPTIONS-}"
read -r -d '' -a files <<< "${FILES-}"
if [ ${#files[@]} -eq 0 ]; then
  echo "action.sh: error: no file to check: give the input files" >&2
  status=64
else
  "$TILESIM" check "${options[@]}" --sarif="${SARIF:-tilesim.sarif}" --html="${HTML:-tilesim.html}" "${files[@]}"
  status=$?
fi
echo "status=$status" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
