// What a source has for devices alone, behind conditions of __CUDA_ARCH__.
//
// nvcc compiles a source for the host, where there is no __CUDA_ARCH__, and for each device, where
// there is. Here it is compiled once. So the name is one of tilesim's own where only a device comes
// by: in the bodies of __global__ and of __device__ functions, and around such functions. A
// function for host and device whose body has such conditions gets two bodies, one for each.
// <nv/target>'s NV_IF_TARGET and its kin are treated alike.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/rewrite/lexer.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tilesim::tools {

/// The macro that stands there instead of __CUDA_ARCH__.
inline constexpr std::string_view device_arch_macro = "TILESIM_CUDA_ARCH";

/// Whether a text may ask what it is compiled for.
[[nodiscard]] bool asks_for_target(std::string_view text);

/// A path as it stands between quotes in a directive.
[[nodiscard]] std::string escaped_path(const std::string& path);

/// Who comes by a place.
enum class body : unsigned char { none, device, shared, host };

/// Which of __device__, __host__ and __global__ a macro stands for, by its name.
struct device_macros {
  static constexpr unsigned device = 1;
  static constexpr unsigned host = 2;
  static constexpr unsigned global = 4;

  /// Looks for definitions in a text.
  void add(std::string_view text);
  /// What a word stands for: a specifier, or a macro that is one, perhaps by way of others.
  [[nodiscard]] unsigned of(std::string_view word) const;

private:
  std::map<std::string, std::set<std::string>, std::less<>> words_; ///< of definitions
  mutable std::unordered_map<std::string, unsigned> known_;
};

/// Where an identifier of some text stands.
struct identifier_uses {
  bool in_device_code = false;
  bool in_both = false;   ///< in functions for host and device
  bool elsewhere = false; ///< in other code, or in a macro
};
using uses_by_name = std::unordered_map<std::string, identifier_uses>;

/// What a file's conditions of __CUDA_ARCH__ are.
class arch_conditions {
public:
  /// Bodies are found by their braces and what stands before them; macros are not expanded, but for
  /// those of specifiers. `text` has to outlive this.
  arch_conditions(std::string_view text, const device_macros& macros);

  /// Adds where the file's identifiers stand.
  void add_uses(uses_by_name& to) const;
  /// Nothing has to be another text.
  [[nodiscard]] bool changes_nothing(const uses_by_name& uses) const;
  /// The file, to be compiled in its place: as many lines, or lines that say which they are of
  /// `path`, which is how messages name the file.
  [[nodiscard]] std::string renamed(const std::string& path, const uses_by_name& uses) const;

  /// Why a device is given the host's code.
  enum class reason : unsigned char {
    none,
    macro,     ///< the condition decides on one that hosts use, too
    functions, ///< it stands around functions for host and device, one in each branch
    labels,    ///< in a function that jumps to some, of which there can be one of a name
    closure,   ///< in one that returns a closure, whose type each body would have for itself
    closed,    ///< in one whose branches close it and have more behind
  };
  struct untold {
    std::size_t line = 0;
    reason why = reason::none;
    std::string macro = {}; ///< that the condition decides upon
  };
  /// Files that are included in the body of a function that a device comes by: their text is taken
  /// for no function's.
  struct included {
    std::size_t line = 0;
    std::string name; ///< as it stands there
  };
  [[nodiscard]] const std::vector<included>& in_bodies() const noexcept { return included_; }
  /// Conditions that ask for the host, although a device comes by.
  [[nodiscard]] std::vector<untold> for_the_host(const uses_by_name& uses) const;

private:
  struct reading;

  /// A body of a function for host and device, between its braces.
  struct twofold {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<std::size_t> names; ///< where it asks for the architecture
    reason keeps_one = reason::none;
    bool closes = false; ///< in each branch of a condition, behind which `end` is then
    [[nodiscard]] bool is_one() const noexcept { return keeps_one != reason::none; }
  };
  /// Conditions that decide upon macros and nothing else.
  struct deciding {
    std::vector<std::size_t> names;
    std::vector<std::string> macros;
  };

  [[nodiscard]] static bool is_of_devices(const deciding& d, const uses_by_name& uses);
  void copy(std::string& to,
            std::size_t from,
            std::size_t until,
            const std::vector<std::size_t>& names) const;

  lexed source_;
  std::vector<std::size_t> names_; ///< where the device's architecture is asked for
  std::vector<twofold> twofold_;
  std::vector<deciding> deciding_;
  std::vector<std::size_t> choosing_; ///< conditions between functions for host and device
  std::vector<included> included_;
  uses_by_name uses_;
};

} // namespace tilesim::tools
