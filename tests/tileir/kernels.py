"""Kernels of cuTile whose bytecode the tests read: between them, what its front end emits.

record.py compiles them; the functions' names are those of the files in recorded/.

SPDX-License-Identifier: Apache-2.0
"""
import cuda.tile as ct
from cuda.tile.compilation import ArrayConstraint, ListConstraint, ScalarConstraint

f16, bf16, f32, f64 = ct.float16, ct.bfloat16, ct.float32, ct.float64
i8, i16, i32, i64, u8, u32 = ct.int8, ct.int16, ct.int32, ct.int64, ct.uint8, ct.uint32
Size = ct.Constant[int]

kernels = []  # (kernel, signature)


def array(dtype, ndim=1, **more):
    return ArrayConstraint(dtype, ndim, **{"index_dtype": i32, "stride_lower_bound_incl": 0, "alias_groups": (),
                                           "may_alias_internally": False, **more})


def dense(dtype, ndim=1):
    """As a launch describes an array whose rows follow each other."""
    unit = tuple([None] * (ndim - 1) + [1])
    return array(dtype, ndim, stride_constant=unit, base_addr_divisible_by=16)


def scalar(dtype):
    return ScalarConstraint(dtype)


def compiled(*signature):
    def add(function):
        kernels.append((ct.kernel(function), signature))
        return function
    return add


@compiled(dense(f32), dense(f32), dense(f32), 256)
def vector_add(a, b, c, size: Size):
    i = ct.bid(0)
    ct.store(c, index=(i,), tile=ct.load(a, index=(i,), shape=(size,)) + ct.load(b, index=(i,), shape=(size,)))


@compiled(dense(f32), dense(f32), dense(f32), 64)
def vector_add_gather(a, b, c, size: Size):
    i = ct.bid(0) * size + ct.arange(size, dtype=i32)
    ct.scatter(c, i, ct.gather(a, i) + ct.gather(b, i))


@compiled(dense(f32, 2), dense(f32, 2), 16, 32)
def transpose(x, y, rows: Size, columns: Size):
    i = ct.bid(0)
    j = ct.bid(1)
    ct.store(y, index=(j, i), tile=ct.transpose(ct.load(x, index=(i, j), shape=(rows, columns))))


