"""What the kernels of cuTile's own samples take, and what their references take where torch is not redirected.

    tilesim run python_samples.py -- SAMPLES NAME     the sample, unmodified: its launches, cuTile's own compiler apart
    python3 python_samples.py SAMPLES NAME            torch's reference of the same, on the CPU, by one thread

SAMPLES: the folder of the samples of NVIDIA/cutile-python. Processor time.

SPDX-License-Identifier: Apache-2.0
"""
import runpy
import sys
import time


def once_and_again(*bodies):
    """Seconds: the first call of each, as in the sample, and the best of later ones."""
    first = again = 0.0
    for body in bodies:
        took = []
        for _ in range(6):
            start = time.process_time()
            body()
            took.append(time.process_time() - start)
        first += took[0]
        again += min(took)
    return first, again


def kernels(path):
    """Seconds: of the sample's launches, and of the same ones made again."""
    import cuda.tile as ct
    import cuda.tile._compile as compiler
    spent = {"launches": 0.0, "compiler": 0.0}
    launch, launches = ct.launch, []

    def timed(what, function):
        def call(*args, **more):
            start = time.process_time()
            try:
                return function(*args, **more)
            finally:
                spent[what] += time.process_time() - start
        return call

    def kept(*args, **more):
        launches.append((args, more))
        return launch(*args, **more)

    ct.launch = timed("launches", kept)
    compiler.compile_tile = timed("compiler", compiler.compile_tile)
    runpy.run_path(str(path), run_name="__main__")
    again = once_and_again(*(lambda l=l: launch(*l[0], **l[1]) for l in launches))[1]
    return spent["launches"] - spent["compiler"], again


def reference(path):
    """The same computations on tensors of the host's, as the sample makes them."""
    import torch
    torch.set_num_threads(1)
    torch.manual_seed(0)
    if path.endswith("FFT.py"):
        x = torch.randn(2, 8, dtype=torch.complex64)
        return once_and_again(lambda: torch.fft.fft(x, axis=-1))
    if path.endswith("LayerNorm.py"):
        weight, bias = (torch.randn(2048, dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
        x = (-2.3 + 0.5 * torch.randn(1024, 2048, dtype=torch.bfloat16)).requires_grad_(True)
        dy = 0.1 * torch.randn_like(x)
        return once_and_again(lambda: torch.nn.functional.layer_norm(x, weight.shape, weight, bias, 1e-5).backward(dy))
    a, b = torch.randn(4, 512, 256), torch.randn(4, 256, 1024)
    half = [t.to(torch.float16) for t in (a, b)]
    eighth = [t.to(torch.float8_e4m3fn) for t in (a, b)]
    return once_and_again(lambda: half[0] @ half[1], lambda: eighth[0].to(torch.float32) @ eighth[1].to(torch.float32))


def main():
    folder, name = sys.argv[1:3]
    path = f"{folder}/{name}.py"
    sys.argv = [path]
    here = "tilesim" in sys.modules
    if here:
        first, again = kernels(path)
        print(f"{name} again us {1e6 * again:.1f}\n{name} kernels us {1e6 * first:.1f}")
    else:
        first, again = reference(path)
        print(f"{name} repeated us {1e6 * again:.1f}\n{name} reference us {1e6 * first:.1f}")


main()
