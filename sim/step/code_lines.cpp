// Functions and lines, from the program's debug information and its code.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/code_lines.hpp"

#include "sim/debug_info.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dwarf.h>
#include <fstream>
#include <optional>
#include <string_view>

namespace tilesim::sim::step {

namespace {

struct range {
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
};

std::vector<range> ranges_of(Dwarf_Die* die) {
  std::vector<range> all;
  Dwarf_Addr base = 0;
  range r;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &r.begin, &r.end)) > 0;) {
    all.push_back(r);
  }
  return all;
}

/// Where a call stands: in which file and line, as the innermost of the user's frames has it.
struct user_place {
  std::string file;
  unsigned line = 0;
};

/// A user's function that has code.
struct function_code {
  Dwarf_Die die{};
  Dwarf_Die* unit = nullptr;
  std::string name;
  std::string file;
};

std::string short_name(Dwarf_Die* die) {
  const char* const name = dwarf_diename(die);
  std::string text = name != nullptr ? name : "";
  text.resize(std::min(text.find('<'), text.size()));
  return text;
}

// --- Kernels: the specifiers are macros that leave nothing behind, but the source still has them.

class source_lines {
public:
  const std::vector<std::string>& of(const std::string& file) {
    const auto [it, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) {
        it->second.push_back(line);
      }
    }
    return it->second;
  }

private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// Does the declaration whose name stands on `line` begin with a kernel's specifier?
bool declares_kernel(const std::vector<std::string>& text, unsigned line) {
  constexpr unsigned most_lines = 5;
  for (unsigned n = line; n > 0 && n + most_lines > line && n <= text.size(); --n) {
    const std::string& here = text[n - 1];
    if (here.find("__tile_global__") != std::string::npos ||
        here.find("__global__") != std::string::npos) {
      return true;
    }
    // What stands before belongs to another declaration.
    if (n != line && here.find_first_of(";{}") != std::string::npos) {
      return false;
    }
  }
  return false;
}

// --- Calls

/// Calls to addresses that are known from the instruction: begin of the next one, and the target.
struct call {
  Dwarf_Addr next = 0;
  Dwarf_Addr target = 0;
};

std::vector<call> calls_in(const range& r, Dwarf_Addr bias) {
  std::vector<call> all;
  const auto* const code = reinterpret_cast<const std::uint8_t*>(r.begin + bias);
  const std::size_t size = r.end - r.begin;
#if defined(__x86_64__)
  constexpr std::size_t length = 5; // e8, and how far from the next instruction
  for (std::size_t i = 0; i + length <= size; ++i) {
    if (code[i] == 0xe8) {
      std::int32_t distance = 0;
      std::memcpy(&distance, code + i + 1, sizeof distance);
      const Dwarf_Addr next = r.begin + i + length;
      all.push_back({next, next + static_cast<Dwarf_Addr>(static_cast<std::int64_t>(distance))});
    }
  }
#elif defined(__aarch64__)
  for (std::size_t i = 0; i + 4 <= size; i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, code + i, sizeof word);
    if (word >> 26U == 0x25) { // bl, and how many instructions from here
      const auto distance = static_cast<std::int32_t>(word << 6U) >> 4;
      const Dwarf_Addr here = r.begin + i;
      all.push_back(
          {here + 4, here + static_cast<Dwarf_Addr>(static_cast<std::int64_t>(distance))});
    }
  }
#endif
  return all;
}

// --- Reading

