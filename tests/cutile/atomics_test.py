#!/usr/bin/env python3
"""cuda.tile.atomic_cas and its family, clause by clause, with the genuine package.

The clauses are those of the reference's page of atomic_cas: one test each, named after it.

SPDX-License-Identifier: Apache-2.0
"""
import needs  # noqa: F401  leaves the process where something is missing

import unittest

import tilesim

tilesim.install()

import cuda.tile as ct  # noqa: E402
import numpy as np  # noqa: E402

i32 = ct.int32
Size = ct.Constant[int]


def launch(kernel, *arguments, grid=(1,)):
    ct.launch(0, grid, kernel, arguments)


@ct.kernel
def cas(x, old, indices, expected, desired, size: Size):
    i = ct.load(indices, index=(0,), shape=(size,))
    e = ct.load(expected, index=(0,), shape=(size,))
    d = ct.load(desired, index=(0,), shape=(size,))
    ct.store(old, index=(0,), tile=ct.atomic_cas(x, i, e, d))


def cas_of(x, indices, expected, desired):
    """What memory holds afterwards, and what comes back."""
    x = np.array(x, np.int32)
    arrays = [np.array(a, np.int32) for a in (indices, expected, desired)]
    old = np.full(len(indices), -7, np.int32)
    launch(cas, x, old, *arrays, len(indices))
    return x.tolist(), old.tolist()


class Comparison(unittest.TestCase):
    def test_a_match_is_overwritten_and_the_old_value_returned(self):
        self.assertEqual(cas_of([0, 1, 0, 1], [0, 1, 2, 3], [0] * 4, [42] * 4), ([42, 1, 42, 1], [0, 1, 0, 1]))

    def test_otherwise_no_update_is_performed_and_the_old_value_is_returned_in_either_case(self):
        self.assertEqual(cas_of([5, 6], [0, 1], [6, 5], [9, 9]), ([5, 6], [5, 6]))

    def test_each_element_is_atomic_so_one_of_several_with_one_index_wins(self):
        x, old = cas_of([0, 7], [0, 0, 0, 0], [0] * 4, [1, 2, 3, 4])
        self.assertIn(x[0], (1, 2, 3, 4))
        self.assertEqual(x[1], 7)
        self.assertEqual(sorted(old), sorted([0] + [x[0]] * 3))

    def test_the_example_of_the_page(self):
        @ct.kernel
        def kernel(x):
            indices = ct.arange(4, dtype=ct.int32)
            expected = ct.full((4,), 0, dtype=ct.int32)
            desired = ct.full((4,), 42, dtype=ct.int32)
            ct.atomic_cas(x, indices, expected, desired)

        x = np.array([0, 1, 0, 1], np.int32)
        launch(kernel, x)
        self.assertEqual(x.tolist(), [42, 1, 42, 1])


