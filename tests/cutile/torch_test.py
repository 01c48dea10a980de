#!/usr/bin/env python3
"""torch programs that say device='cuda': where tensors are said to be, and what launches take.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing

import importlib.util
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

if importlib.util.find_spec("torch") is None:
    print(f"skipped: {sys.executable} has no torch; set TILESIM_TEST_PYTHON to a Python that has")
    sys.exit(needs.SKIPPED)

BEGINNING = """\
import cuda.tile as ct
import torch

@ct.kernel
def add(a, b, c, size: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (size,)) + ct.load(b, (i,), (size,)))

@ct.kernel
def product(a, b, c):
    ct.store(c, (0, 0), ct.mma(ct.load(a, (0, 0), (16, 32)), ct.load(b, (0, 0), (32, 16)), ct.zeros((16, 16), ct.float32)))

stream = torch.cuda.current_stream()
"""


class Torch(unittest.TestCase):
    def run_text(self, text, command="run"):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(BEGINNING + textwrap.dedent(text))
            file.flush()
            return subprocess.run([os.environ["TILESIM_TOOL"], *command.split(), file.name], text=True, capture_output=True, timeout=200)

    def holds(self, text, command="run"):
        done = self.run_text(textwrap.dedent(text) + "\nprint('held')\n", command)
        self.assertEqual((done.returncode, done.stdout), (0, "held\n"), done.stderr)
        return done

    def test_a_launch_takes_tensors_of_the_device(self):
        self.holds("""\
            a = torch.rand(1000, device="cuda")
            b = torch.rand(1000).cuda()
            c = torch.empty_like(a)
            ct.launch(stream, (8,), add, (a, b, c, 128))
            torch.cuda.synchronize()
            torch.testing.assert_close(c, a + b, rtol=0, atol=0)
        """)

    def test_a_tensor_of_the_hosts_is_refused_as_on_a_gpu(self):
        done = self.run_text("""\
            a = torch.rand(128, device="cuda")
            ct.launch(stream, (1,), add, (a, torch.rand(128), a, 128))
        """)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Input array is not on a CUDA device", done.stderr)

    def test_where_tensors_are_said_to_be(self):
        self.holds("""\
            here, there = torch.zeros(2), torch.zeros(2, device="cuda:0")
            of = lambda t: (t.device.type, t.is_cuda)
            assert of(here) == ("cpu", False) and of(there) == ("cuda", True)
            assert there.device == torch.device("cuda", 0) and there.get_device() == 0
            for made in (there + 1, there[0], there.view(1, 2), torch.empty_like(there), there.new_zeros(3), there.split(1)[1], there.to(torch.int32),
                         here.cuda(), here.to("cuda"), here.to(torch.device("cuda"), torch.float16), here.to(there), torch.ones(1, device=there.device),
                         torch.nn.Parameter(there), torch.nn.Linear(2, 2).to("cuda").weight, torch.ones(1, device=0)):
                assert of(made) == ("cuda", True), made
            for made in (there.cpu(), there.to("cpu"), there.to(device="cpu", dtype=torch.float16), torch.empty_like(there, device="cpu"),
                         here.to(torch.int32), torch.nn.Linear(2, 2).weight):
                assert of(made) == ("cpu", False), made
        """)

    def test_a_move_copies_and_staying_does_not(self):
        self.holds("""\
            here = torch.zeros(2)
            there = here.cuda()
            there += 1
            assert here.tolist() == [0, 0] and there.tolist() == [1, 1]
            back = there.cpu()
            back += 1
            assert there.tolist() == [1, 1] and there.cuda() is there and here.cpu() is here
        """)

    def test_gradients_are_where_their_tensors_are(self):
        self.holds("""\
            class Sum(torch.autograd.Function):
                @staticmethod
                def forward(context, a, b):
                    c = torch.empty_like(a)
                    ct.launch(stream, (1,), add, (a, b, c, 128))
                    return c
                @staticmethod
                def backward(context, dy):
                    assert dy.is_cuda
                    twice = torch.empty_like(dy)
                    ct.launch(stream, (1,), add, (dy, dy, twice, 128))
                    return twice, dy
            a = torch.rand(128, device="cuda", requires_grad=True)
            b = torch.rand(128, device="cuda", requires_grad=True)
            Sum.apply(a, b).backward(torch.ones(128, device="cuda"))
            assert a.grad.is_cuda and a.grad.tolist() == [2.0] * 128 and b.grad.tolist() == [1.0] * 128
        """)

    def test_small_floats_are_summed_in_float_in_the_order_of_kernels(self):
        self.holds("""\
            for type in (torch.float16, torch.bfloat16):
                torch.manual_seed(1)
                a, b = torch.randn(16, 32, device="cuda").to(type), torch.randn(32, 16, device="cuda").to(type)
                c = torch.empty(16, 16, device="cuda")
                ct.launch(stream, (1,), product, (a, b, c))
                torch.testing.assert_close(a @ b, c.to(type), rtol=0, atol=0)
                assert (a @ b).dtype == type and (a @ b).is_cuda
        """)

    def test_what_only_a_device_computes_and_functions_are_rounded_as_in_kernels(self):
        self.holds("""\
            @ct.kernel
            def functions(x, roots, sines):
                t = ct.load(x, (ct.bid(0),), (128,))
                ct.store(roots, (ct.bid(0),), ct.rsqrt(t))
                ct.store(sines, (ct.bid(0),), ct.sinh(t))

            for x in (torch.rand(4096, device="cuda") * 9 + 1, torch.randint(1, 9, (4096,), device="cuda", dtype=torch.int32)):
                roots, sines = torch.zeros(2, 4096, device="cuda").unbind()
                ct.launch(stream, (32,), functions, (x, roots, sines))
                assert torch.equal(roots, torch.rsqrt(x)) and torch.equal(sines, x.sinh())
            half = torch.rand(8, device="cuda").half()
            assert torch.sin(half).dtype == torch.float16 and torch.sin(half.double()).dtype == torch.float64
            x = torch.rand(8, device="cuda", requires_grad=True)
            torch.sin(x).sum().backward()
            assert torch.allclose(x.grad, torch.cos(x.detach()))
            a, b = torch.rand(16, 32, device="cuda").half(), torch.rand(32, 16, device="cuda").half()
            c = torch.zeros(16, 16, device="cuda")
            ct.launch(stream, (1,), product, (a, b, c))
            wide = torch.mm(a, b, out_dtype=torch.float32)
            assert wide.dtype == torch.float32 and torch.equal(wide, c)
            assert torch.mm(b.double(), a.double(), out_dtype=torch.float64).dtype == torch.float64
            assert abs(torch.tensor([True, False], device="cuda")).tolist() == [True, False]
        """)

    def test_what_torch_cuda_answers(self):
        self.holds("""\
            assert torch.cuda.is_available() and torch.cuda.device_count() == 1
            p = torch.cuda.get_device_properties(0)
            assert (p.major, p.minor) == torch.cuda.get_device_capability() and p.multi_processor_count > 1
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            with torch.cuda.stream(torch.cuda.Stream()), torch.cuda.device(0):
                begin.record(); end.record()
            assert begin.elapsed_time(end) >= 0
            torch.cuda.manual_seed(3); x = torch.rand(2, device="cuda")
            torch.manual_seed(3); assert torch.equal(x, torch.rand(2, device="cuda"))
            g = torch.Generator(device="cuda").manual_seed(1); torch.rand(2, device="cuda", generator=g)
            try:
                torch.cuda.CUDAGraph()
            except NotImplementedError as told:
                assert "cannot be simulated" in str(told)
            else:
                raise AssertionError
        """)

    def test_functions_of_all_small_floats_are_those_of_kernels(self):
        self.holds("""\
            all_bits = torch.arange(65536, dtype=torch.int32).to(torch.int16)
            for dtype in (torch.float16, torch.bfloat16):
                x = all_bits.view(dtype).clone()
                x = torch.where(x.isfinite(), x, torch.ones_like(x)).cuda()
                for name in "sin cos tan sinh cosh tanh exp exp2 log log2 sqrt rsqrt".split():
                    @ct.kernel
                    def kernel(x, y):
                        ct.store(y, (ct.bid(0),), FUNCTION(ct.load(x, (ct.bid(0),), (4096,))))
                    FUNCTION = getattr(ct, name)
                    y = torch.zeros_like(x)
                    ct.launch(stream, (16,), kernel, (x, y))
                    assert torch.equal(y.nan_to_num(), getattr(torch, name)(x).nan_to_num()), (dtype, name)
        """)

    def test_a_python_that_the_program_starts_has_the_device_too(self):
        for imports in ("import torch", "import cuda.tile as ct, torch", "import torch, cuda.tile as ct"):
            with self.subTest(imports):
                done = self.run_text(f"""
                    import subprocess, sys
                    text = "{imports}; x = torch.zeros(4, device='cuda'); print(x.device, torch.__spec__.name)"
                    print(subprocess.run([sys.executable, "-c", text]).returncode)
                """)
                self.assertEqual((done.returncode, done.stdout), (0, "cuda:0 torch\n0\n"), done.stderr)

    def test_check_finds_the_race_and_the_end_of_a_tensor(self):
        done = self.run_text("""\
            @ct.kernel
            def count(c):
                ct.scatter(c, 0, ct.gather(c, 0) + 1)
            ct.launch(stream, (2,), count, (torch.zeros(1, dtype=torch.int32, device="cuda"),))
        """, "check --schedules 2")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("[data-race]", done.stderr)


if __name__ == "__main__":
    unittest.main()
