#!/usr/bin/env bash
# Runs the tests for aarch64 on an x86-64 machine: a cross compiler, Debian's libraries for aarch64 in a folder, and QEMU.
#
#   tests/scripts/aarch64.sh              prepares the machine, builds the preset aarch64, runs the tests with the label aarch64
#   tests/scripts/aarch64.sh --prepare    prepares alone
#   tests/scripts/aarch64.sh COMMAND…     runs a command as the tests are run, after it: build/aarch64/bin/tilesim run file.cu
#
# On Debian 12 or later, as root: it installs packages and registers QEMU with the kernel (binfmt_misc), which then runs
# whatever is compiled for aarch64. tilesim itself, emulated, starts the cross compiler, which is not.
# Everything lies in build/aarch64-sysroot and build/aarch64.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../.."
sysroot=$PWD/build/aarch64-sysroot
interpreter=$sysroot/qemu-aarch64
register=/proc/sys/fs/binfmt_misc

say() {
  printf 'aarch64.sh: %s\n' "$*" >&2
}

install_packages() {
  local missing=() package
  for package in g++-aarch64-linux-gnu mmdebstrap debian-archive-keyring; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null | grep -q '^installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  apt-get update
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# Debian 12's packages, unpacked, whose compiler is the cross compiler's version there. Links that name a file from the
# root are made to name it from where they lie.
unpack_libraries() {
  [ -e "$sysroot/.done" ] && return
  rm -rf "$sysroot"
  mkdir -p build
  mmdebstrap --variant=extract --architectures=arm64 --hook-dir=/usr/share/mmdebstrap/hooks/merged-usr \
    --include="libc6-dev,libstdc++-$(aarch64-linux-gnu-g++ -dumpversion)-dev,libboost-context-dev,libfmt-dev,libcli11-dev,
      nlohmann-json3-dev,libdw-dev,libffi-dev,libxxhash-dev,libzstd-dev,libedit-dev,catch2,libmpfr-dev" \
    "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$sysroot"
  find "$sysroot/usr/lib" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$sysroot$(readlink "$link")")" "$link"
  done
  unpack_qemu
  touch "$sysroot/.done"
}

# Before its version 8, QEMU keeps 16 bytes for every page that a program reserves: 16 GiB for the simulator's 4 TiB.
unpack_qemu() {
  local folder
  folder=$(mktemp -d)
  mmdebstrap --variant=extract --include=qemu-user-static trixie "$folder/root" http://deb.debian.org/debian
  cp "$folder/root/usr/bin/qemu-aarch64-static" "$interpreter"
  rm -rf "$folder"
}

# So that the kernel runs programs for aarch64, and a child of an emulated program is emulated as well.
register_qemu() {
  [ -e $register/register ] || mount -t binfmt_misc binfmt_misc $register
  local entry
  for entry in "$register"/*; do
    grep -q '^magic 7f454c460201010000000000000000000200b700' "$entry" 2> /dev/null || continue
    grep -qx "interpreter $interpreter" "$entry" && return
    say "error: ${entry##*/} of binfmt_misc runs programs for aarch64 with another QEMU; to remove it:"
    printf '  echo -1 > %s\n' "$entry" >&2
    exit 69
  done
  printf '%s' ':tilesim-aarch64:M::\x7f\x45\x4c\x46\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$interpreter:F" > $register/register
}

if [ "$(id -u)" != 0 ]; then
  say "error: it installs packages and registers QEMU with the kernel: run it as root"
  exit 69
fi
install_packages
unpack_libraries
register_qemu
[ "${1-}" = --prepare ] && exit

# Where QEMU finds the libraries, for programs that the kernel starts, and what tilesim compiles with.
export QEMU_LD_PREFIX=$sysroot
# Room for a kernel's frame: an emulated stack does not grow.
export QEMU_STACK_SIZE=$((256 << 20))
export CXX="aarch64-linux-gnu-g++ --sysroot=$sysroot"
[ $# -eq 0 ] || exec "$@"
cmake --preset aarch64
cmake --build --preset aarch64
ctest --preset aarch64
