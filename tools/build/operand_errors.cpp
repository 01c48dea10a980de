// Why two operands do not go together: their types are read from the message, and judged by the
// headers' own rule. What an atomic operation is told its order by. And what a launch's values are.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/operand_errors.hpp"

#include "tools/cli/terminal.hpp"

#include <tilesim/convert.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools {

namespace {

namespace rules = ::cuda::tiles::detail;

struct known_type {
  std::string_view name;
  rules::scalar_facts facts;
};

// As g++ and as clang++ write them. Classes of elements are converted by name, too, but nobody adds
// an integer to one by mistake.
constexpr std::array types{
    known_type{"bool", rules::scalar_of<bool>},
    known_type{"char", rules::scalar_of<char>},
    known_type{"signed char", rules::scalar_of<signed char>},
    known_type{"unsigned char", rules::scalar_of<unsigned char>},
    known_type{"short int", rules::scalar_of<short>},
    known_type{"short", rules::scalar_of<short>},
    known_type{"short unsigned int", rules::scalar_of<unsigned short>},
    known_type{"unsigned short", rules::scalar_of<unsigned short>},
    known_type{"int", rules::scalar_of<int>},
    known_type{"unsigned int", rules::scalar_of<unsigned>},
    known_type{"long int", rules::scalar_of<long>},
    known_type{"long", rules::scalar_of<long>},
    known_type{"long unsigned int", rules::scalar_of<unsigned long>},
    known_type{"unsigned long", rules::scalar_of<unsigned long>},
    known_type{"long long int", rules::scalar_of<long long>},
    known_type{"long long", rules::scalar_of<long long>},
    known_type{"long long unsigned int", rules::scalar_of<unsigned long long>},
    known_type{"unsigned long long", rules::scalar_of<unsigned long long>},
    known_type{"float", rules::scalar_of<float>},
    known_type{"double", rules::scalar_of<double>},
    known_type{"__half", rules::scalar_of<__half>},
    known_type{"__nv_bfloat16", rules::scalar_of<__nv_bfloat16>},
};

struct operand {
  std::string element;
  rules::scalar_facts facts;
  bool is_tile = false;
  std::vector<unsigned long> shape;
};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with("const ")) {
    text.remove_prefix(text.front() == ' ' ? 1 : std::string_view("const ").size());
  }
  while (text.ends_with(' ') || text.ends_with('&')) {
    text.remove_suffix(1);
  }
  return text;
}

/// "int, extents<unsigned int, 64>": where the first argument ends.
std::size_t end_of_argument(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    depth += list[i] == '<' ? 1 : list[i] == '>' ? -1 : 0;
    if (depth < 0 || (depth == 0 && list[i] == ',')) {
      return i;
    }
  }
  return list.size();
}

/// "extents<unsigned int, 64, 2>": what stands behind the first argument.
std::vector<unsigned long> shape_of(std::string_view extents) {
  std::vector<unsigned long> shape;
  std::size_t at = extents.find(',');
  while (at != std::string_view::npos) {
    const std::string number(trimmed(extents.substr(at + 1)));
    shape.push_back(std::strtoul(number.c_str(), nullptr, 10));
    at = extents.find(',', at + 1);
  }
  return shape;
}

std::optional<operand> read_operand(std::string_view type) {
  operand result;
  type = trimmed(type);
  constexpr std::string_view tile = "tile<";
  if (type.starts_with("cuda::tiles::")) {
    const std::size_t at = type.find(tile);
    if (at == std::string_view::npos || !type.substr(0, at).ends_with("::")) {
      return {};
    }
    type.remove_prefix(at + tile.size());
    const std::size_t end = end_of_argument(type);
    result.is_tile = true;
    result.shape = shape_of(type.substr(std::min(end + 1, type.size())));
    type = trimmed(type.substr(0, end));
  }
  const auto* const known = std::ranges::find(types, type, &known_type::name);
  if (known == types.end()) {
    return {};
  }
  result.element = type;
  result.facts = known->facts;
  return result;
}

// ----------------------------------------------------------------------------- reading messages

/// Texts in quotes, g++'s or clang++'s, behind `from`; of "'tile' (aka '…')" the second.
std::vector<std::string_view> quoted_types(std::string_view text) {
  constexpr std::string_view open = "‘";
  constexpr std::string_view close = "’";
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t fine = text.find(open);
    const std::size_t plain = text.find('\'');
    const bool is_fine = fine < plain;
    const std::size_t begin = is_fine                           ? fine + open.size()
                              : plain == std::string_view::npos ? plain
                                                                : plain + 1;
    if (begin == std::string_view::npos || std::min(fine, plain) == std::string_view::npos) {
      break;
    }
    const std::size_t end = is_fine ? text.find(close, begin) : text.find('\'', begin);
    if (end == std::string_view::npos) {
      break;
    }
    const std::string_view before = text.substr(0, std::min(fine, plain));
    if (!found.empty() && (before.ends_with("(aka ") || before.ends_with("{aka "))) {
      found.back() = text.substr(begin, end - begin);
    } else {
      found.push_back(text.substr(begin, end - begin));
    }
    text.remove_prefix(end + (is_fine ? close.size() : 1));
  }
  return found;
}

