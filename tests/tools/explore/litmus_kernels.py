"""Litmus tests in PTX as kernels: one block a thread, what its registers hold in the end stored behind all else.

Only tests that are straight lines of loads, stores, fences and atomic updates of whole variables, each thread in a block of its own on one
device: of others kernel_of() gives None. Dependencies are those of the values, so the states are those of the model ptx-values.
"""
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import json
import re
import subprocess

SCOPES = {"cta": "block", "gpu": "device", "sys": "system"}
ORDERS = {"relaxed": "relaxed", "acquire": "acquire", "release": "release", "acq_rel": "acq_rel"}
HEAD = """#include "cuda_runtime.h"
#include <cuda/atomic>
template <cuda::thread_scope S>
using at = cuda::atomic_ref<int, S>;

__global__ void threads(int* mem, int* results) {
  switch (blockIdx.x) {
"""
TAIL = """  }
}

int main() {
  int *mem, *results;
  cudaMalloc(&mem, %d * sizeof(int));
  cudaMalloc(&results, %d * sizeof(int));
  cudaMemset(results, 0, %d * sizeof(int));
  const int initial[] = {%s};
  cudaMemcpy(mem, initial, sizeof initial, cudaMemcpyHostToDevice);
  threads<<<%d, 1>>>(mem, results);
  cudaDeviceSynchronize();
}
"""


@dataclasses.dataclass
class Kernel:
    text: str
    states: set  # registers, then variables
    racy: bool
    executions: int
    registers: int


class NotWritten(Exception):
    pass


def statement(line, variables, registers):
    """An instruction in C++."""
    def value(word):
        if re.fullmatch(r"-?\d+", word):
            return word
        if re.fullmatch(r"r\d+", word):
            registers.add(word)
            return word
        raise NotWritten(word)

    def place(word):
        if word not in variables:
            raise NotWritten(word)
        return f"mem[{variables.index(word)}]"

    def target(word):
        if not re.fullmatch(r"r\d+", word):
            raise NotWritten(word)
        registers.add(word)
        return word

    def reference(scope, word):
        if scope not in SCOPES:
            raise NotWritten(scope)
        return f"at<cuda::thread_scope_{SCOPES[scope]}>({place(word)})"

    name, _, rest = line.partition(" ")
    words = [w.strip() for w in rest.split(",")] if rest else []
    parts = name.split(".")
    order = f"cuda::memory_order_{ORDERS.get(parts[1] if len(parts) > 1 else '', '')}"
    if parts == ["st", "weak"]:
        return f"{place(words[0])} = {value(words[1])};"
    if parts == ["ld", "weak"]:
        return f"{target(words[0])} = {place(words[1])};"
    if len(parts) < 3 or (parts[1] not in ORDERS and parts[:2] != ["fence", "sc"]):
        raise NotWritten(line)
    if parts[0] == "st" and len(parts) == 3:
        return f"{reference(parts[2], words[0])}.store({value(words[1])}, {order});"
    if parts[0] == "ld" and len(parts) == 3:
        return f"{target(words[0])} = {reference(parts[2], words[1])}.load({order});"
    if parts[0] == "fence" and len(parts) == 3 and parts[2] in SCOPES:
        order = "cuda::memory_order_seq_cst" if parts[1] == "sc" else order
        return f"cuda::atomic_thread_fence({order}, cuda::thread_scope_{SCOPES[parts[2]]});"
    if parts[0] == "atom" and len(parts) == 4:
        where = reference(parts[2], words[1])
        if parts[3] == "add":
            return f"{target(words[0])} = {where}.fetch_add({value(words[2])}, {order});"
        if parts[3] == "exch":
            return f"{target(words[0])} = {where}.exchange({value(words[2])}, {order});"
        if parts[3] == "cas":
            failing = {"release": "relaxed", "acq_rel": "acquire"}.get(parts[1], parts[1])
            t = target(words[0])
            return f"{t} = {value(words[2])}; {where}.compare_exchange_strong({t}, {value(words[3])}, {order}, cuda::memory_order_{failing});"
    raise NotWritten(line)


def kernel_of(tool, file):
    try:
        return written(tool, file)
    except NotWritten:
        return None


def written(tool, file):
    text = file.read_text()
    if not text.startswith("PTX") or "filter" in text:
        raise NotWritten(file.name)
    body = re.search(r"\{([^}]*)\}(.*?)\n\s*(?:exists|~\s*exists|forall)", text, re.S)
    if not body:
        raise NotWritten(file.name)
    initial = {}
    for word in filter(None, (w.strip() for w in body[1].split(";"))):
        pair = re.fullmatch(r"(\w+)\s*=\s*(-?\d+)", word)
        if not pair:
            raise NotWritten(word)
        initial[pair[1]] = int(pair[2])
    variables = sorted(initial)
    rows = [[c.strip() for c in r.split("|")] for r in body[2].split(";") if r.strip()]
    heads = [re.fullmatch(r"P(\d+)\s*@\s*cta (\d+)\s*,\s*gpu 0", h) for h in rows[0]]
    if not all(heads) or len({h[2] for h in heads}) != len(heads):
        raise NotWritten(rows[0])
    code, registers = HEAD, []
    for p in range(len(heads)):
        own = set()
        lines = [statement(re.sub(r"\s+", " ", r[p]), variables, own) for r in rows[1:] if p < len(r) and r[p]]
        own = sorted(own)
        code += f"  case {p}: {{\n" + "".join(f"    int {r} = 0;\n" for r in own) + "".join(f"    {l}\n" for l in lines)
        code += "".join(f"    results[{len(registers) + i}] = {r};\n" for i, r in enumerate(own)) + "    break;\n  }\n"
        registers += [f"P{p}:{r}" for r in own]
    names = registers + variables
    most = max(len(registers), 1)
    code += TAIL % (len(variables), most, most, ", ".join(str(initial[v]) for v in variables), len(heads))
    told = subprocess.run([tool, "litmus", "--json", "--outcomes", "--model", "ptx-values", str(file)], capture_output=True, text=True, timeout=300)
    model = json.loads(told.stdout)["tests"][0]["models"][0]
    if any(name not in names for name in model["outcomes"][0]["values"]):
        raise NotWritten("registers that are no ints")
    states = {tuple(o["values"].get(name, 0) for name in names) for o in model["outcomes"]}
    return Kernel(code, states, model["race"] is not None, model["executions"], len(registers))
