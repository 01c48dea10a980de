"""Random kernels whose blocks read no index: one program, whose argument says which kernel it launches."""
# SPDX-License-Identifier: Apache-2.0
import random

ORDERS = {"load": ("relaxed", "acquire"), "store": ("relaxed", "release"), "update": ("relaxed", "acquire", "release", "acq_rel")}


class kernel:
    """A few atomics on three places; some of what they find is written, or decides what is done next."""

    def __init__(self, random):
        self.random = random
        self.lines = []
        self.found = []
        for _ in range(random.randint(2, 3)):
            self.add()
        if self.found and random.random() < 0.7:
            self.lines.append(f"shared(x[3]).{random.choice(('fetch_add', 'fetch_max', 'store'))}({' + 3 * '.join(self.found)}, relaxed);")

    def value(self):
        return self.random.choice([*self.found, "1", "2"])

    def add(self):
        place = f"x[{self.random.randrange(2)}]"
        guard = f"if ({self.random.choice(self.found)} == {self.random.randrange(2)}) " if self.found and self.random.random() < 0.3 else ""
        name = f"r{len(self.lines)}"
        kind = self.random.choice(("load", "load", "store", "store", "fetch_add", "exchange", "compare_exchange", "fence", "plain"))
        if kind == "load":
            self.lines.append(f"int {name} = 0; {guard}{name} = shared({place}).load({self.random.choice(ORDERS['load'])});")
            self.found.append(name)
        elif kind == "store":
            self.lines.append(f"{guard}shared({place}).store({self.value()}, {self.random.choice(ORDERS['store'])});")
        elif kind in ("fetch_add", "exchange"):
            self.lines.append(f"int {name} = 0; {guard}{name} = shared({place}).{kind}({self.value()}, {self.random.choice(ORDERS['update'])});")
            self.found.append(name)
        elif kind == "compare_exchange":
            self.lines.append(f"int {name} = {self.random.randrange(2)}; {guard}shared({place}).compare_exchange_strong({name}, {self.value()}, {self.random.choice(ORDERS['update'])}, relaxed);")
            self.found.append(name)
        elif kind == "fence":
            self.lines.append(f"cuda::atomic_thread_fence({self.random.choice(('acq_rel', 'seq_cst'))}, cuda::thread_scope_device);")
        else:
            self.lines.append(f"{guard}x[4] = {self.value()};")


def text_of(count, seed=1):
    """Every third kernel has three blocks, every fourth a block of another kernel beside them."""
    source = random.Random(seed)
    text = f'#include "{__file__.rpartition("/")[0]}/support.h"\n#include <cstdlib>\n'
    launches = ""
    for n in range(count):
        blocks = 3 if n % 3 == 2 else 2
        made = kernel(source)
        while blocks == 3 and len(made.lines) > 3:
            made = kernel(source)
        text += f"__global__ void k{n}(int* x) {{\n  " + "\n  ".join(made.lines) + "\n}\n"
        launches += f"  case {n}:\n    k{n}<<<{blocks}, 1>>>(x);\n"
        if n % 4 == 3 and blocks == 2:
            launches += f"    k{n - 1}<<<1, 1, 0, other>>>(x);\n"
        launches += "    break;\n"
    return text + f"""int main(int, char** words) {{
  int* const x = zeros(5);
  cudaDeviceSynchronize();
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  switch (std::atoi(words[1])) {{
{launches}  }}
  cudaDeviceSynchronize();
}}
"""
