// The variables of the source that an entry's values are, where the front end has told.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"
#include "sim/tileir/module.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::interpreter {

/// A variable as the front end knows it: while it wrote the file.
struct told_variable {
  /// The value's number there, where numbers are used again behind a region, and how many
  /// operations had been written when it was known.
  struct written {
    std::uint32_t number = 0;
    std::uint32_t operations = 0;
  };
  std::optional<written> value; ///< nothing: a constant, or nothing that is kept
  std::optional<written>
      from; ///< the value behind whose making the name stands for it; not of constants
  double constant = 0;
  bool is_integer = false;  ///< the constant
  bool is_unsigned = false; ///< as elements are read
  std::string function;     ///< whose variable it is
  std::string name;
};

/// Lines of words: "NUMBER OPERATIONS s|u FUNCTION NAME FROM-NUMBER FROM-OPERATIONS"; "none
/// FUNCTION NAME FROM-NUMBER FROM-OPERATIONS", from where on nothing is known of it; "constant i|f
/// NUMBER FUNCTION NAME". What is none of them is left out.
[[nodiscard]] std::vector<told_variable> read_variables(std::string_view lines);

class variable_names {
public:
  variable_names(const tileir::entry& e, const std::vector<told_variable>& all);

  struct known {
    std::string function;
    std::string name;
    bool is_unsigned = false;
    std::optional<tileir::value_id> value;
    double constant = 0;
    bool is_integer = false;
  };

  /// Of all values that have a name.
  [[nodiscard]] std::vector<tileir::value_id> values() const;

  /// Of a function, where operation `number` is about to begin: those that have a value, the latest
  /// of each name.
  [[nodiscard]] std::vector<known> visible(std::uint32_t number, std::string_view function) const;

private:
  const tileir::entry& entry_;
  /// By the value behind which they begin to hold, in the order of their assignments.
  std::map<tileir::value_id, std::vector<known>> from_;
  std::vector<known> constants_;
};

} // namespace tilesim::interpreter