@compiled(dense(f16, 2), dense(f16, 2), dense(f16, 2), 16, 16, 16)
def matmul(a, b, c, tm: Size, tn: Size, tk: Size):
    m = ct.bid(0)
    n = ct.bid(1)
    acc = ct.full((tm, tn), 0, f32)
    for k in range(ct.num_tiles(a, axis=1, shape=(tm, tk))):
        x = ct.load(a, index=(m, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
        y = ct.load(b, index=(k, n), shape=(tk, tn), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(x, y, acc)
    ct.store(c, index=(m, n), tile=acc.astype(f16))


@compiled(dense(f32, 2), dense(f32, 2), dense(f32), dense(f32), scalar(f32), 64)
def layer_norm(x, y, w, b, eps, size: Size):
    row = ct.bid(0)
    n = x.shape[1]
    t = ct.load(x, index=(row, 0), shape=(1, size), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(t, axis=1, keepdims=True) / n
    d = ct.where(ct.arange(size, dtype=i32).reshape((1, size)) < n, t - mean, 0.0)
    variance = ct.sum(d * d, axis=1, keepdims=True) / n
    scale = ct.rsqrt(variance + eps)
    ct.store(y, index=(row, 0), tile=d * scale * ct.load(w, index=(0,), shape=(size,)) +
             ct.load(b, index=(0,), shape=(size,)))


@compiled(array(f32, 2), array(f32, 2), 64)
def softmax(x, y, size: Size):
    row = ct.bid(0)
    t = ct.load(x, index=(row, 0), shape=(1, size), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, axis=1, keepdims=True))
    ct.store(y, index=(row, 0), tile=e / ct.sum(e, axis=1, keepdims=True))


@compiled(dense(i32), dense(i32), dense(f32), dense(u32), 8)
def atomics(x, h, f, u, size: Size):
    i = ct.arange(size, dtype=i32)
    old = ct.atomic_cas(x, i, 0, 42)
    ct.atomic_add(h, old, 1)
    ct.atomic_max(h, old, 1)
    ct.atomic_min(h, old, 1)
    ct.atomic_and(h, old, 1)
    ct.atomic_or(h, old, 1)
    ct.atomic_xor(h, old, 1)
    ct.atomic_xchg(f, i, 2.5)
    ct.atomic_add(f, i, 0.5, memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.BLOCK)
    ct.atomic_max(u, i, u32(7))
    ct.atomic_min(u, i, u32(7), check_bounds=False)


@compiled(dense(f32), dense(f32), 16)
def floats(x, y, size: Size):
    t = ct.load(x, index=(0,), shape=(size,))
    t = (ct.exp(t) + ct.exp2(t) + ct.log(t) + ct.log2(t) + ct.sqrt(t) + ct.rsqrt(t) + ct.sin(t) + ct.cos(t) +
         ct.tan(t) + ct.sinh(t) + ct.cosh(t) + ct.tanh(t) + ct.floor(t) + ct.ceil(t) + abs(t) + (-t))
    t = t * 0.0625
    t = t + ct.exp2(t, flush_to_zero=True) + ct.sqrt(t, rounding_mode=ct.RoundingMode.APPROX)
    t = t + ct.tanh(t, rounding_mode=ct.RoundingMode.APPROX)
    t = (ct.minimum(t, 3.14159265) + ct.maximum(t, 1e-5, propagate_nan=True, flush_to_zero=True) + ct.pow(t, t) +
         ct.atan2(t, t) + t % 3.0 + t // 2.0)
    t = ct.truediv(t, t, rounding_mode=ct.RoundingMode.APPROX, flush_to_zero=True) + ct.mul(t, 1e30)
    t = ct.add(t, t, rounding_mode=ct.RoundingMode.RZ)
    ct.store(y, index=(0,), tile=t)


@compiled(dense(i32), dense(i32), dense(u32), scalar(i32), 16)
def integers(x, y, u, s, size: Size):
    t = ct.load(x, index=(0,), shape=(size,))
    v = ct.load(u, index=(0,), shape=(size,))
    t = (t + s * t - (t // 3) + (t % 7) + ct.cdiv(t, 5) + (t << 2) + (t >> 1) + (t & 3) + (t | s) + (t ^ 9) + (~t) +
         abs(t) + (-t) + ct.minimum(t, s) + ct.maximum(t, 3))
    t = ct.where(t == s, t, 0) + ct.where(t != s, t, 1) + ct.where(t > s, t, 0) + ct.where(t <= s, t, 2)
    t = t + v.astype(i32) + (v >> u32(2)).astype(i8).astype(i32) + (v % u32(3)).astype(i64).astype(i32)
    t = t + ct.where(v < u32(9), 1, 0)
    ct.store(y, index=(0,), tile=t)


@compiled(dense(u32), dense(u32), 16)
def unsigned_floor(x, y, size: Size):
    """A division that NVIDIA's verifier refuses, so it has no text."""
    ct.store(y, index=(0,), tile=ct.load(x, index=(0,), shape=(size,)) // u32(3))


@compiled(dense(f32), dense(f32), dense(i32), 16)
def conversions(x, y, z, size: Size):
    t = ct.load(x, index=(0,), shape=(size,))
    s = t.astype(f16).astype(f32) + t.astype(bf16).astype(f32) + t.astype(f64).astype(f32)
    s = s + t.astype(ct.float8_e4m3fn).astype(f32) + t.astype(ct.float8_e5m2).astype(f32)
    s = s + t.astype(i32).astype(f32) + t.astype(u8).astype(f32) + t.astype(ct.tfloat32).astype(f32)
    ct.store(y, index=(0,), tile=s + ct.where(t.astype(ct.bool_), 1.0, 2.0))
    ct.store(z, index=(0,), tile=ct.bitcast(t, i32))


@compiled(dense(i32), dense(i32), scalar(i32), scalar(i32))
def control(x, y, n, m):
    s = 0
    for i in range(n):
        if i > m:
            s = s + i
        else:
            s = s - 1
    j = 0
    while j < n:
        j = j + 1
        if j == 5:
            continue
        if j > m:
            break
        s = s + ct.gather(x, j)
    for q in range(0, n, 2):
        ct.scatter(y, q, q + s)
    if s > 3:
        ct.printf("s %d\n", s)
        return
    ct.assert_(n > 0, "n must be positive")
    ct.scatter(y, 1, s)


@compiled(dense(i32, 2), dense(i32, 2), dense(f32, 2), dense(f32, 2), dense(i32, 2), 8, 16)
def reductions(x, y, f, g, z, rows: Size, columns: Size):
    t = ct.load(x, index=(0, 0), shape=(rows, columns))
    h = ct.load(f, index=(0, 0), shape=(rows, columns))
    ct.store(y, index=(0, 0), tile=ct.sum(t, axis=1).reshape((1, rows)))
    ct.store(y, index=(1, 0), tile=ct.max(t, axis=1).reshape((1, rows)))
    ct.store(y, index=(2, 0), tile=ct.min(t, axis=1).reshape((1, rows)))
    ct.store(y, index=(3, 0), tile=ct.prod(t, axis=1).reshape((1, rows)))
    ct.store(z, index=(0, 0), tile=ct.argmax(h, axis=1).reshape((1, rows)))
    ct.store(z, index=(1, 0), tile=ct.argmin(t, axis=1).reshape((1, rows)))
    ct.store(g, index=(0, 0), tile=ct.cumsum(h, axis=1))
    ct.store(g, index=(1, 0), tile=ct.cumprod(h, axis=0, reverse=True))


@compiled(dense(f32, 2), dense(f32, 2), 8, 16)
def shapes(x, y, rows: Size, columns: Size):
    t = ct.load(x, index=(0, 0), shape=(rows, columns))
    a = ct.extract(t, (0, 1), (rows, 8))
    b = ct.extract(t, (0, 0), (rows, 8))
    q = ct.reshape(ct.permute(ct.cat((a, b), 1), (1, 0)), (rows, columns))
    r = ct.insert(q, (0, 1), a) + ct.broadcast_to(ct.full((1, columns), -1.5, f32), (rows, columns))
    ct.store(y, index=(0, 0), tile=r)


@compiled(dense(f32), dense(f32), 16)
def bytes_of(x, y, size: Size):
    t = ct.pack_to_bytes(ct.load(x, index=(0,), shape=(size,)))
    ct.store(y, index=(0,), tile=ct.unpack_from_bytes(t, f32) + ct.full((size,), float("inf"), f32))


@compiled(dense(f32, 2), dense(i32), dense(f32, 2), 4, 8)
def views(x, rows_of, y, rows: Size, columns: Size):
    i = ct.load(rows_of, index=(0,), shape=(rows,))
    t = ct.load_advanced_indexing(x, (i, ct.Slice(2, columns)))
    ct.store(y, index=(0, 0), tile=t)
    ct.store(y, index=(1, 0), tile=t, check_bounds=False)


@compiled(dense(f32, 2), dense(f32, 2), 4, 8)
def tiled_views(x, y, rows: Size, columns: Size):
    t = x.tiled_view((rows, columns), traversal_steps=(2, 4)).load((1, 1))
    w = y.tiled_view((rows, columns))
    w.atomic_store_add((0, 0), t)
    w.store((1, 0), t)


@compiled(dense(i8, 2), dense(i8, 2), dense(i32, 2), dense(f32, 2), dense(f32, 2))
def products(a, b, c, d, e):
    x = ct.load(a, index=(0, 0), shape=(16, 32))
    y = ct.load(b, index=(0, 0), shape=(32, 16))
    ct.store(c, index=(0, 0), tile=ct.mma(x, y, ct.zeros((16, 16), i32)))
    p = ct.load(d, index=(0, 0), shape=(16, 16))
    q = p.astype(ct.float8_e4m3fn)
    ct.store(e, index=(0, 0), tile=ct.matmul(p, p) + ct.mma(q, q, ct.zeros((16, 16), f32), use_fast_acc=True))


@compiled(dense(ct.float8_e4m3fn, 2), dense(ct.float8_e8m0fnu, 2), dense(f32, 2))
def scaled_product(a, scales, c):
    x = ct.load(a, index=(0, 0), shape=(32, 32))
    s = ct.load(scales, index=(0, 0), shape=(32, 1))
    t = ct.load(scales, index=(0, 0), shape=(1, 32))
    ct.store(c, index=(0, 0), tile=ct.mma_scaled(x, s, x, t, ct.zeros((32, 32), f32)))


@compiled(dense(f32), dense(i32), dense(f64), dense(i16))
def constants(x, i, d, h):
    t = ct.load(x, index=(0,), shape=(4,))
    ct.store(x, index=(0,), tile=t * 0.1 + t * 1.1754943508222875e-38 + 123456789.0)
    u = ct.load(d, index=(0,), shape=(4,))
    ct.store(d, index=(0,), tile=u * 0.1 + 2.0**60 + u * 1e-300 + 3.0)
    ct.store(h, index=(0,), tile=ct.load(h, index=(0,), shape=(4,)) * i16(-3))
    ct.print(x.shape[0], "hello", ct.load(i, index=(0,), shape=(2,)))


@compiled(ListConstraint(dense(f32), alias_groups=(), elements_may_alias=False), dense(f32), 8)
def lists(arrays, y, size: Size):
    s = ct.zeros((size,), f32)
    for j in range(len(arrays)):
        s = s + ct.load(arrays[j], index=(0,), shape=(size,))
    ct.store(y, index=(0,), tile=s)


@compiled(dense(f32), dense(i32))
def message(x, flag):
    if ct.bid(0) == 0:
        ct.store(x, index=(0,), tile=ct.full((4,), 1.0, f32))
        ct.atomic_xchg(flag, 0, 1, memory_order=ct.MemoryOrder.RELEASE)
    else:
        while ct.atomic_or(flag, 0, 0, memory_order=ct.MemoryOrder.ACQUIRE) == 0:
            pass
        ct.store(x, index=(1,), tile=ct.load(x, index=(0,), shape=(4,)))


@compiled(dense(i32))
def waiting(x):
    while ct.atomic_or(x, 0, 0) == 0:
        pass


@compiled(dense(i32), dense(i32), 32)
def racy_histogram(values, bins, size: Size):
    v = ct.gather(values, ct.bid(0) * size + ct.arange(size, dtype=i32))
    ct.scatter(bins, v, ct.gather(bins, v) + 1)


@compiled(dense(i32), dense(i32), 32)
def histogram(values, bins, size: Size):
    v = ct.gather(values, ct.bid(0) * size + ct.arange(size, dtype=i32))
    ct.atomic_add(bins, v, 1)


# What comes second at a tile waits for what comes first, each time by a token that has gone another way.
@compiled(dense(f32), dense(f32), scalar(i32), 16)
def in_turn(x, y, n, size: Size):
    ct.store(x, index=(0,), tile=ct.full((size,), 1.0, f32))  # 0: first
    one = ct.load(x, index=(0,), shape=(size,))  # 0: second, by the store's own token
    two = ct.load(x, index=(1,), shape=(size,))  # 1: first
    three = ct.load(x, index=(2,), shape=(size,))  # 2: first
    ct.store(x, index=(1,), tile=one + two + three)  # 1: second, by the join of all loads
    for i in range(n):
        ct.store(x, index=(i % 2 + 3,), tile=ct.full((size,), 2.0, f32))  # 3: around the loop
        ct.store(y, index=(i,), tile=ct.load(x, index=(3,), shape=(size,)))  # 3: and within it
    while n > 0:
        ct.store(x, index=(5,), tile=ct.full((size,), 5.0, f32))  # 5: first
        if n > 2:
            ct.store(x, index=(6,), tile=ct.full((size,), 6.0, f32))  # 6: first
            break
        n = n - 1
    ct.store(y, index=(9,), tile=ct.load(x, index=(5,), shape=(size,)))  # 5: second, out of the loop
    if n > 2:
        ct.store(x, index=(6,), tile=ct.full((size,), 7.0, f32))  # 6: second, out of a branch and a loop
    else:
        ct.store(x, index=(7,), tile=ct.full((size,), 8.0, f32))
    ct.print("in between")
    ct.store(y, index=(10,), tile=ct.load(x, index=(6,), shape=(size,)))  # 6: third


# One array under two names, where the second one is written: cuTile puts no token between them.
@compiled(dense(f32), dense(f32), 16)
def two_names(x, y, size: Size):
    ct.store(y, index=(0,), tile=ct.load(x, index=(0,), shape=(size,)) + 1.0)


@compiled(dense(u8), dense(f32), dense(f32), dense(u8))
def quarters(packed, y, x, again):
    t = ct.unpack_from_bytes(ct.load(packed, index=(0,), shape=(16,)), ct.float4_e2m1fn)
    ct.store(y, index=(0,), tile=ct.astype(t, f32))
    u = ct.astype(ct.load(x, index=(0,), shape=(32,)), ct.float4_e2m1fn)
    ct.store(again, index=(0,), tile=ct.pack_to_bytes(u))


@compiled(dense(u8, 2), dense(ct.float8_e4m3fn, 2), dense(f32, 2))
def scaled_quarters(packed, scales, c):
    x = ct.unpack_from_bytes(ct.reshape(ct.load(packed, index=(0, 0), shape=(4, 16)), (64,)), ct.float4_e2m1fn)
    s = ct.load(scales, index=(0, 0), shape=(4, 2))
    t = ct.transpose(ct.load(scales, index=(1, 0), shape=(4, 2)))
    x = ct.reshape(x, (4, 32))
    ct.store(c, index=(0, 0), tile=ct.mma_scaled(x, s, ct.transpose(x), t, ct.full((4, 4), 1.0, f32)))


@compiled(dense(f32), dense(ct.float8_e8m0fnu))
def to_scales(x, y):
    scales = ct.astype(ct.load(x, index=(0,), shape=(16,)), ct.float8_e8m0fnu, rounding_mode=ct.RoundingMode.RZ)
    ct.store(y, index=(0,), tile=scales)


@compiled(dense(ct.float8_e8m0fnu))
def shows_scales(x):
    ct.print("scales", ct.load(x, index=(0,), shape=(16,)))


@compiled(dense(f32), dense(f32, 2), dense(f16), dense(f16, 2), dense(f64), dense(f64, 2))
def powers(x, y, h, g, d, e):
    t = ct.load(x, index=(0,), shape=(16,))
    u = ct.load(h, index=(0,), shape=(16,))
    v = ct.load(d, index=(0,), shape=(16,))
    for n in ct.static_iter(range(-2, 6)):
        ct.store(y, index=(n + 2, 0), tile=ct.reshape(t**n, (1, 16)))
        ct.store(g, index=(n + 2, 0), tile=ct.reshape(u**n, (1, 16)))
        ct.store(e, index=(n + 2, 0), tile=ct.reshape(v**n, (1, 16)))


# The identity of a maximum is below zero: of 64 bits its sign is the last.
@compiled(dense(f64), dense(f64), 8)
def below_zero(x, y, size: Size):
    t = ct.load(x, index=(0,), shape=(size,))
    ct.store(y, index=(0,), tile=ct.max(t, axis=0, keepdims=True))
    ct.store(y, index=(1,), tile=ct.astype(ct.argmax(t, axis=0, keepdims=True), f64))
    ct.store(y, index=(2,), tile=ct.reduce(t, 0, lambda a, b: ct.maximum(a, b), -1e300, keepdims=True))
    ct.store(y, index=(1,), tile=ct.scan(t, 0, lambda a, b: ct.maximum(a, b), -1e300))


@compiled(dense(f32), dense(f32))
def dependents(x, y):
    ct.grid_dependency_control_launch_dependents()
    t = ct.load(x, index=(0,), shape=(8,))
    ct.grid_dependency_control_wait()
    ct.store(y, index=(0,), tile=t + t)