class reader {
public:
  user_code read() {
    units_ = units_of_program(bias_, program_begin_, program_end_);
    for (Dwarf_Die* unit : units_) {
      collect(unit, unit);
    }
    for (function_code& f : functions_) {
      for (const range& r : ranges_of(&f.die)) {
        begins_.insert(r.begin);
      }
    }
    for (function_code& f : functions_) {
      name_function(f);
      add_lines(f);
    }
    return std::move(code_);
  }

private:
  /// The functions below `die` that have code and stand in files of the user's.
  void collect(Dwarf_Die* die, Dwarf_Die* unit) {
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      switch (dwarf_tag(&child)) {
      case DW_TAG_subprogram: {
        const char* const file = dwarf_decl_file(&child);
        Dwarf_Addr begin = 0;
        if (file != nullptr && !is_own_file(file) &&
            std::string_view(file).rfind("/usr/", 0) != 0 && dwarf_entrypc(&child, &begin) == 0) {
          functions_.push_back({child, unit, short_name(&child), file});
        }
        collect(&child, unit); // lambdas
        break;
      }
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_lexical_block:
        collect(&child, unit);
        break;
      default:
        break;
      }
    }
  }

  void name_function(function_code& f) {
    if (f.name.empty() || f.name.rfind("operator", 0) == 0) {
      return;
    }
    int line = 0;
    dwarf_decl_line(&f.die, &line);
    const bool is_kernel =
        line > 0 && declares_kernel(sources_.of(f.file), static_cast<unsigned>(line));
    const auto known = std::find_if(code_.functions.begin(),
                                    code_.functions.end(),
                                    [&f](const user_function& one) { return one.name == f.name; });
    if (known == code_.functions.end()) {
      code_.functions.push_back({f.name, is_kernel});
    } else {
      known->is_kernel = known->is_kernel || is_kernel;
    }
  }

  void add_lines(function_code& f) {
    if (f.name == "main") {
      return;
    }
    code_.lines[f.file]; // the file has code, if no operations
    std::vector<Dwarf_Die> inlined;
    find_inlined(&f.die, inlined);
    for (const range& r : ranges_of(&f.die)) {
      for (const call& c : calls_in(r, bias_)) {
        if (c.target < program_begin_ || c.target >= program_end_ || begins_.contains(c.target)) {
          continue; // no call at all, or one of a function with lines of its own
        }
        if (const auto at = place_of(c.next - 1, f, inlined)) {
          code_.lines[at->file].insert(at->line);
        }
      }
    }
  }

  /// Outer ones before inner ones.
  static void find_inlined(Dwarf_Die* die, std::vector<Dwarf_Die>& all) {
    Dwarf_Die child;
    for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_inlined_subroutine) {
        all.push_back(child);
      }
      if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block) {
        find_inlined(&child, all);
      }
    }
  }

  static std::optional<user_place>
  place_of(Dwarf_Addr pc, const function_code& f, std::vector<Dwarf_Die>& inlined) {
    user_place at;
    if (Dwarf_Line* const row = dwarf_getsrc_die(f.unit, pc)) {
      const char* const file = dwarf_linesrc(row, nullptr, nullptr);
      int line = 0;
      dwarf_lineno(row, &line);
      at = {file != nullptr ? file : "", static_cast<unsigned>(line)};
    }
    for (auto die = inlined.rbegin(); die != inlined.rend() && is_own_file(at.file); ++die) {
      if (dwarf_haspc(&*die, pc) == 1) {
        at = call_of(f.unit, &*die);
      }
    }
    return at.file.empty() || at.line == 0 || is_own_file(at.file) ? std::nullopt
                                                                   : std::optional(at);
  }

  static user_place call_of(Dwarf_Die* unit, Dwarf_Die* inlined) {
    const auto number = [inlined](unsigned which) {
      Dwarf_Attribute attribute;
      Dwarf_Word value = 0;
      if (dwarf_attr(inlined, which, &attribute) != nullptr) {
        dwarf_formudata(&attribute, &value);
      }
      return value;
    };
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const Dwarf_Word index = number(DW_AT_call_file);
    const char* const file = dwarf_getsrcfiles(unit, &files, &count) == 0 && index < count
                                 ? dwarf_filesrc(files, index, nullptr, nullptr)
                                 : nullptr;
    return {file != nullptr ? file : "", static_cast<unsigned>(number(DW_AT_call_line))};
  }

  Dwarf_Addr bias_ = 0;
  Dwarf_Addr program_begin_ = 0;
  Dwarf_Addr program_end_ = 0;
  std::vector<Dwarf_Die*> units_;
  std::vector<function_code> functions_;
  std::set<Dwarf_Addr> begins_;
  source_lines sources_;
  user_code code_;
};

} // namespace

const user_code& code_of_program() {
  // Never destroyed: the stepper stays to the very end.
  static const auto& code = *new user_code(reader().read());
  return code;
}

} // namespace tilesim::sim::step
