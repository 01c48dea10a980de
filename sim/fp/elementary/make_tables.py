#!/usr/bin/env python3
"""Writes tables.hpp: the constants of the elementary functions, from mpmath at 2000 bits.

    make_tables.py > tables.hpp

A value of double-double precision is the nearest double and the nearest double to the rest. Nothing
runs this at build time; tests/sim/fp/elementary.test.cpp holds every number against MPFR.
SPDX-License-Identifier: Apache-2.0
"""
import mpmath
from mpmath import mp, mpf

mp.prec = 2000


def nearest(x, bits=53):
    """x rounded to so many bits, to nearest even, as an exact number."""
    with mp.workprec(bits):
        return +mpf(x)


def double(x):
    return float(nearest(x)).hex().replace("0x1.0000000000000p", "0x1p").replace("p+", "p")


def pair(x):
    hi = nearest(x)
    return "{%s, %s}" % (double(hi), double(x - hi))


def parts(x, *bits):
    """x as a sum: leading parts of so many bits each, and a double for what is left."""
    found = []
    for b in bits:
        found.append(nearest(x, b))
        x -= found[-1]
    return "{%s}" % ", ".join(double(p) for p in found + [x])


def array(kind, name, values, comment):
    print("\n// %s" % comment)
    print("inline constexpr %s %s[%d] = {" % (kind, name, len(values)))
    for v in values:
        print("    %s," % v)
    print("};")


def value(kind, name, text, comment):
    print("\n// %s" % comment)
    print("inline constexpr %s %s = %s;" % (kind, name, text))


def fit(name, f, low, high, count, comment):
    """A polynomial of `count` coefficients, constant first, near the best on [low, high]."""
    mp.prec = 200
    coefficients = mpmath.chebyfit(f, [mpf(low), mpf(high)], count)[::-1]
    worst = 0
    for i in range(1001):
        x = mpf(low) + (mpf(high) - mpf(low)) * i / 1000
        got = mpmath.polyval([nearest(c) for c in coefficients[::-1]], x)
        worst = max(worst, abs(got - f(x)) / abs(f(x)))
    mp.prec = 2000
    array("double", name, [double(c) for c in coefficients],
          "%s, on [%s, %s]; relative error below 2^%d." %
          (comment, mpmath.nstr(mpf(low), 4), mpmath.nstr(mpf(high), 4), mpmath.ceil(mpmath.log(worst, 2))))


ln2 = mpmath.log(2)
print("""// The constants of the elementary functions. Written by make_tables.py: change that.
//
// One file in spite of its length: numbers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/elementary/double_double.hpp"

#include <cstdint>

// clang-format off
namespace tilesim::sim::fp::elementary::tables {""")

array("dd", "inverse_factorial", [pair(1 / mpmath.factorial(n)) for n in range(20)], "1 / n!")
array("dd", "inverse_odd", [pair(mpf(1) / (2 * n + 1)) for n in range(12)], "1 / (2n + 1)")

array("dd", "power_of_two", [pair(mpf(2) ** (mpf(j) / 64)) for j in range(64)], "2^(j/64)")
value("double", "ln2_64th[3]", parts(ln2 / 64, 34, 34),
      "ln 2 / 64; products of the first two with integers below 2^19 are exact.")
value("dd", "ln2", pair(ln2), "ln 2")
value("double", "ln2_split[3]", parts(ln2, 41, 41),
      "ln 2; products of the first two with integers below 2^12 are exact.")
value("dd", "log2_e", pair(1 / ln2), "1 / ln 2")


def reciprocal(i):
    """About 1 / m for m in [1 + i/128, 1 + (i+1)/128), halved from 1.4140625 on; 1 around 1."""
    if i in (0, 127):
        return mpf(1)
    centre = 1 + (mpf(i) + mpf(1) / 2) / 128
    if i >= 53:
        centre /= 2
    return mpf(int(mpmath.nint(512 / centre))) / 512


