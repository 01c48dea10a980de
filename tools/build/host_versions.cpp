// Two versions of a host function: which functions get them, and putting them together.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/host_versions.hpp"

#include "tools/build/assembly_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <utility>

namespace tilesim::tools {
namespace {

using names = std::unordered_set<std::string_view>;
using function = assembly_text::function;

/// Functions of other libraries that come to no call of the runtime.
bool is_harmless(std::string_view name) {
  constexpr std::array prefixes{"__tsan_read",
                                "__tsan_write",
                                "__tsan_unaligned_read",
                                "__tsan_unaligned_write",
                                "__tsan_vptr",
                                "__tsan_func",
                                "__tsan_mem",
                                "__ubsan_handle_type_mismatch",
                                "_ZSt16__throw_",
                                "_ZSt17__throw_",
                                "_ZSt18__throw_",
                                "_ZSt19__throw_",
                                "_ZSt20__throw_",
                                "_ZSt24__throw_",
                                "_ZNSt11logic_error",
                                "_ZNSt12out_of_range",
                                "_ZNSt13runtime_error",
                                "_ZNSt16invalid_argument",
                                "__cxa_"};
  if (std::ranges::any_of(prefixes, [&](auto p) { return name.starts_with(p); })) {
    return true;
  }
  static const names known{
      "memcpy",    "memmove",   "memset",   "memcmp",    "memchr",         "strlen",
      "strcmp",    "malloc",    "calloc",   "free",      "_Znwm",          "_Znam",
      "_ZdlPv",    "_ZdlPvm",   "_ZdaPv",   "_ZdaPvm",   "rand",           "srand",
      "abs",       "labs",      "sqrt",     "cbrt",      "hypot",          "exp",
      "exp2",      "expm1",     "log",      "log2",      "log10",          "log1p",
      "pow",       "sin",       "cos",      "tan",       "sincos",         "asin",
      "acos",      "atan",      "atan2",    "sinh",      "cosh",           "tanh",
      "asinh",     "acosh",     "atanh",    "erf",       "erfc",           "tgamma",
      "lgamma",    "floor",     "ceil",     "round",     "trunc",          "rint",
      "nearbyint", "lrint",     "llrint",   "lround",    "llround",        "fmod",
      "fma",       "fmin",      "fmax",     "fabs",      "ldexp",          "frexp",
      "modf",      "remainder", "copysign", "nextafter", "_Unwind_Resume", "__stack_chk_fail"};
  return known.contains(name) ||
         (name.ends_with('f') && known.contains(name.substr(0, name.size() - 1)));
}

/// Functions that can come to no call of the runtime.
names pure_functions(const assembly_text& text) {
  names pure;
  std::unordered_map<std::string_view, std::vector<std::string_view>> calls;
  for (const auto& [name, f] : text.functions) {
    calls[name] = text.calls(f);
    pure.insert(name);
  }
  for (bool changed = true; changed;) {
    changed = std::erase_if(pure, [&](auto name) {
                return std::ranges::any_of(
                    calls.at(name), [&](auto c) { return !pure.contains(c) && !is_harmless(c); });
              }) != 0;
  }
  return pure;
}

/// Whether a function goes back over accesses, its own or a callee's.
bool has_loop(const assembly_text& text, const function& f) {
  std::vector<std::size_t> calls;
  for (std::size_t i = f.begin; i < f.end; ++i) {
    const auto [name, operands] = instruction_of(text.lines[i]);
    if (name.starts_with("call")) {
      const auto called = symbols_of(operands);
      if (!called.empty() &&
          (called.front().starts_with("__tsan_") || text.functions.contains(called.front()))) {
        calls.push_back(i);
      }
    } else if (name.starts_with('j') && operands.starts_with(".L")) {
      const auto target = text.labels.find(operands);
      if (target != text.labels.end() && target->second.line >= f.begin &&
          std::ranges::any_of(calls, [&](auto at) { return at > target->second.line; })) {
        return true;
      }
    }
  }
  return false;
}

bool of_user(const assembly_text& text, const function& f) {
  for (std::size_t i = f.label; i < f.end; ++i) {
    const auto [name, operands] = instruction_of(text.lines[i]);
    if (name != ".loc") {
      continue;
    }
    const auto file = text.files.find(operands.substr(0, operands.find_first_of(" \t")));
    return file != text.files.end() && file->second.find("\"/usr/") == std::string_view::npos;
  }
  return false;
}

/// One function's second body, with the constants and the small functions that it needs.
class plain_body {
public:
  plain_body(const assembly_text& hooked, const assembly_text& plain, std::size_t number)
      : hooked_(hooked)
      , plain_(plain)
      , prefix_(fmt::format(".Lp{}_", number)) {}

