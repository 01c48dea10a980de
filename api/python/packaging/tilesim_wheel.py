"""Makes the wheel: the Python package, and beside it what `cmake --install` gives. Makes the source distribution.

  pip install .                                                      builds build/release first
  pip install . --config-settings=build-dir=build/dev                what is built there already
  pip wheel . --config-settings=glibc=2.28                           for older machines, too [older_glibc.py]

The library is called by ctypes, so that one wheel serves each Python of a platform. No package is needed to make it.

SPDX-License-Identifier: Apache-2.0
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile

import older_glibc

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "api" / "python" / "tilesim"
TARGETS = ("tilesim", "tilesim_cli", "tilesim_check", "tilesim_vsix")
METADATA = """\
Metadata-Version: 2.1
Name: tilesim
Version: {version}
Summary: CUDA tile programs on any machine, exactly
License: Apache-2.0
Requires-Python: >=3.10
Provides-Extra: cutile
Requires-Dist: cuda-tile >=1.6, <1.8 ; extra == "cutile"
Requires-Dist: numpy ; extra == "cutile"
"""
ENTRY_POINTS = """\
[console_scripts]
tilesim = tilesim._command:main

[pytest11]
tilesim = tilesim.pytest_plugin
"""


def _version():
    return re.search(r"project\(\s*tilesim\s+VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _setting(settings, name):
    return (settings or {}).get(name)


def _is_older(settings):
    """Is it to be linked for the older glibc?"""
    wanted = _setting(settings, "glibc")
    if wanted not in (None, older_glibc.GLIBC):
        raise SystemExit(f"tilesim: glibc={wanted}: {older_glibc.GLIBC} is the one that can be linked for")
    return wanted is not None


def _tag(settings):
    return "py3-none-" + (older_glibc.TAG if _is_older(settings) else re.sub("[-.]", "_", sysconfig.get_platform()))


def get_requires_for_build_wheel(config_settings=None):
    return ["ziglang"] if _is_older(config_settings) else []


def _build(given):
    """A build's folder: the one that is named, as it is, or build/release, made or brought up to date."""
    if given:
        return pathlib.Path(os.path.abspath(ROOT / given))
    folder = ROOT / "build" / "release"
    subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", *TARGETS], cwd=ROOT, check=True)
    return folder


class _Wheel:
    def __init__(self, path, info):
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._info = info
        self._record = []

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self._record.append(f"{name},sha256={digest},{len(content)}")

    def close(self):
        self._record.append(f"{self._info}/RECORD,,")
        self._zip.writestr(f"{self._info}/RECORD", "\n".join(self._record) + "\n")
        self._zip.close()


def _add_installed(wheel, prefix):
    """Libraries under the names that programs and linkers look for: a wheel has no links."""
    for path in sorted(prefix.rglob("*")):
        name = path.relative_to(prefix).as_posix()
        is_longest = re.search(r"\.so\.\d+\.\d+", name) is not None
        if path.is_file() and not is_longest and "/python/" not in name:
            mode = 0o755 if os.access(path, os.X_OK) else 0o644
            wheel.add(f"tilesim/_installed/{name}", path.read_bytes(), mode)
    # What `tilesim run prog.py` puts into PYTHONPATH, as in every installation.
    for path in sorted((*PACKAGE.glob("*.py"), PACKAGE.parent / "sitecustomize.py")):
        name = path.relative_to(PACKAGE.parent).as_posix()
        wheel.add(f"tilesim/_installed/include/tilesim-cuda/python/{name}", path.read_bytes())


def _add_metadata(wheel, info, version, tag):
    wheel.add(f"{info}/METADATA", METADATA.format(version=version).encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tilesim\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", ENTRY_POINTS.encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    info = f"tilesim-{version}.dist-info"
    tag = _tag(config_settings)
    name = f"tilesim-{version}-{tag}.whl"
    build = _build(_setting(config_settings, "build-dir"))
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run(["cmake", "--install", str(build), "--prefix", prefix, "--strip"], check=True,
                       stdout=subprocess.DEVNULL)
        if _is_older(config_settings):
            older_glibc.put_in_place(build, pathlib.Path(prefix), _setting(config_settings, "elfutils"))
        wheel = _Wheel(pathlib.Path(wheel_directory) / name, info)
        for path in sorted(PACKAGE.glob("*.py")):
            wheel.add(f"tilesim/{path.name}", path.read_bytes())
        _add_installed(wheel, pathlib.Path(prefix))
        _add_metadata(wheel, info, version, tag)
        wheel.close()
    return name


def _sources():
    """What is under version control; of an unpacked source distribution, all that it brought."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        return sorted(name for name in listed.decode().split("\0") if name)
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
                  if path.is_file() and path.relative_to(ROOT).parts[0] not in ("build", "PKG-INFO")
                  and "__pycache__" not in path.parts)


def build_sdist(sdist_directory, config_settings=None):
    version = _version()
    top = f"tilesim-{version}"

    def entry(name, size, mode):
        info = tarfile.TarInfo(f"{top}/{name}")
        info.size, info.mode, info.mtime = size, mode, 1577836800
        return info

    with tarfile.open(pathlib.Path(sdist_directory) / f"{top}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name in _sources():
            path = ROOT / name
            content = path.read_bytes()
            tar.addfile(entry(name, len(content), 0o755 if os.access(path, os.X_OK) else 0o644), io.BytesIO(content))
        content = METADATA.format(version=version).encode()
        tar.addfile(entry("PKG-INFO", len(content), 0o644), io.BytesIO(content))
    return f"{top}.tar.gz"