struct operand_error {
  std::string place;     ///< "a.cu:5:29"
  std::string operation; ///< "+"; clang++ does not say
  operand left, right;
};

/// Reads "a.cu:5:29: error: no match for ‘operator+’ (operand types are ‘A’ and ‘B’)", or "invalid
/// operands to binary expression ('A' and 'B')".
std::optional<operand_error> read_error(std::string_view line) {
  constexpr std::string_view error = ": error: ";
  constexpr std::string_view gcc = "no match for ";
  constexpr std::string_view clang = "invalid operands to binary expression ";
  const std::size_t at = line.find(error);
  if (at == std::string_view::npos) {
    return {};
  }
  operand_error result{
      .place = std::string(line.substr(0, at)), .operation = {}, .left = {}, .right = {}};
  const std::string_view said = line.substr(at + error.size());
  const bool is_gcc = said.starts_with(gcc);
  if (!is_gcc && !said.starts_with(clang)) {
    return {};
  }
  std::vector<std::string_view> names = quoted_types(said);
  constexpr std::string_view word = "operator";
  if (is_gcc) {
    if (names.empty() || !names.front().starts_with(word)) {
      return {};
    }
    result.operation = names.front().substr(word.size());
    names.erase(names.begin());
  }
  if (names.size() != 2) {
    return {};
  }
  auto left = read_operand(names[0]);
  auto right = read_operand(names[1]);
  if (!left || !right || (!left->is_tile && !right->is_tile)) {
    return {};
  }
  result.left = std::move(*left);
  result.right = std::move(*right);
  return result;
}

// -------------------------------------------------------------------------------------- the cause

bool broadcast(std::span<const unsigned long> a, std::span<const unsigned long> b) {
  const std::size_t shared = std::min(a.size(), b.size());
  return std::ranges::equal(a.last(shared), b.last(shared), [](unsigned long x, unsigned long y) {
    return x == y || x == 1 || y == 1;
  });
}

/// Empty where it is another reason, or an operator of another rule: assignments and shifts.
std::string cause(const operand_error& e) {
  const auto& [place, operation, l, r] = e;
  constexpr std::array<std::string_view, 15> explained{
      "", "+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="};
  if (std::ranges::find(explained, operation) == explained.end()) {
    return {};
  }
  const bool of_integers =
      operation == "%" || operation == "&" || operation == "|" || operation == "^";
  const auto floats = [](const operand& o) {
    return o.element == "float" || o.element == "double" || o.element == "__half" ||
           o.element == "__nv_bfloat16";
  };
  if (of_integers && (floats(l) || floats(r))) {
    return {}; // no cast that would be named is one to a type that has the operator
  }
  // In arithmetic a scalar becomes an element of the tile; in comparisons it does if it is no
  // wider.
  const bool arithmetic =
      rules::arithmetic_element(l.facts, !l.is_tile, r.facts, !r.is_tile) != rules::no_common_type;
  const bool compared = rules::comparison_element(l.facts, r.facts) != rules::no_common_type;
  const bool compares = operation.starts_with('<') || operation.starts_with('>') ||
                        operation == "==" || operation == "!=";
  const bool unknown = operation.empty(); // to be sure, neither
  const bool has_type = unknown ? arithmetic || compared : compares ? compared : arithmetic;
  if (!has_type) {
    const operand& tile = l.is_tile ? l : r;
    const operand& other = l.is_tile ? r : l;
    if (!other.is_tile) {
      return fmt::format(
          "beside a tile of {0} a scalar becomes {0}, to which {1} narrows: write "
          "static_cast<{0}>(…) around the scalar, or ct::element_cast<{1}>(…) around "
          "the tile",
          tile.element,
          other.element);
    }
    return fmt::format(
        "elements of {0} and {1} have no common type that neither narrows to: write "
        "ct::element_cast<{0}>(…) around the right side, or ct::element_cast<{1}>(…) "
        "around the left",
        l.element,
        r.element);
  }
  if (l.is_tile && r.is_tile && !broadcast(l.shape, r.shape)) {
    return fmt::format(
        "the shapes [{}] and [{}] do not broadcast to one: from the last dimension on, "
        "extents are to be equal, or one of them 1",
        fmt::join(l.shape, "x"),
        fmt::join(r.shape, "x"));
  }
  return {};
}

// ------------------------------------------------------------------------- orders that are missing

/// "cuda::tiles::view<int>::atomic_add(A, B)": atomic_add.
std::string_view name_of_call(std::string_view call) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < call.size(); ++i) {
    depth += call[i] == '<' ? 1 : call[i] == '>' ? -1 : 0;
    if (depth == 0 && call[i] == ':') {
      begin = i + 1;
    }
    if (depth == 0 && call[i] == '(') {
      return call.substr(begin, i - begin);
    }
  }
  return call.substr(begin);
}