  /// False if something in it is not understood.
  bool take(std::string_view name);

  /// Functions with hooks that it calls.
  [[nodiscard]] const std::vector<std::string_view>& callees() const { return callees_; }
  [[nodiscard]] std::string entry(std::string_view name) const {
    return fmt::format("{}{}", prefix_, name);
  }
  [[nodiscard]] std::string code(std::map<std::string, std::string, std::less<>>& new_files) const;
  [[nodiscard]] std::string constants() const;

private:
  bool take_symbol(std::string_view name, const function& f);
  bool take_constant(std::string_view label);
  [[nodiscard]] std::string renamed(std::string_view line, bool call) const;
  [[nodiscard]] std::string place(std::string_view operands,
                                  std::map<std::string, std::string, std::less<>>& new_files) const;

  const assembly_text& hooked_;
  const assembly_text& plain_;
  std::string prefix_;
  std::vector<std::string_view> bodies_;
  std::vector<std::string_view> constants_;
  std::vector<std::string_view> callees_;
};

bool describes(std::string_view directive) {
  return directive == ".loc" || directive == ".file";
}

bool plain_body::take(std::string_view name) {
  if (std::ranges::find(bodies_, name) != bodies_.end()) {
    return true;
  }
  const auto found = plain_.functions.find(name);
  if (found == plain_.functions.end()) {
    return false;
  }
  bodies_.push_back(name);
  const function& f = found->second;
  const auto section = plain_.labels.at(name).section;
  const auto there = hooked_.labels.find(bodies_.front());
  for (std::size_t i = f.label + 1; i < f.size; ++i) {
    const auto line = plain_.lines[i];
    const auto [directive, operands] = instruction_of(line);
    if (directive == ".globl" && !plain_.labels.contains(operands)) {
      continue; // the personality, where it is first named
    }
    if (line.starts_with("#APP") || directive == ".globl" || directive == ".weak") {
      return false;
    }
    // Sections that it goes to and fro are those of where it is put, too.
    if ((directive == ".section" || directive == ".text") && there->second.section != section) {
      return false;
    }
    if (directive.empty() || directive.front() == '#' || describes(directive) ||
        directive.starts_with(".cfi_") || directive == ".section" || directive == ".string" ||
        directive == ".ascii") {
      if (directive != ".cfi_personality" && directive != ".cfi_lsda") {
        continue;
      }
    }
    for (const auto symbol : symbols_of(operands)) {
      if (!take_symbol(symbol, f)) {
        return false;
      }
    }
  }
  return true;
}

bool plain_body::take_symbol(std::string_view name, const function& f) {
  const auto label = plain_.labels.find(name);
  if (label == plain_.labels.end()) {
    return !name.starts_with(".L"); // another file's, or a word
  }
  if (label->second.line > f.label && label->second.line < f.size) {
    return true;
  }
  if (name.starts_with(".L")) {
    return take_constant(name);
  }
  if (hooked_.labels.contains(name)) {
    if (hooked_.functions.contains(name)) {
      callees_.push_back(name);
    }
    return true;
  }
  return take(name);
}

bool plain_body::take_constant(std::string_view label) {
  if (std::ranges::find(constants_, label) != constants_.end()) {
    return true;
  }
  const auto& [line, section] = plain_.labels.at(label);
  if (!section.starts_with(".rodata")) {
    return false;
  }
  constants_.push_back(label);
  for (std::size_t i = line + 1; i < plain_.lines.size(); ++i) {
    const auto [directive, operands] = instruction_of(plain_.lines[i]);
    if (directive.empty() || directive == ".section" || directive == ".text" ||
        directive == ".data") {
      break;
    }
    if (directive == ".string" || directive == ".ascii" || directive == ".asciz") {
      continue;
    }
    for (const auto symbol : symbols_of(operands)) {
      const auto there = plain_.labels.find(symbol);
      const bool known = there != plain_.labels.end();
      if (symbol.starts_with(".L")
              ? !known || (there->second.section.starts_with(".rodata") && !take_constant(symbol))
              : known && !hooked_.labels.contains(symbol)) {
        return false;
      }
    }
  }
  return true;
}

/// Labels of the file get names of their own; so do calls of functions that are taken along.
std::string plain_body::renamed(std::string_view line, bool call) const {
  std::string text;
  std::size_t done = 0;
  for (const auto symbol : symbols_of(line)) {
    const auto at = static_cast<std::size_t>(symbol.data() - line.data());
    const bool taken = call && std::ranges::find(bodies_, symbol) != bodies_.end();
    if (!taken && !(symbol.starts_with(".L") && plain_.labels.contains(symbol))) {
      continue;
    }
    text += line.substr(done, at - done);
    text += prefix_;
    text += symbol;
    done = at + symbol.size();
    if (taken && line.substr(done).starts_with("@PLT")) {
      done += 4;
    }
  }
  return text.append(line.substr(done));
}

/// A .loc with the number that its file has in the text with hooks.
std::string plain_body::place(std::string_view operands,
                              std::map<std::string, std::string, std::less<>>& new_files) const {
  const auto space = operands.find_first_of(" \t");
  const auto file = plain_.files.find(operands.substr(0, space));
  if (file == plain_.files.end()) {
    return {};
  }
  auto rest = operands.substr(space);
  rest = rest.substr(0, rest.find("view"));
  for (const auto& [number, name] : hooked_.files) {
    if (name == file->second) {
      return fmt::format("\t.loc {}{}\n", number, rest);
    }
  }
  const auto number = std::to_string(hooked_.last_file + new_files.size() + 1);
  const auto [known, is_new] = new_files.try_emplace(std::string(file->second), number);
  return fmt::format("{}\t.loc {}{}\n",
                     is_new ? fmt::format("\t.file {} {}\n", number, known->first) : "",
                     known->second,
                     rest);
}

std::string plain_body::code(std::map<std::string, std::string, std::less<>>& new_files) const {
  std::string text;
  for (const auto name : bodies_) {
    const auto& f = plain_.functions.at(name);
    text += fmt::format("\t.p2align 4\n{}:\n", entry(name));
    for (std::size_t i = f.label + 1; i < f.size; ++i) {
      const auto line = plain_.lines[i];
      const auto [directive, operands] = instruction_of(line);
      if (directive == ".loc") {
        text += place(operands, new_files);
      } else if (directive != ".file" && !directive.starts_with('#')) {
        text += renamed(line, directive.starts_with("call") || directive.starts_with('j')) + '\n';
      }
    }
  }
  return text;
}

std::string plain_body::constants() const {
  std::string text;
  for (const auto label : constants_) {
    text += fmt::format("\t.p2align 6\n{}{}:\n", prefix_, label);
    for (std::size_t i = plain_.labels.at(label).line + 1; i < plain_.lines.size(); ++i) {
      const auto [directive, operands] = instruction_of(plain_.lines[i]);
      if (directive.empty() || directive == ".section" || directive == ".text" ||
          directive == ".data") {
        break;
      }
      if (!directive.starts_with(".p2align") && directive != ".align" && directive != ".type" &&
          directive != ".size") {
        text += (operands.find('"') == std::string_view::npos ? renamed(plain_.lines[i], false)
                                                              : std::string(plain_.lines[i])) +
                '\n';
      }
    }
  }
  return text;
}

/// Where a function's first instruction stands, behind the mark for indirect branches.
std::size_t first_instruction(const assembly_text& text, const function& f) {
  for (std::size_t i = f.begin + 1; i < f.end; ++i) {
    const auto name = instruction_of(text.lines[i]).name;
    if (name == "endbr64") {
      return i + 1;
    }
    if (!name.empty() && name.front() != '.' && name.front() != '#') {
      return i;
    }
  }
  return f.begin + 1;
}

/// Who refers to what: the functions of a text, and the symbols that each line names.
class references {
public:
  explicit references(std::string_view text)
      : text_(text) {
    read();
  }

