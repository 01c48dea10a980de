// Takes operations.def apart, once.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/tileir/layout.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilesim::tileir {
namespace {

struct field_name {
  std::string_view text;
  field what;
};

constexpr std::array names{
    field_name{"ftz", field::ftz},
    field_name{"nan", field::nan},
    field_name{"unsigned", field::unsigned_},
    field_name{"saturating", field::saturating},
    field_name{"fast_acc", field::fast_acc},
    field_name{"global", field::global},
    field_name{"scope", field::scope},
    field_name{"hints", field::hints},
    field_name{"mask", field::mask},
    field_name{"padding", field::padding},
    field_name{"token", field::token},
    field_name{"round", field::round},
    field_name{"wrap", field::wrap},
    field_name{"sign", field::sign},
    field_name{"sign_of_rhs", field::sign_of_rhs},
    field_name{"comparison", field::comparison},
    field_name{"ordering", field::ordering},
    field_name{"order", field::order},
    field_name{"mode", field::mode},
    field_name{"number", field::number},
    field_name{"alignment", field::alignment},
    field_name{"reverse", field::reverse},
    field_name{"constant", field::constant},
    field_name{"text", field::text},
    field_name{"predicate", field::predicate},
    field_name{"permutation", field::permutation},
    field_name{"identities", field::identities},
    field_name{"inbounds", field::inbounds},
    field_name{"pointers", field::pointers},
    field_name{"compared", field::compared},
    field_name{"value", field::value},
    field_name{"view", field::view},
    field_name{"base", field::base},
    field_name{"index", field::index},
    field_name{"shape", field::shape},
    field_name{"strides", field::strides},
    field_name{"arguments", field::arguments},
};

layout_field read_field(std::string_view word) {
  layout_field result;
  if (word.front() == '[') {
    result.optional = true;
    word = word.substr(1, word.size() - 2);
  }
  if (word.back() == '*') {
    result.counted = true;
    word.remove_suffix(1);
  }
  if (const auto at = word.find('@'); at != std::string_view::npos) {
    result.since = static_cast<unsigned>(word[at + 1] - '0');
    word = word.substr(0, at);
  }
  const auto* found =
      std::find_if(names.begin(), names.end(), [&](auto& n) { return n.text == word; });
  TILESIM_ASSERT(found != names.end(), word.size());
  result.what = found->what;
  return result;
}

std::vector<layout_field> read_fields(std::string_view words) {
  std::vector<layout_field> result;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    result.push_back(read_field(words.substr(0, end)));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return result;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

layout read_row(opcode what,
                unsigned since,
                std::string_view results,
                std::string_view flags,
                std::string_view attributes,
                std::string_view operands,
                unsigned regions) {
  layout l;
  l.what = what;
  l.since = since;
  if (results != "v") {
    l.results = static_cast<unsigned>(results.front() - '0');
  }
  l.flags = read_fields(flags);
  l.attributes = read_fields(attributes);
  if (operands == "*") {
    l.operands_counted = true;
  } else if (is_digit(operands.front())) {
    l.operands = static_cast<unsigned>(operands.front() - '0');
  } else {
    l.parts = read_fields(operands);
  }
  l.regions = regions;
  return l;
}

struct table {
  std::vector<layout> rows;
  std::array<const layout*, 256> by_code{};

  table() {
    std::vector<unsigned> codes;
#define TILEIR_OPERATION(name, code, since, results, flags, attributes, operands, regions)         \
  rows.push_back(read_row(opcode::name, since, results, flags, attributes, operands, regions));    \
  codes.push_back(code);
#include "sim/tileir/operations.def"
    for (std::size_t i = 0; i < rows.size(); ++i) {
      by_code.at(codes[i]) = &rows[i];
    }
  }
};

} // namespace

const layout* find_layout(std::uint64_t code) {
  static const table all;
  return code < all.by_code.size() ? all.by_code[code] : nullptr;
}

const char* name(opcode o) noexcept {
  switch (o) {
  case opcode::assert_:
    return "assert";
  case opcode::break_:
    return "break";
  case opcode::continue_:
    return "continue";
  case opcode::for_:
    return "for";
  case opcode::if_:
    return "if";
  case opcode::return_:
    return "return";
  default:
    break;
  }
  static constexpr std::array all{
#define TILEIR_OPERATION(name, code, since, results, flags, attributes, operands, regions) #name,
#include "sim/tileir/operations.def"
  };
  return all[static_cast<std::size_t>(o)];
}

} // namespace tilesim::tileir