/// Does no candidate fit because its memory order was not found among the arguments? `rest`: what
/// stands behind the error's line.
bool lacks_an_order(std::string_view rest) {
  constexpr std::array<std::string_view, 4> said{
      "deduce template parameter ‘Order’",               // g++: there is none
      "infer template argument 'Order'",                 // clang++
      "memory_order_constant<Order>’ and",               // g++: it is something else
      "could not match 'memory_order_constant<Order>'"}; // clang++
  const std::string block = without_colours(std::string(rest.substr(0, rest.find(": error: "))));
  return std::ranges::any_of(
      said, [&](std::string_view text) { return block.find(text) != std::string::npos; });
}

/// A note for "a.cu:5:3: error: no matching function for call to ‘atomic_add(A, B)’", whose
/// candidates take an order. Empty for another line.
std::string missing_order(std::string_view line, std::string_view rest) {
  constexpr std::string_view error = ": error: no matching ";
  const std::size_t at = line.find(error);
  if (at == std::string_view::npos || !lacks_an_order(rest)) {
    return {};
  }
  const auto names = quoted_types(line.substr(at));
  const std::string_view name = names.empty() ? std::string_view() : name_of_call(names.front());
  if (!name.starts_with("atomic_")) { // others have an overload without
    return {};
  }
  return fmt::format(
      "{0}: note: {1} takes its memory order and thread scope as objects of types of "
      "their own: {1}(…, ct::memory_order_relaxed_t{{}}, "
      "ct::thread_scope_device_t{{}})\n",
      line.substr(0, at),
      name);
}

// ---------------------------------------------------------------------------------------- launches

/// Is the error in `line` about the call that a launch's <<<…>>> has become? `rest`: what stands
/// behind the line.
bool is_of_launch(std::string_view line, std::string_view rest) {
  constexpr std::string_view error = ": error: ";
  if (line.find(error) == std::string_view::npos) {
    return false;
  }
  if (line.find("tilesim::detail::configure(") != std::string_view::npos) {
    return true;
  }
  const std::string block = without_colours(std::string(rest.substr(0, rest.find(error))));
  constexpr std::array<std::string_view, 5> said{
      "tilesim::detail::configure(", // g++
      "launch_config configure(",    // clang++, which shows the parameter's line
      "dim3 block = 1,\n",
      "::std::size_t shared_bytes = 0,\n",
      "CUstream_st* stream = nullptr) {\n"};
  return std::ranges::any_of(
      said, [&](std::string_view text) { return block.find(text) != std::string::npos; });
}

/// The line in the user's words: the numbers of values, the stream's type.
std::string of_launch(std::string_view line, std::string_view plain) {
  if (plain.find("too many arguments") != std::string_view::npos) {
    return fmt::format("{}: error: a kernel launch takes 1 to 4 values in <<<...>>>",
                       plain.substr(0, plain.find(": error: ")));
  }
  std::string text(line);
  for (const std::string_view name : {"CUstream_st*", "CUstream_st *"}) {
    if (const std::size_t at = text.find(name); at != std::string::npos) {
      text.replace(at, name.size(), "cudaStream_t");
    }
  }
  return text;
}

// ------------------------------------------------------------------------------------ the output

/// Does a diagnostic of its own begin here, or what stands around one?
bool begins_another(std::string_view line) {
  return line.find(": error: ") != std::string_view::npos ||
         line.find(": warning: ") != std::string_view::npos ||
         line.find(": fatal error: ") != std::string_view::npos ||
         line.find(": In ") != std::string_view::npos ||
         line.find(": At global scope") != std::string_view::npos ||
         line.starts_with("compilation terminated") ||
         line.find(" generated.") != std::string_view::npos;
}

} // namespace

std::string with_operands_explained(std::string_view output) {
  std::string result;
  std::string why;       // of the error whose lines these are
  bool dropping = false; // its candidates
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    const std::string plain = without_colours(std::string(line));
    std::string shown(line);
    // g++ tells in whose substitution a constraint failed as it tells in which function an error
    // is.
    const bool of_candidate = dropping && plain.find(": In substitution of ") != std::string::npos;
    if (begins_another(plain) && !of_candidate) {
      result += why;
      why.clear();
      dropping = false;
      if (const auto e = read_error(plain)) {
        if (const std::string text = cause(*e); !text.empty()) {
          why = fmt::format("{}: note: {}\n", e->place, text);
        }
      } else if (is_of_launch(plain, output)) {
        shown = of_launch(line, plain);
        why = fmt::format("{}: note: the values in <<<...>>> are the grid, the block, bytes of "
                          "shared memory, and the stream\n",
                          plain.substr(0, plain.find(": error: ")));
      } else {
        why = missing_order(plain, output);
      }
    } else if (!why.empty() && !dropping &&
               (plain.find(": note: ") != std::string::npos ||
                plain.starts_with("In file included from "))) {
      result += std::exchange(why, std::string());
      dropping = true;
    }
    if (!dropping) {
      result.append(shown).push_back('\n');
    }
  }
  return result + why;
}

} // namespace tilesim::tools