class Indices(unittest.TestCase):
    def test_a_tuple_as_long_as_the_rank(self):
        @ct.kernel
        def kernel(x):
            i = ct.arange(4, dtype=i32)
            ct.atomic_cas(x, (i, i), 0, 5)

        x = np.zeros((4, 4), np.int32)
        launch(kernel, x)
        self.assertTrue(np.array_equal(x, 5 * np.eye(4, dtype=np.int32)))

    def test_a_tuple_of_another_length_is_cutiles_own_error(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, (ct.arange(4, dtype=i32),), 0, 5)

        with self.assertRaises(Exception) as raised:
            launch(kernel, np.zeros((4, 4), np.int32))
        self.assertIn("atomics_test.py", str(raised.exception))
        self.assertTrue(type(raised.exception).__module__.startswith("cuda.tile") or
                        isinstance(raised.exception, (TypeError, ValueError)), type(raised.exception))

    def test_one_dimension_takes_a_single_tile(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(2, dtype=i32), 0, 5)

        x = np.zeros(3, np.int32)
        launch(kernel, x)
        self.assertEqual(x.tolist(), [5, 5, 0])

    def test_scalars_are_indices(self):
        @ct.kernel
        def kernel(x, at):
            ct.atomic_cas(x, (at, 1), 0, 5)

        x = np.zeros((2, 2), np.int32)
        launch(kernel, x, 1)
        self.assertEqual(x.tolist(), [[0, 0], [0, 5]])

    def test_an_array_without_dimensions_takes_an_empty_tuple(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, (), 0, 5)

        x = np.zeros((), np.int32)
        launch(kernel, x)
        self.assertEqual(x.tolist(), 5)

    def test_every_integer_type_is_an_index_and_they_mix(self):
        for dtype in (ct.int8, ct.uint8, ct.int16, ct.uint16, ct.int32, ct.uint32, ct.int64, ct.uint64):
            with self.subTest(dtype=dtype):

                @ct.kernel
                def kernel(x):
                    i = ct.arange(2, dtype=i32)
                    ct.atomic_cas(x, (ct.astype(i, dtype)[:, None], i[None, :]), 0, 5)

                x = np.zeros((3, 3), np.int32)
                launch(kernel, x)
                self.assertEqual(x.tolist(), [[5, 5, 0], [5, 5, 0], [0, 0, 0]])

    def test_floating_point_indices_are_cutiles_own_error(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.full((4,), 0.0, ct.float32), 0, 5)

        with self.assertRaises(Exception) as raised:
            launch(kernel, np.zeros(4, np.int32))
        self.assertIn("atomics_test.py", str(raised.exception))


class Broadcasting(unittest.TestCase):
    M, N, K = 2, 4, 8

    @staticmethod
    def like_the_page(x, ind0, ind1, expected, desired):
        """The page's pseudocode, one element after the other."""
        m, n, _ = ind0.shape
        k = ind1.shape[2]
        result = np.zeros((m, n, k), np.int32)
        for i in range(m):
            for j in range(n):
                for l in range(k):
                    at = ind0[i, j, 0], ind1[i, 0, l]
                    if 0 <= at[0] < x.shape[0] and 0 <= at[1] < x.shape[1]:
                        result[i, j, l] = x[at]
                        if x[at] == expected[j, l]:
                            x[at] = desired[j, l]
                    else:
                        result[i, j, l] = expected[j, l]
        return result

    def test_indices_expected_and_desired_to_a_common_shape(self):
        @ct.kernel
        def kernel(x, old, a, b, e, d):
            ind0 = ct.load(a, index=(0, 0, 0), shape=(2, 4, 1))
            ind1 = ct.load(b, index=(0, 0, 0), shape=(2, 1, 8))
            expected = ct.load(e, index=(0, 0), shape=(4, 8))
            desired = ct.load(d, index=(0, 0), shape=(4, 8))
            ct.store(old, index=(0, 0, 0), tile=ct.atomic_cas(x, (ind0, ind1), expected, desired))

        random = np.random.default_rng(3)
        # Each element is named once, so that their order does not matter.
        a = random.permutation(self.M * self.N).astype(np.int32).reshape(self.M, self.N, 1)
        b = np.stack([random.permutation(self.K) for _ in range(self.M)]).astype(np.int32).reshape(self.M, 1, self.K)
        x = random.integers(0, 2, (6, 7)).astype(np.int32)  # some indices are outside
        expected = random.integers(0, 2, (self.N, self.K)).astype(np.int32)
        desired = random.integers(10, 99, (self.N, self.K)).astype(np.int32)
        wanted = x.copy()
        result = self.like_the_page(wanted, a, b, expected, desired)
        old = np.zeros((self.M, self.N, self.K), np.int32)
        launch(kernel, x, old, a, b, expected, desired)
        self.assertTrue(np.array_equal(x, wanted))
        self.assertTrue(np.array_equal(old, result))

    def test_shapes_that_do_not_broadcast_are_cutiles_own_error(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(4, dtype=i32), ct.full((2,), 0, i32), 1)

        with self.assertRaises(Exception) as raised:
            launch(kernel, np.zeros(4, np.int32))
        self.assertIn("atomics_test.py", str(raised.exception))


