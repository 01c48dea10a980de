"""Links what a build has made anew, for machines with an older glibc and libstdc++ than this one's: manylinux_2_28.

Objects ask for functions by name; which version of them a library asks for is said when it is linked. So the objects of
the build stay as they are, and are linked with stubs that have no newer versions:

  glibc        the stubs that ziglang makes, with its start files for programs (pip install ziglang)
  libstdc++    a stub of this machine's, of the versions that manylinux_2_28 allows; what is newer is taken from libstdc++.a.
               The library itself stays the program's: exceptions and streams go both ways. The command holds all of it
  elfutils     compiled here from Debian's source (apt-get source), since libdw.a is not for shared libraries
  the others   this machine's archives; fmt's few functions are compiled (cmake/older_glibc.cpp)

No package manager is asked to install anything; what is missing is said.

SPDX-License-Identifier: Apache-2.0
"""
import importlib.util
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys

EXTRA = pathlib.Path(__file__).resolve().parents[3] / "cmake" / "older_glibc.cpp"
GLIBC = "2.28"
TAG = "manylinux_2_28_x86_64"
NEWEST = {"GLIBCXX": (3, 4, 24), "CXXABI": (1, 3, 11)}
STUBS = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1")
TARGETS = {"libtilesim": "lib/libtilesim.so", "libtilesim_check": "lib/libtilesim_check.so", "tilesim": "bin/tilesim"}
# Of elfutils, in the order in which each needs those behind it.
ELFUTILS = ("libdw/libdw", "libdwfl/libdwfl", "libdwelf/libdwelf", "libebl/libebl", "backends/libebl_backends", "libcpu/libcpu",
            "libelf/libelf", "lib/libeu")
ELFUTILS_FOLDERS = ("lib", "libelf", "libcpu", "backends", "libebl", "libdwelf", "libdwfl", "libdw")
SOURCES = """\
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def _run(*words, **more):
    done = subprocess.run([str(w) for w in words], text=True, capture_output=True, **more)
    if done.returncode != 0:
        sys.exit(f"older_glibc: {shlex.join(str(w) for w in words)[:300]}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
    return done.stdout


def _need(program, package):
    if shutil.which(program) is None:
        sys.exit(f"older_glibc: there is no {program}: apt-get install {package}")


def _glibc(work):
    """The stubs, the part of glibc that is linked into each library, and the start files of programs."""
    if importlib.util.find_spec("ziglang") is None:
        sys.exit("older_glibc: there is no ziglang: pip install ziglang")
    cache = work / "zig"
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": str(cache), "ZIG_LOCAL_CACHE_DIR": str(cache / "local")}
    source = work / "empty.c"
    source.write_text("int main(void) { return 0; }\n")
    _run(sys.executable, "-m", "ziglang", "cc", "-target", f"x86_64-linux-gnu.{GLIBC}", "-o", work / "empty", source, "-lpthread",
         "-ldl", "-lm", "-lrt", env=environment)

    for name, ours in ((*((n, n) for n in (*STUBS, "libc_nonshared.a")), ("crt1.o", "Scrt1.o"))):
        shutil.copy(next(cache.rglob(name)), work / ours)


def _is_allowed(version):
    kind, _, number = version.partition("_")
    if re.fullmatch(r"[0-9.]+", number) is None:
        return kind == "CXXABI"
    return kind in NEWEST and tuple(map(int, number.split("."))) <= NEWEST[kind]


def _libstdcxx(work):
    """A library that has the older ones of this machine's names, and nothing behind them."""
    real = _run("g++", "-print-file-name=libstdc++.so.6").strip()
    kinds = {"FUNC": ("@function", ".text"), "IFUNC": ("@function", ".text"), "OBJECT": ("@object", ".data"),
             "TLS": ("@tls_object", '.section .tdata,"awT",@progbits')}
    lines, versions = [], set()
    for row in _run("readelf", "-W", "--dyn-syms", real).splitlines():
        words = row.split()
        found = re.fullmatch(r"(.+?)(@@?)(.+)", words[7]) if len(words) > 7 else None
        if found is None or words[6] in ("UND", "ABS") or words[3] not in kinds or not _is_allowed(found[3]):
            continue
        kind, section = kinds[words[3]]
        label = f"s{len(lines)}"
        versions.add(found[3])
        lines.append(f"{section}\n.{'weak' if words[4] == 'WEAK' else 'globl'} {label}\n.type {label}, {kind}\n"
                     f".size {label}, {int(words[2], 0)}\n{label}: .zero 1\n.symver {label}, {found[1]}{found[2]}{found[3]}, remove\n")
    (work / "libstdc++.s").write_text("".join(lines))
    (work / "libstdc++.map").write_text("".join(f"{v} {{ }};\n" for v in sorted(versions)))
    _run("gcc", "-shared", "-nostdlib", "-o", work / "libstdc++.so.6", work / "libstdc++.s", "-Wl,-soname,libstdc++.so.6",
         f"-Wl,--version-script={work / 'libstdc++.map'}")