array("double", "reciprocal", [double(reciprocal(i)) for i in range(128)],
      "Near 1 / m for the numbers m from 1 + i/128 on; from i = 53 on near 2 / m. Nine bits; 1 at both ends.")
array("dd", "minus_log_reciprocal", [pair(-mpmath.log(reciprocal(i))) for i in range(128)],
      "-ln reciprocal[i]")

array("dd", "sine", [pair(mpmath.sin(mpmath.pi * j / 32)) if j % 32 else "{0, 0}" for j in range(64)],
      "sin(pi j / 32)")
value("dd", "pi_32nd", pair(mpmath.pi / 32), "pi / 32")
bits = int(mpmath.floor(32 / mpmath.pi * mpf(2) ** (22 * 64 - 64)))
array("std::uint64_t", "inverse_pi_32nd", ["0x%016x" % (bits >> (64 * i) & (2 ** 64 - 1)) for i in range(21, -1, -1)],
      "32 / pi, 64 bits a word, the first word its integral part.")

array("dd", "arc_tangent", [pair(mpmath.atan(mpf(j) / 32)) for j in range(33)], "atan(j/32)")
value("dd", "pi", pair(mpmath.pi), "pi")
value("dd", "half_pi", pair(mpmath.pi / 2), "pi / 2")
value("dd", "quarter_pi", pair(mpmath.pi / 4), "pi / 4")
value("dd", "three_quarters_pi", pair(mpmath.pi * 3 / 4), "3 pi / 4")

print("""
// ---------------------------------------------------------------------------------------------
// For the fast functions, in double precision.""")
value("double", "ln2_fast[2]", parts(ln2, 40), "ln 2; products of the first with integers below 2^13 are exact.")
value("double", "half_pi_fast[3]", parts(mpmath.pi / 2, 32, 32),
      "pi / 2; products of the first two with integers below 2^21 are exact.")
value("double", "two_over_pi", double(2 / mpmath.pi), "2 / pi")
value("double", "log2_e_fast", double(1 / ln2), "1 / ln 2")


def even(f, first, second):
    """g with f(x) = first x (1 + x^2 g(x^2)), by its values; second is g(0)."""
    def g(z):
        if z < mpf(2) ** -60:
            return mpf(second)
        x = mpmath.sqrt(z)
        return (f(x) / (first * x) - 1) / z
    return g


fit("exp_fit", mpmath.exp, -ln2 / 2 * mpf("1.0001"), ln2 / 2 * mpf("1.0001"), 11, "e^r")
fit("exp2_fit", lambda r: mpf(2) ** r, mpf("-0.5001"), mpf("0.5001"), 11, "2^r")
fit("log_fit", even(mpmath.atanh, 1, mpf(1) / 3), 0, mpf("0.02945"), 9,
    "(atanh(s) / s - 1) / s^2, of s^2")
fit("sin_fit", even(mpmath.sin, 1, -mpf(1) / 6), 0, mpf("0.618"), 7, "(sin(r) / r - 1) / r^2, of r^2")
fit("cos_fit", lambda z: (mpmath.cos(mpmath.sqrt(z)) - 1) / z if z > mpf(2) ** -60 else -mpf(1) / 2, 0,
    mpf("0.618"), 8, "(cos(r) - 1) / r^2, of r^2")
fit("tanh_fit", even(mpmath.tanh, 1, -mpf(1) / 3), 0, mpf("0.0626"), 9, "(tanh(x) / x - 1) / x^2, of x^2")
fit("sinh_fit", even(mpmath.sinh, 1, mpf(1) / 6), 0, mpf("0.2501"), 7, "(sinh(x) / x - 1) / x^2, of x^2")
fit("atan_fit", even(mpmath.atan, 1, -mpf(1) / 3), 0, mpf("0.0626"), 10, "(atan(u) / u - 1) / u^2, of u^2")
value("double", "atan_half", double(mpmath.atan(mpf(1) / 2)), "atan(1/2)")
print("""
} // namespace tilesim::sim::fp::elementary::tables
// clang-format on""")
