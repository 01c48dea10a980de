// A random tile program as data.
//
// generate.cpp makes one, write.cpp turns it into CUDA.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

/// An element type, as C++ has it.
struct scalar {
  const char* name;
  bool floating;
  bool is_signed;
  unsigned bits;    ///< of an integer's value, or of a float's significand
  long double most; ///< the largest finite value
};

// Numbers in `scalars`.
enum : std::size_t { boolean, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

inline constexpr std::array<scalar, 13> scalars{{
    {"bool", false, false, 1, 1},
    {"signed char", false, true, 8, 127},
    {"unsigned char", false, false, 8, 255},
    {"short", false, true, 16, 32767},
    {"unsigned short", false, false, 16, 65535},
    {"int", false, true, 32, 2147483647.0L},
    {"unsigned", false, false, 32, 4294967295.0L},
    {"long long", false, true, 64, 9223372036854775807.0L},
    {"unsigned long long", false, false, 64, 18446744073709551615.0L},
    {"__half", true, true, 11, 65504},
    {"__nv_bfloat16", true, true, 8, 3.3895313892515355e38L},
    {"float", true, true, 24, 3.4028234663852886e38L},
    {"double", true, true, 53, 1.7976931348623157e308L},
}};

/// A tile's type: element and extents; rank 0 is a tile, too.
struct tile_type {
  std::size_t element = i32; ///< in `scalars`
  std::vector<unsigned> shape;

  [[nodiscard]] const scalar& of() const { return scalars[element]; }
  [[nodiscard]] unsigned size() const {
    unsigned n = 1;
    for (const unsigned e : shape) {
      n *= e;
    }
    return n;
  }
  friend bool operator==(const tile_type&, const tile_type&) = default;
};

/// What a value may be: every element lies within, or (`any`, of floats) it may be anything, also
/// infinite or no number.
struct range {
  long double low = 0;
  long double high = 0;
  bool any = false;
};

struct value {
  tile_type type;
  range within;
  bool used = false;
};

/// One line or a few of a kernel. `text` holds {r} for the result's name, {0}, {1} … for those of
/// the values that it uses, {p} for the program's label.
struct statement {
  std::optional<std::size_t> makes; ///< a value
  std::vector<std::size_t> uses;
  std::string text;
};

struct buffer {
  std::string name;
  std::size_t element = i32;
  unsigned size = 0; ///< elements
  range within;      ///< what the host fills it with; zeros where both ends are 0
  bool output = false;
};

struct kernel {
  std::vector<std::size_t> buffers; ///< its parameters
  std::vector<value> values;
  std::vector<statement> body;
  unsigned blocks = 1;
  unsigned stream = 0; ///< 0: the default one; others run beside each other
  bool prints = false;
};

struct program {
  std::uint64_t seed = 0;
  std::vector<std::size_t> path; ///< which of the smaller ones it is, of which (reduce.hpp)
  unsigned operations = 0;       ///< as asked for, a kernel
  std::vector<buffer> buffers;
  std::vector<kernel> kernels;

  /// "7"; "7.3.12" of a smaller one.
  [[nodiscard]] std::string label(char between = '.') const {
    std::string text = std::to_string(seed);
    for (const std::size_t step : path) {
      text += between + std::to_string(step);
    }
    return text;
  }
};

} // namespace tilesim::tools::fuzz