class Bounds(unittest.TestCase):
    def test_outside_nothing_happens_and_the_expected_value_is_returned(self):
        self.assertEqual(cas_of([0, 0], [0, 2, 100, 1], [0, 31, 32, 5], [9] * 4), ([9, 0], [0, 31, 32, 0]))

    def test_a_negative_index_is_outside(self):
        self.assertEqual(cas_of([0, 0], [-1, -2, 0, 1], [3, 4, 0, 0], [9] * 4), ([9, 9], [3, 4, 0, 0]))

    def test_an_index_beyond_32_bits_is_outside(self):
        @ct.kernel
        def kernel(x, old):
            i = ct.astype(ct.arange(2, dtype=i32), ct.int64) + (1 << 32)
            ct.store(old, (0,), ct.atomic_cas(x, i, 7, 5))

        x, old = np.full(2, 7, np.int32), np.zeros(2, np.int32)
        launch(kernel, x, old)
        self.assertEqual((x.tolist(), old.tolist()), ([7, 7], [7, 7]))

    def test_an_unchecked_index_outside_is_a_finding(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(4, dtype=i32), 0, 5, check_bounds=False)

        with self.assertRaises(tilesim.FindingsError) as raised:
            with tilesim.check():
                launch(kernel, np.zeros(3, np.int32))
        self.assertIn("it is x[3] of int32[3]", str(raised.exception))

    def test_unchecked_indices_that_are_within_bounds(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(4, dtype=i32), 0, 5, check_bounds=False)

        x = np.zeros(4, np.int32)
        launch(kernel, x)
        self.assertEqual(x.tolist(), [5] * 4)


