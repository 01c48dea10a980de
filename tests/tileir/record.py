#!/usr/bin/env python3
"""Records bytecode of our own programs, and its text by NVIDIA's disassembler, in recorded/ and text/.

    python3 tests/tileir/record.py TOOLCHAIN [cuda]

TOOLCHAIN is the folder of nvcc and tileirdisasm (dirname $(tilesim toolchain path)); needs cuda-tile 1.7 for the
Python kernels (kernels.py), nvcc for the C++ ones. Folders of the machine are taken out of the files.

SPDX-License-Identifier: Apache-2.0
"""
import linecache
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDED = HERE / "recorded"
STRING, TABLES = 1, (1, 2, 3, 4, 5)


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def as_varint(value):
    out = bytearray()
    while True:
        out.append(value & 0x7F | (0x80 if value > 0x7F else 0))
        value >>= 7
        if not value:
            return bytes(out)


def shorter(text):
    """Without the folders of the machine: those of the project's files from its top, others by their name."""
    text = text.replace(str(ROOT) + "/", "")
    text = re.sub(r"^/\S*/site-packages(?=/)", "site-packages", text)
    return re.sub(r"^(/|site-packages)\S*/include(?=/|$)", "include", text)


def without_folders(data):
    out = bytearray(data[:12])
    at = 12
    while data[at]:
        ident, aligned = data[at] & 0x7F, data[at] & 0x80
        length, at = varint(data, at + 1)
        alignment = 1
        if aligned:
            alignment, at = varint(data, at)
            at += -at % alignment
        payload = data[at:at + length]
        at += length
        if ident == STRING:
            count, p = varint(payload, 0)
            p += -p % 4
            begins = [int.from_bytes(payload[p + 4 * i:p + 4 * i + 4], "little") for i in range(count)]
            body = payload[p + 4 * count:]
            texts = [shorter(body[b:e].decode()).encode() for b, e in zip(begins, begins[1:] + [len(body)])]
            head = as_varint(count)
            head += b"\xCB" * (-len(head) % 4)
            offset = 0
            for text in texts:
                head += offset.to_bytes(4, "little")
                offset += len(text)
            payload = head + b"".join(texts)
        out.append(ident | aligned)
        out += as_varint(len(payload))
        if aligned:
            out += as_varint(alignment)
            out += b"\xCB" * (-len(out) % alignment)
        out += payload
    return bytes(out) + b"\0"


def keep(name, data, disassembler):
    file = RECORDED / f"{name}.tilebc"
    file.write_bytes(without_folders(data))
    shown = subprocess.run([disassembler, file], capture_output=True, text=True)
    if shown.returncode == 0:
        (HERE / "text" / f"{name}.txt").write_text(shown.stdout)
    else:
        print(f"{file.name}: no text: {shown.stderr.splitlines()[0]}")


UNORDERED = ("in_turn", "message")  # recorded without tokens, too


def python_kernels(disassembler):
    import cuda.tile._compile as compiler
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel
    # The kernels' places are those of the project's folder, wherever it lies.
    name = "tests/tileir/kernels.py"
    text = (HERE / "kernels.py").read_text()
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"__name__": "kernels"}
    exec(compile(text, name, "exec"), scope)
    with tempfile.NamedTemporaryFile() as to:
        for kernel, signature in scope["kernels"]:
            function = kernel._annotated_function.pyfunc.__name__
            versions = ["13.4"] if function != "vector_add" else ["13.1", "13.2", "13.3", "13.4"]
            versions += ["13.1"] if function in ("control", "softmax", "matmul") else []
            versions += ["unordered"] if function in UNORDERED else []
            for variant in versions:
                compiler.CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER = variant == "unordered"
                version = "13.4" if variant == "unordered" else variant
                code = "sm_90" if version < "13.3" else None
                export_kernel(kernel, [KernelSignature(signature, CallingConvention.cutile_python_v1())], to.name,
                              gpu_code=code, output_format="tileir_bytecode", bytecode_version=version)
                other = "" if variant == "13.4" else f"_{variant}"
                keep(function + other, pathlib.Path(to.name).read_bytes(), disassembler)


def cuda_kernels(nvcc, disassembler):
    for source in ("saxpy", "spin_lock", "row_softmax", "kernels/matmul", "kernels/moe_align"):
        with tempfile.NamedTemporaryFile(suffix=".tilebc") as to:
            subprocess.run([nvcc, "--enable-tile", "--tilebc", "-std=c++20", "-arch=sm_90",
                            ROOT / "examples" / f"{source}.cu", "-o", to.name], check=True)
            keep("cuda_" + source.rpartition("/")[2], pathlib.Path(to.name).read_bytes(), disassembler)


def main():
    folder = pathlib.Path(sys.argv[1])
    RECORDED.mkdir(exist_ok=True)
    python_kernels(folder / "tileirdisasm")
    if sys.argv[2:] == ["cuda"]:
        cuda_kernels(folder / "nvcc", folder / "tileirdisasm")


main()
