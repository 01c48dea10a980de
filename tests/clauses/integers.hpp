// Integer clauses: every pair of edges of a type, in every form of operands, against arithmetic on
// 128 bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <tests/clauses/kernel.hpp>

namespace tilesim::clauses {

__extension__ using wide = __int128;

template <class T>
inline constexpr int bits_of = std::is_same_v<T, bool> ? 1 : 8 * static_cast<int>(sizeof(T));
template <class T>
inline constexpr wide smallest = static_cast<wide>(std::numeric_limits<T>::min());
template <class T>
inline constexpr wide largest = static_cast<wide>(std::numeric_limits<T>::max());
template <class T>
inline constexpr wide modulus = wide{1} << bits_of<T>;

/// x if T can represent it.
template <class T>
std::optional<T> representable(wide x) {
  return x < smallest<T> || x > largest<T> ? std::nullopt : std::optional<T>(static_cast<T>(x));
}

/// The only value of T that is congruent to x modulo 2^n.
template <class T>
T modulo(wide x) {
  const wide r = ((x % modulus<T>)+modulus<T>) % modulus<T>;
  return static_cast<T>(r > largest<T> ? r - modulus<T> : r);
}

/// The quotient rounded toward zero, up, down.
inline wide truncated(wide a, wide b) {
  return a / b;
}
inline wide ceiling(wide a, wide b) {
  return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
}
inline wide floored(wide a, wide b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// Sixteen values of T: both ends, zero and what surrounds it, powers of two and their neighbours,
/// factors whose product just fits.
template <class T>
std::array<T, 16> edges() {
  constexpr wide lo = smallest<T>, hi = largest<T>, root = wide{1} << (bits_of<T> / 2);
  std::array<T, 16> values{};
  std::size_t i = 0;
  for (const wide x : {lo,
                       lo + 1,
                       hi,
                       hi - 1,
                       wide{0},
                       wide{1},
                       wide{2},
                       wide{3},
                       lo == 0 ? wide{5} : wide{-1},
                       lo == 0 ? wide{7} : wide{-2},
                       lo == 0 ? hi / 2 : wide{-3},
                       lo == 0 ? hi / 2 + 1 : -root,
                       root,
                       root - 1,
                       hi / 3,
                       lo / 2 + 10}) {
    values[i++] = modulo<T>(x);
  }
  return values;
}

inline std::string text_of(wide x) {
  if (x < 0) {
    return '-' + text_of(-x);
  }
  const auto last = std::string(1, static_cast<char>('0' + static_cast<int>(x % 10)));
  return x < 10 ? last : text_of(x / 10) + last;
}

/// Compares one result with what the page says, which is nothing if the page calls it undefined.
template <class T, class U, class R>
void compare(mistakes& wrong, const char* form, T a, U b, R got, std::optional<R> want) {
  if (want.has_value() && got != *want) {
    wrong.add(type_name<T>(),
              " ",
              form,
              ": (",
              text_of(static_cast<wide>(a)),
              ", ",
              text_of(static_cast<wide>(b)),
              ") gives ",
              text_of(static_cast<wide>(got)),
              ", not ",
              text_of(static_cast<wide>(*want)));
  }
}

/// Op, whose operands are T and U, on all pairs of values in every form of operands. `exact(a, b)`
/// is the result by the page, nothing if undefined. One function in spite of its length: a list of
/// the forms.
template <class Op, class R, class T, class U, class Exact>
std::string check_pairs(const probe& p,
                        const std::array<T, 16>& left,
                        const std::array<U, 16>& right,
                        const Exact& exact) {
  mistakes wrong;
  bool undefined_somewhere = false;

  // One element against one element: each pair is defined or not by itself.
  for (const T a : left) {
    for (const U b : right) {
      const std::optional<R> want = exact(a, b);
      undefined_somewhere |= !want.has_value();
      R got{};
      const bool undefined = p.is_undefined([&] {
        const auto r = Op::apply(tile<T>(a), tile<U>(b));
        static_assert(std::is_same_v<decltype(r), const tile<R>>);
        got = stored(r);
      });
      compare(wrong, "rank 0", a, b, got, want);
      if (undefined == want.has_value()) {
        wrong.add(type_name<T>(),
                  " (",
                  text_of(static_cast<wide>(a)),
                  ", ",
                  text_of(static_cast<wide>(b)),
                  undefined ? ") was called undefined" : ") was not called undefined");
      }
    }
  }

  // A column with a row: all pairs in one operation, broadcast.
  const bool undefined = p.is_undefined([&] {
    const auto r = Op::apply(loaded<16, 1>(left), loaded<1, 16>(right));
    static_assert(std::is_same_v<decltype(r), const tile<R, 16, 16>>);
    const auto got = stored(r);
    for (std::size_t i = 0; i < 256; ++i) {
      compare(wrong,
              "column, row",
              left[i / 16],
              right[i % 16],
              got[i],
              std::optional<R>(exact(left[i / 16], right[i % 16])));
    }
  });
  if (undefined != undefined_somewhere) {
    wrong.add(type_name<T>(), " column, row: undefined elements, but no finding, or none and one");
  }

  for (std::size_t k = 0; k < 16; ++k) {
    // Equal shapes, one operand rotated.
    std::array<U, 16> rotated{};
    for (std::size_t i = 0; i < 16; ++i) {
      rotated[i] = right[(i + k) % 16];
    }
    const auto alike = stored(Op::apply(loaded<16>(left), loaded<16>(rotated)));
    for (std::size_t i = 0; i < 16; ++i) {
      compare(wrong,
              "tile, tile",
              left[i],
              rotated[i],
              alike[i],
              std::optional<R>(exact(left[i], rotated[i])));
    }
    // A scalar on either side.
    const auto r = Op::apply(loaded<16>(left), right[k]);
    const auto l = Op::apply(left[k], loaded<16>(right));
    static_assert(std::is_same_v<decltype(r), const tile<R, 16>>);
    static_assert(std::is_same_v<decltype(l), const tile<R, 16>>);
    const auto scalar_right = stored(r);
    const auto scalar_left = stored(l);
    for (std::size_t i = 0; i < 16; ++i) {
      compare(wrong,
              "tile, scalar",
              left[i],
              right[k],
              scalar_right[i],
              std::optional<R>(exact(left[i], right[k])));
      compare(wrong,
              "scalar, tile",
              left[k],
              right[i],
              scalar_left[i],
              std::optional<R>(exact(left[k], right[i])));
      // Two scalars: only the named functions take them, operators are C++'s own.
      if constexpr (Op::of_scalars) {
        const auto both = Op::apply(left[i], right[k]);
        static_assert(std::is_same_v<decltype(both), const R>);
        compare(wrong,
                "scalar, scalar",
                left[i],
                right[k],
                both,
                std::optional<R>(exact(left[i], right[k])));
      }
    }
  }
  return wrong.text();
}

/// All pairs of edges of every type in a list; `exact` is a template of the type.
template <class Op, class Types, class Exact>
void check_types(Types types, const Exact& exact) {
  in_kernel([&](const probe& p) {
    for_each_type(types, [&]<class T>() {
      CHECK(check_pairs<Op, T>(p, edges<T>(), edges<T>(), [&](T a, T b) -> std::optional<T> {
              return exact.template operator()<T>(static_cast<wide>(a), static_cast<wide>(b));
            }) == "");
    });
  });
}

/// A row of a clause's table; no result: the page leaves it undefined.
template <class T, class R = T>
struct row {
  const char* name;
  T a, b;
  std::optional<R> want;
};

/// Each row by itself.
template <class Op, class T, class R, std::size_t N>
void check_rows(const row<T, R> (&rows)[N]) {
  in_kernel([&](const probe& p) {
    for (const row<T, R>& r : rows) {
      CAPTURE(r.name);
      R got{};
      CHECK(p.is_undefined([&] { got = stored(Op::apply(tile<T>(r.a), tile<T>(r.b))); }) !=
            r.want.has_value());
      if (r.want.has_value()) {
        CHECK(got == *r.want);
      }
    }
  });
}

/// The same for operations of one operand, on sixteen edges and one by one.
template <class Op, class R, class T, class Exact>
std::string check_values(const probe& p, const std::array<T, 16>& values, const Exact& exact) {
  mistakes wrong;
  const auto together = Op::apply(loaded<4, 4>(values));
  static_assert(std::is_same_v<decltype(together), const tile<R, 4, 4>>);
  const auto got = stored(together);
  for (std::size_t i = 0; i < 16; ++i) {
    const std::optional<R> want = exact(values[i]);
    compare(wrong, "tile", values[i], 0, got[i], want);
    R alone{};
    const bool undefined = p.is_undefined([&] { alone = stored(Op::apply(tile<T>(values[i]))); });
    compare(wrong, "rank 0", values[i], 0, alone, want);
    if (undefined == want.has_value()) {
      wrong.add(type_name<T>(), " ", text_of(static_cast<wide>(values[i])), ": defined or not?");
    }
    if constexpr (Op::of_scalars) {
      compare(wrong, "scalar", values[i], 0, R{Op::apply(values[i])}, want);
    }
  }
  return wrong.text();
}

// An operation as a type: an operator, and a named function, which takes two scalars as well.
#define TILESIM_BINARY(name, scalars, ...)                                                         \
  struct name {                                                                                    \
    static constexpr bool of_scalars = scalars;                                                    \
    template <class L, class R>                                                                    \
    static auto apply(const L& a, const R& b) {                                                    \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
#define TILESIM_UNARY(name, scalars, ...)                                                          \
  struct name {                                                                                    \
    static constexpr bool of_scalars = scalars;                                                    \
    template <class A>                                                                             \
    static auto apply(const A& a) {                                                                \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };

} // namespace tilesim::clauses