class Types(unittest.TestCase):
    def test_the_elements_that_have_a_compare_and_swap(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(4, dtype=i32), 0, 5)

        for dtype in (np.int32, np.int64, np.uint32, np.uint64, np.float32, np.float64):
            with self.subTest(dtype=dtype):
                x = np.array([0, 1, 0, 1], dtype)
                launch(kernel, x)
                self.assertEqual(x.tolist(), [5, 1, 5, 1])

    def test_another_element_is_cutiles_own_error(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(4, dtype=i32), 0, 5)

        with self.assertRaises(Exception) as raised:
            launch(kernel, np.zeros(4, np.int8))
        self.assertIn("atomics_test.py", str(raised.exception))

    def test_comparison_is_bit_for_bit(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_cas(x, ct.arange(2, dtype=i32), 0.0, 5.0)

        x = np.array([0.0, -0.0], np.float32)
        launch(kernel, x)
        self.assertEqual(x.tolist(), [5.0, 0.0])


class OrderAndScope(unittest.TestCase):
    def test_every_order_and_scope(self):
        for order in (ct.MemoryOrder.RELAXED, ct.MemoryOrder.ACQUIRE, ct.MemoryOrder.RELEASE, ct.MemoryOrder.ACQ_REL):
            for scope in (ct.MemoryScope.BLOCK, ct.MemoryScope.DEVICE, ct.MemoryScope.SYS):
                with self.subTest(order=order, scope=scope):

                    @ct.kernel
                    def kernel(x):
                        ct.atomic_cas(x, ct.arange(2, dtype=i32), 0, 5, memory_order=order, memory_scope=scope)

                    x = np.zeros(2, np.int32)
                    launch(kernel, x)
                    self.assertEqual(x.tolist(), [5, 5])


class WhatTheyOrder(unittest.TestCase):
    """A lock, taken by atomic_cas and given back by atomic_xchg."""

    @staticmethod
    def report_of(order=ct.MemoryOrder.ACQ_REL, scope=ct.MemoryScope.DEVICE):
        @ct.kernel
        def kernel(lock, total):
            while ct.atomic_cas(lock, 0, 0, 1, memory_order=order, memory_scope=scope) == 1:
                pass
            ct.store(total, (0,), ct.load(total, (0,), (1,)) + 1)
            ct.atomic_xchg(lock, 0, 0, memory_order=order, memory_scope=scope)

        with tilesim.check(on_findings="collect") as report:
            launch(kernel, np.zeros(1, np.int32), np.zeros(1, np.int32), grid=(3,))
        return {f.code for f in report.defects}

    def test_by_default_they_acquire_and_release_for_the_device(self):
        @ct.kernel
        def kernel(lock, total):
            while ct.atomic_cas(lock, 0, 0, 1) == 1:
                pass
            ct.store(total, (0,), ct.load(total, (0,), (1,)) + 1)
            ct.atomic_xchg(lock, 0, 0)

        total = np.zeros(1, np.int32)
        with tilesim.check():
            launch(kernel, np.zeros(1, np.int32), total, grid=(3,))
        self.assertEqual((total[0], self.report_of()), (3, set()))

    def test_relaxed_ones_order_nothing(self):
        self.assertEqual(self.report_of(order=ct.MemoryOrder.RELAXED), {"data-race"})

    def test_those_of_one_block_order_nothing_between_blocks(self):
        self.assertIn("narrow-scope", self.report_of(scope=ct.MemoryScope.BLOCK))


class Family(unittest.TestCase):
    """The updates that follow the same rules."""

    ROWS = (("atomic_add", lambda a, b: a + b), ("atomic_max", max), ("atomic_min", min),
            ("atomic_and", lambda a, b: a & b), ("atomic_or", lambda a, b: a | b), ("atomic_xor", lambda a, b: a ^ b),
            ("atomic_xchg", lambda a, b: b))

    def test_each_update(self):
        for name, meaning in self.ROWS:
            with self.subTest(name=name):
                update = getattr(ct, name)

                @ct.kernel
                def kernel(x, old, values):
                    v = ct.load(values, index=(0,), shape=(4,))
                    ct.store(old, index=(0,), tile=update(x, ct.arange(4, dtype=i32), v))

                before = [-3, 12, 7]
                values = [5, 10, -1, 99]  # the last index is outside
                x = np.array(before, np.int32)
                old = np.zeros(4, np.int32)
                launch(kernel, x, old, np.array(values, np.int32))
                self.assertEqual(x.tolist(), [meaning(a, b) for a, b in zip(before, values)])
                self.assertEqual(old.tolist()[:3], before)

    def test_unsigned_maximum_and_minimum(self):
        @ct.kernel
        def kernel(x, y):
            i = ct.arange(2, dtype=i32)
            ct.atomic_max(x, i, ct.uint32(5))
            ct.atomic_min(y, i, ct.uint32(5))

        x = np.array([0xFFFFFFFF, 1], np.uint32)
        y = np.array([0xFFFFFFFF, 1], np.uint32)
        launch(kernel, x, y)
        self.assertEqual((x.tolist(), y.tolist()), ([0xFFFFFFFF, 5], [5, 1]))

    def test_additions_of_floats_from_many_blocks(self):
        @ct.kernel
        def kernel(x):
            ct.atomic_add(x, ct.arange(4, dtype=i32), 0.5)

        x = np.zeros(4, np.float32)
        launch(kernel, x, grid=(10,))
        self.assertEqual(x.tolist(), [5.0] * 4)

    def test_gather_and_scatter_take_masks(self):
        @ct.kernel
        def kernel(x, y):
            i = ct.arange(4, dtype=i32)
            t = ct.gather(x, i, mask=i < 2, padding_value=-1)
            ct.scatter(y, i, t, mask=i > 0)

        y = np.zeros(4, np.int32)
        launch(kernel, np.array([10, 11, 12, 13], np.int32), y)
        self.assertEqual(y.tolist(), [0, 11, -1, -1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