def _elfutils(work, sources):
    """Where its archives are; compiled if they are not there."""
    if sources is None:
        folder = work / "elfutils"
        for name in ("lists/partial", "parts"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "parts" / "source.sources").write_text(SOURCES)
        options = ("-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={folder / 'parts'}", "-o",
                   f"Dir::State::lists={folder / 'lists'}")
        if not list(folder.glob("elfutils-*")):
            _run("apt-get", *options, "update")
            _run("apt-get", *options, "source", "elfutils", cwd=folder)
        sources = next(p for p in folder.glob("elfutils-*") if p.is_dir())
    sources = pathlib.Path(sources)
    if all((sources / f"{name}.a").exists() for name in ELFUTILS):
        return sources
    for program, package in (("m4", "m4"), ("flex", "flex"), ("bison", "bison"), ("gawk", "gawk")):
        _need(program, package)
    _run("./configure", "--disable-debuginfod", "--disable-libdebuginfod", "--disable-nls", "--without-bzlib", "--without-lzma",
         "--without-zstd", cwd=sources, env=os.environ | {"CFLAGS": "-O2 -fPIC -w"})
    for folder in ELFUTILS_FOLDERS:
        _run("make", "-C", sources / folder)
    return sources


def _unversioned(archive, work):
    """A copy without the names that have versions, which a library that is made of it would have to have, too."""
    copy = work / archive.name
    names = {row.split()[-1] for row in _run("nm", "--defined-only", archive).splitlines() if "@" in row}
    _run("objcopy", *(f"--strip-symbol={name}" for name in sorted(names)), archive, copy)
    return str(copy)


def _archive(library, work, is_program):
    """Of a shared library of this machine's, with what it needs behind it."""
    if "/libedit." in library and not is_program:
        return [str(work / "no_prompt.o")]
    folder = pathlib.Path(library).parent
    name = re.sub(r"\.so[.0-9]*$", "", pathlib.Path(library).name)
    found = folder / f"{name}_pic.a"
    if not found.exists():
        found = folder / f"{name}.a"
    more = {"libedit": ("libbsd.a", "libmd.a", "libtinfo.a")}.get(name, ())
    return [str(found), *(_unversioned(folder / n, work) for n in more)]


def _scripts(work):
    """What the linker looks for by -lc, -lm and -lstdc++."""
    archive = _run("g++", "-print-file-name=libstdc++.a").strip()
    own = " ".join(str(work / n) for n in ("libc_nonshared.a", "libolder.a"))
    libraries = " ".join(str(work / n) for n in STUBS if n != "libm.so.6")
    (work / "libc.so").write_text(f"GROUP ( {libraries} {own} AS_NEEDED ( /lib64/ld-linux-x86-64.so.2 ) )\n")
    (work / "libm.so").write_text(f"INPUT ( {work / 'libm.so.6'} )\n")
    (work / "libdl.so").write_text(f"INPUT ( {work / 'libdl.so.2'} )\n")
    (work / "libpthread.so").write_text(f"INPUT ( {work / 'libpthread.so.0'} )\n")
    (work / "libstdc++.so").write_text(f"GROUP ( {work / 'libstdc++.so.6'} {archive} )\n")


def _linked_anew(words, work, elfutils, output, is_program):
    """A link of the build's as it is to be made."""
    replaced = []
    for word in words:
        if re.search(r"/libdw\.so", word):
            replaced += ["-Wl,--start-group", *(str(elfutils / f"{name}.a") for name in ELFUTILS), "-Wl,--end-group", "-lz"]
        elif re.search(r"/libelf\.so|/libfmt\.so", word):
            continue
        elif re.match(r"/usr/lib/.*\.so", word):
            replaced += _archive(word, work, is_program)
        elif re.match(r"-Wl,-rpath,", word):
            replaced.append("-Wl,-rpath,$ORIGIN")
        else:
            replaced.append(word)
    place = replaced.index("-o")
    replaced[place + 1] = str(output)
    replaced += [str(work / "fmt.o"), f"-L{work}", "-Wl,-z,defs", "-Wl,-s"]
    if is_program:
        replaced[1:1] = [f"-B{work}"]
        # What libgcc_s asks for is the other machine's affair.
        replaced += ["-static-libstdc++", "-shared-libgcc", "-Wl,--allow-shlib-undefined"]
    return replaced


def relink(build, work, elfutils=None):
    """Links the build's libraries and the command; gives their places, by the names that the wheel has for them."""
    if platform.machine() != "x86_64":
        sys.exit("older_glibc: on x86-64 alone")
    work.mkdir(parents=True, exist_ok=True)
    _glibc(work)
    _libstdcxx(work)
    elfutils = _elfutils(work, elfutils)
    for name, define in (("fmt", "-DTILESIM_FMT"), ("no_prompt", "-DTILESIM_NO_PROMPT"), ("libolder", "-DTILESIM_OLDER")):
        _run("g++", "-std=c++20", "-O2", "-fPIC", "-c", define, EXTRA, "-o", work / f"{name}.o")
    (work / "libolder.a").unlink(missing_ok=True)
    _run("ar", "rcs", work / "libolder.a", work / "libolder.o")
    _scripts(work)
    made = {}
    for name, path in TARGETS.items():
        real = os.path.relpath((build / path).resolve(), build)
        command = _run("ninja", "-t", "commands", real, cwd=build).splitlines()[-1]
        words = shlex.split(re.sub(r"^: && | && :$", "", command))
        output = work / pathlib.Path(path).name
        _run(*_linked_anew(words, work, elfutils, output, name == "tilesim"), cwd=build)
        made[path] = output
    return made


def put_in_place(build, prefix, elfutils=None):
    """Over what `cmake --install` has put below `prefix`. `elfutils`: its sources, unpacked, or a folder where they were compiled."""
    for path, made in relink(build, build / "older-glibc", elfutils).items():
        name = pathlib.Path(path).name
        for installed in prefix.rglob(name + "*" if name.endswith(".so") else name):
            if installed.is_file():
                shutil.copy(made, installed)