  /// Symbols of other files that only functions name which nobody calls.
  [[nodiscard]] std::vector<std::string_view> of_unused() const;

private:
  void read();
  void note(std::string_view line);

  assembly_text text_;
  std::string_view function_; ///< whose lines are read: empty outside of functions
  std::unordered_map<std::string_view, names> named_by_; ///< symbol: functions, "" for all others
};

void references::note(std::string_view line) {
  constexpr std::array says_nothing{".type",
                                    ".size",
                                    ".globl",
                                    ".weak",
                                    ".local",
                                    ".hidden",
                                    ".file",
                                    ".loc",
                                    ".section",
                                    ".string",
                                    ".ascii",
                                    ".ident"};
  const auto [name, operands] = instruction_of(line);
  if (name.empty() || name.front() == '#' ||
      std::ranges::find(says_nothing, name) != says_nothing.end()) {
    return;
  }
  for (const auto symbol : symbols_of(operands)) {
    if (!symbol.starts_with(".L") && symbol != function_) {
      named_by_[symbol].insert(function_);
    }
  }
}

void references::read() {
  names typed;
  std::string_view section;
  for (const auto line : text_.lines) {
    const auto [name, operands] = instruction_of(line);
    if (name == ".type" && operands.ends_with("@function")) {
      typed.insert(operands.substr(0, operands.find(',')));
    }
    if (name == ".section") {
      section = operands.substr(0, operands.find(','));
    } else if (name == ".text" || name == ".data" || name == ".bss") {
      section = name;
    }
    const auto label = line.substr(0, line.find(':'));
    if (line.size() > label.size() && typed.contains(label) && !label.ends_with(".cold")) {
      function_ = label; // its cold part belongs to it
    } else if (name == ".size" && operands.substr(0, operands.find(',')) == function_) {
      function_ = {};
    } else if (!section.starts_with(".debug")) {
      note(line);
    }
  }
}

std::vector<std::string_view> references::of_unused() const {
  names unused;
  for (const auto& [name, label] : text_.labels) {
    if (!text_.shown.contains(name)) {
      unused.insert(name);
    }
  }
  const auto is_used = [&](auto name) {
    const auto by = named_by_.find(name);
    return by != named_by_.end() &&
           std::ranges::any_of(by->second, [&](auto f) { return !unused.contains(f); });
  };
  while (std::erase_if(unused, is_used) != 0) {
  }
  std::vector<std::string_view> found;
  for (const auto& [symbol, by] : named_by_) {
    if (!text_.labels.contains(symbol) && !is_used(symbol)) {
      found.push_back(symbol);
    }
  }
  std::ranges::sort(found);
  return found;
}

} // namespace

std::string without_needs_of_unused(std::string text) {
  std::string weak;
  for (const auto symbol : references(text).of_unused()) {
    weak += fmt::format("\t.weak {}\n", symbol);
  }
  return std::move(text) + weak;
}

std::string with_functions_named(std::string text) {
  constexpr std::string_view first_marker = "# 1 \"";
  const auto file_begin = text.find(first_marker);
  const auto file_end = text.find('"', file_begin + first_marker.size());
  if (file_begin == std::string::npos || file_end == std::string::npos) {
    return text;
  }
  const auto file =
      text.substr(file_begin + first_marker.size(), file_end - file_begin - first_marker.size());
  const auto back = text.rfind(fmt::format(" \"{}\" 2\n", file));
  const auto line = back == std::string::npos ? back : text.rfind('\n', back);
  if (line == std::string::npos || !text.substr(line + 1, back - line - 1).starts_with("# ")) {
    return text;
  }
  // An annotation is nothing but a name for others to find: no code comes of it.
  text.insert(line + 1,
              "#pragma clang attribute push(__attribute__((annotate(\"tilesim\"))), apply_to = "
              "function)\n");
  return std::move(text) + "\n#pragma clang attribute pop\n";
}

std::string with_looks_before_hooks(std::string_view hooked) {
  constexpr std::array accesses{"__tsan_read",
                                "__tsan_write",
                                "__tsan_volatile_read",
                                "__tsan_volatile_write",
                                "__tsan_unaligned_read",
                                "__tsan_unaligned_write",
                                "__tsan_unaligned_volatile_read",
                                "__tsan_unaligned_volatile_write"};
  std::string text;
  text.reserve(hooked.size() + hooked.size() / 4);
  std::size_t looks = 0;
  while (!hooked.empty()) {
    const auto line = hooked.substr(0, hooked.find('\n'));
    hooked.remove_prefix(std::min(line.size() + 1, hooked.size()));
    const auto [name, operands] = instruction_of(line);
    const auto called = operands.substr(0, operands.find('@'));
    // Up to 16 bytes: ranges are judged in device memory, too.
    if (name.starts_with("call") && !called.empty() &&
        std::isdigit(static_cast<unsigned char>(called.back())) != 0 &&
        std::ranges::any_of(accesses, [&](auto p) { return called.starts_with(p); })) {
      // %r11 is nobody's at a call, and so are the flags.
      text += fmt::format("\tmovq\ttilesim_hooks_reasons@GOTPCREL(%rip), %r11\n"
                          "\tcmpl\t$0, (%r11)\n\tje\t.Llook{}\n{}\n.Llook{}:\n",
                          looks,
                          line,
                          looks);
      ++looks;
    } else {
      text.append(line).append("\n");
    }
  }
  return text;
}

bool wants_plain_versions(std::string_view hooked) {
  const assembly_text text(hooked);
  const auto pure = pure_functions(text);
  return std::ranges::any_of(pure, [&](auto name) {
    const auto& f = text.functions.at(name);
    return of_user(text, f) && has_loop(text, f);
  });
}

std::string with_plain_versions(std::string_view hooked, std::string_view plain) {
  const assembly_text with(hooked);
  const assembly_text without(plain);
  const auto pure = pure_functions(with);
  std::vector<std::string_view> wanted;
  for (const auto name : pure) {
    if (has_loop(with, with.functions.at(name))) {
      wanted.push_back(name);
    }
  }
  std::ranges::sort(wanted); // the same text for the same source
  std::map<std::string, std::string, std::less<>> new_files;
  std::map<std::size_t, std::string> before; // lines of the text with hooks
  std::string constants;
  names done;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto name = wanted[i];
    if (!pure.contains(name) || !done.insert(name).second) {
      continue;
    }
    plain_body body(with, without, i);
    if (!body.take(name)) {
      continue;
    }
    const auto& f = with.functions.at(name);
    before[first_instruction(with, f)] +=
        fmt::format("\tmovq\ttilesim_hooks_reasons@GOTPCREL(%rip), %r11\n"
                    "\tcmpl\t$0, (%r11)\n\tje\t{}\n",
                    body.entry(name));
    before[f.end + 1] += body.code(new_files);
    constants += body.constants();
    wanted.insert(wanted.end(), body.callees().begin(), body.callees().end());
  }
  std::string text;
  text.reserve(hooked.size() + plain.size());
  for (std::size_t i = 0; i < with.lines.size(); ++i) {
    if (const auto more = before.find(i); more != before.end()) {
      text += more->second;
    }
    text.append(with.lines[i]).append("\n");
  }
  if (!constants.empty()) {
    text += "\t.section\t.rodata.tilesim_plain,\"a\",@progbits\n" + constants;
  }
  return text;
}

} // namespace tilesim::tools
