// Clauses of the reference pages, put to the simulator as a program would: a kernel that loads its
// operands, evaluates an expression of cuda::tiles and stores the result.
//
// The whole check of a clause is one tile block: it may look at what has been found so far, so that
// an operation that must be undefined stands beside one that must not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <sstream>
#include <string>
#include <tests/sim/kernel_fixture.hpp>
#include <tests/support/catch.hpp>
#include <type_traits>

namespace ct = cuda::tiles;

namespace tilesim::clauses {

template <class E, std::size_t... Extents>
using tile = ct::tile<E, ct::shape<Extents...>>;

/// What the simulator has found in the run that a kernel is part of.
class probe {
public:
  explicit probe(const sim::context& c) noexcept
      : context_(&c) {}

  /// How many times a defect has been met, whatever its kind and words.
  [[nodiscard]] std::uint64_t defects() const noexcept {
    std::uint64_t total = 0;
    for (const finding& f : context_->found.all().findings) {
      total += f.severity == finding::level::defect ? f.count : 0;
    }
    return total;
  }

  /// True if evaluating f met a defect.
  template <class F>
  [[nodiscard]] bool is_undefined(F f) const {
    const std::uint64_t before = defects();
    f();
    return defects() != before;
  }

  /// How many times a defect of this kind has been met.
  [[nodiscard]] std::uint64_t defects(finding_kind kind) const noexcept {
    std::uint64_t total = 0;
    for (const finding& f : context_->found.all().findings) {
      total += f.kind == kind ? f.count : 0;
    }
    return total;
  }

  /// True if evaluating f met one defect, of this kind.
  template <class F>
  [[nodiscard]] bool meets(finding_kind kind, F f) const {
    const std::uint64_t before = defects();
    const std::uint64_t of_kind = defects(kind);
    f();
    return defects() == before + 1 && defects(kind) == of_kind + 1;
  }

private:
  const sim::context* context_;
};

/// Runs body(probe) as one tile block of a simulator of its own.
template <class Body>
void in_kernel(Body body, const sim::options& how = {}) {
  sim::context c{how};
  sim::run_block(c, [&] { body(probe{c}); });
}

// ------------------------------------------------------------------------- tiles from elements

/// The tile with these elements, loaded from memory.
template <std::size_t... Extents, class E, std::size_t N>
tile<E, Extents...> loaded(const std::array<E, N>& elements) {
  static_assert((Extents * ... * 1) == N);
  if constexpr (std::is_pointer_v<E>) { // which no pointer of a tile may point to
    std::array<std::uint64_t, N> bits{};
    std::memcpy(bits.data(), elements.data(), sizeof bits);
    return ct::element_bitcast<E>(loaded<Extents...>(bits));
  } else {
    return ct::load(elements.data() + ct::iota<tile<int, Extents...>>());
  }
}

/// The elements of a tile, stored to memory.
template <class E, std::size_t... Extents>
std::array<E, (Extents * ... * 1)> stored(const tile<E, Extents...>& x) {
  std::array<E, (Extents * ... * 1)> elements{};
  if constexpr (std::is_pointer_v<E>) {
    const auto bits = stored(ct::element_bitcast<std::uint64_t>(x));
    std::memcpy(elements.data(), bits.data(), sizeof bits);
  } else {
    ct::store(elements.data() + ct::iota<tile<int, Extents...>>(), x);
  }
  return elements;
}
template <class E>
E stored(const tile<E>& x) {
  E element{};
  if constexpr (std::is_pointer_v<E>) {
    const auto bits = stored(ct::element_bitcast<std::uint64_t>(x));
    std::memcpy(&element, &bits, sizeof bits);
  } else {
    ct::store(&element, x);
  }
  return element;
}

// -------------------------------------------------------------------------------- lists of types

template <class... T>
struct list {};

// char and wchar_t are as on the host, as they are to NVIDIA's compiler: signed on x86-64, unsigned
// on aarch64.
#if defined(__CHAR_UNSIGNED__)
using signed_types = list<signed char, short, int, long, long long>;
using unsigned_types = list<bool,
                            char,
                            wchar_t,
                            unsigned char,
                            char8_t,
                            unsigned short,
                            char16_t,
                            unsigned,
                            char32_t,
                            unsigned long,
                            unsigned long long>;
#else
using signed_types = list<char, signed char, short, int, wchar_t, long, long long>;
using unsigned_types = list<bool,
                            unsigned char,
                            char8_t,
                            unsigned short,
                            char16_t,
                            unsigned,
                            char32_t,
                            unsigned long,
                            unsigned long long>;
#endif
using basic_floating_point_types = list<__half, __nv_bfloat16, float, double>;
static_assert(std::is_signed_v<char> == std::is_signed_v<wchar_t>);

/// Calls f.template operator()<T>() for every type.
template <class... T, class F>
void for_each_type(list<T...>, F f) {
  (f.template operator()<T>(), ...);
}

/// As a person would name it in a message.
template <class T>
std::string type_name() {
#define TILESIM_NAMED(...)                                                                         \
  if constexpr (std::is_same_v<T, __VA_ARGS__>) {                                                  \
    return #__VA_ARGS__;                                                                           \
  } else
  TILESIM_NAMED(bool)
  TILESIM_NAMED(char)
  TILESIM_NAMED(signed char)
  TILESIM_NAMED(unsigned char)
  TILESIM_NAMED(char8_t)
  TILESIM_NAMED(char16_t)
  TILESIM_NAMED(char32_t)
  TILESIM_NAMED(wchar_t)
  TILESIM_NAMED(short)
  TILESIM_NAMED(unsigned short)
  TILESIM_NAMED(int)
  TILESIM_NAMED(unsigned)
  TILESIM_NAMED(long)
  TILESIM_NAMED(unsigned long)
  TILESIM_NAMED(long long)
  TILESIM_NAMED(unsigned long long)
  TILESIM_NAMED(__half)
  TILESIM_NAMED(__nv_bfloat16)
  TILESIM_NAMED(float)
  TILESIM_NAMED(double) {
    return "?";
  }
#undef TILESIM_NAMED
}

/// Collects what was wrong; empty if nothing was. Stops collecting when it has become clear.
class mistakes {
public:
  template <class... Parts>
  void add(const Parts&... parts) {
    if (++count_ <= 8) {
      (text_ << ... << parts);
      text_ << '\n';
    }
  }
  [[nodiscard]] std::string text() const {
    return count_ <= 8 ? text_.str() : text_.str() + std::to_string(count_) + " mistakes";
  }

private:
  std::ostringstream text_;
  int count_ = 0;
};

} // namespace tilesim::clauses
