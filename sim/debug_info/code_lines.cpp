// Functions and lines, from the program's debug information and its code.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/code_lines.hpp"

#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/source_lines.hpp"
#include "sim/process/segments.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <dwarf.h>
#include <elf.h>
#include <filesystem>
#include <link.h>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

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

// --- Calls of the simulator: through stubs, which jump where a cell of memory says

/// Which symbol the loader puts into which cell of the program's.
std::map<std::uintptr_t, std::string_view> symbols_of_cells() {
  std::map<std::uintptr_t, std::string_view> symbols;
  link_map* program = nullptr;
  void* const handle = dlopen(nullptr, RTLD_LAZY);
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &program) != 0) {
    return symbols;
  }
  std::map<ElfW(Sxword), ElfW(Addr)> dynamic;
  for (const ElfW(Dyn)* d = program->l_ld; d->d_tag != DT_NULL; ++d) {
    dynamic[d->d_tag] = d->d_un.d_ptr;
  }
  const auto* const all = reinterpret_cast<const ElfW(Sym)*>(dynamic[DT_SYMTAB]);
  const auto* const names = reinterpret_cast<const char*>(dynamic[DT_STRTAB]);
  for (const auto& [table, size] : {std::pair{DT_JMPREL, DT_PLTRELSZ}, {DT_RELA, DT_RELASZ}}) {
    const auto* const relocations = reinterpret_cast<const ElfW(Rela)*>(dynamic[table]);
    const std::size_t count = relocations == nullptr ? 0 : dynamic[size] / sizeof *relocations;
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto symbol = relocations[i].r_info >> 32U; symbol != 0) { // as 64-bit ELF has it
        symbols[program->l_addr + relocations[i].r_offset] = names + all[symbol].st_name;
      }
    }
  }
  return symbols;
}

/// The cell whose content the stub at an address jumps to; 0 if there is no stub.
std::uintptr_t cell_of_stub(std::uintptr_t at) {
  const auto* code = reinterpret_cast<const std::uint8_t*>(at);
#if defined(__x86_64__)
  constexpr std::array<std::uint8_t, 4> landing = {0xf3, 0x0f, 0x1e, 0xfa}; // endbr64
  if (std::equal(landing.begin(), landing.end(), code)) {
    code += landing.size();
  }
  code += *code == 0xf2 ? 1 : 0; // bnd
  if (code[0] != 0xff || code[1] != 0x25) {
    return 0; // jmp *distance(%rip)
  }
  std::int32_t distance = 0;
  std::memcpy(&distance, code + 2, sizeof distance);
  return reinterpret_cast<std::uintptr_t>(code) + 6 + static_cast<std::uintptr_t>(distance);
#elif defined(__aarch64__)
  std::array<std::uint32_t, 3> words{};
  std::memcpy(words.data(), code, sizeof words);
  const std::size_t first = words[0] == 0xd503245f ? 1 : 0; // bti c
  const std::uint32_t page = words[first];
  const std::uint32_t load = words[first + 1];
  if ((page & 0x9f00001fU) != 0x90000010U || (load & 0xffc003ffU) != 0xf9400211U) {
    return 0; // adrp x16, page; ldr x17, [x16, #offset]
  }
  const std::uint32_t pages = ((page >> 5U) & 0x7ffffU) << 2U | ((page >> 29U) & 3U);
  const auto distance = static_cast<std::int64_t>(static_cast<std::int32_t>(pages << 11U) >> 11);
  return (at & ~std::uintptr_t{0xfff}) + static_cast<std::uintptr_t>(distance * 4096) +
         std::uintptr_t{(load >> 10U) & 0xfffU} * 8;
#else
  static_cast<void>(code);
  return 0;
#endif
}

/// What a call does to the line that makes it.
enum class effect : std::uint8_t {
  none,
  access, ///< of memory, which is an operation if it is not the block's own stack
  operation,
};

/// Of the simulator's functions, by their linkage names.
effect effect_of_symbol(std::string_view name) {
  const auto begins = [name](std::string_view with) { return name.rfind(with, 0) == 0; };
  const auto has = [name](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  };
  if (begins("tilesim_hook_") || begins("__tsan_")) {
    return has("__tsan_func_") ? effect::none : effect::access;
  }
  const bool performs = (begins("_ZN7tilesim7machine") && !has("14in_tile_kernel")) ||
                        (begins("_ZN7tilesim6detail") &&
                         (has("_atomically") || has("6detail13block_barrier") ||
                          has("6detail12grid_barrier") || has("6detail15perform_in_warp")));
  return performs ? effect::operation : effect::none;
}

#if defined(__x86_64__)
/// Where the look begins that stands before the call of a hook; the call itself if none does.
const std::uint8_t* before_look(const std::uint8_t* call) {
  constexpr std::array<std::uint8_t, 3> reasons = {0x4c, 0x8b, 0x1d}; // mov distance(%rip), %r11
  constexpr std::array<std::uint8_t, 6> look = {0x41, 0x83, 0x3b, 0x00, 0x74, 0x05}; // cmpl, je
  const auto* const begin = call - look.size() - 4 - reasons.size();
  return std::equal(look.begin(), look.end(), call - look.size()) &&
                 std::equal(reasons.begin(), reasons.end(), begin)
             ? begin
             : call;
}
#endif

/// Is the first argument of the call that returns to `next` a place in the frame that calls? Of
/// code without optimisation, whose parameters are read in memory.
bool passes_own_stack(std::uintptr_t next) {
#if defined(__x86_64__)
  const auto* const call = before_look(reinterpret_cast<const std::uint8_t*>(next) - 5);
  const bool moved =
      std::equal(call - 3, call, std::array<std::uint8_t, 3>{0x48, 0x89, 0xc7}.begin());
  const std::uint8_t to = moved ? 0 : 7; // mov %rax, %rdi
  const auto* const end = moved ? call - 3 : call;
  const auto is_lea = [&](std::size_t distance, std::uint8_t mode) { // lea distance(%rbp), to
    const auto* const at = end - 3 - distance;
    const auto operands = static_cast<std::uint8_t>(unsigned{mode} << 6U | unsigned{to} << 3U | 5U);
    return at[0] == 0x48 && at[1] == 0x8d && at[2] == operands;
  };
  return is_lea(1, 1) || is_lea(4, 2);
#elif defined(__aarch64__)
  std::uint32_t before = 0;
  std::memcpy(&before, reinterpret_cast<const void*>(next - 8), sizeof before);
  const std::uint32_t from = (before >> 5U) & 31U; // add or sub x0, x29 or sp, #distance
  return (before & 0xbf80001fU) == 0x91000000U && (from == 29 || from == 31);
#else
  return static_cast<void>(next), false;
#endif
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
      code_.files.insert(f.file);
      name_function(f);
      add_lines(f);
    }
    std::erase_if(code_.files, &stands_beside_ours);
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
        } else if (dwarf_entrypc(&child, &begin) == 0) {
          libraries_.emplace(begin, child);
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

  /// A header under NVIDIA's name, such as vector_types.h: whose folder has tilesim's.
  static bool stands_beside_ours(const std::string& file) {
    const auto folder = std::filesystem::path(file).parent_path();
    std::error_code none;
    return std::filesystem::exists(folder / "tilesim" / "detail" / "machine.hpp", none);
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
    std::vector<call> calls;
    for (const range& r : ranges_of(&f.die)) {
      const std::vector<call> some = calls_in(r, bias_);
      calls.insert(calls.end(), some.begin(), some.end());
    }
    if (std::ranges::any_of(calls, [this](const call& c) { return is_of_host(c); })) {
      return;
    }
    std::vector<Dwarf_Die> inlined;
    find_inlined(&f.die, inlined);
    for (const call& c : calls) {
      if (!may_perform(c)) {
        continue;
      }
      if (const auto at = place_of(c.next - 1, f, inlined)) {
        code_.lines[at->file].insert(at->line);
      }
    }
  }

  /// What looks like a call may be something else, and lead anywhere.
  [[nodiscard]] bool is_code(std::uintptr_t at) const {
    constexpr std::size_t longest_stub = 16;
    return std::ranges::any_of(segments_, [at](const segment& s) {
      return s.of_program && s.executable && s.contains(at) && s.contains(at + longest_stub);
    });
  }

  /// The simulator's function that a stub calls; empty if it is no stub.
  std::string_view symbol_of(Dwarf_Addr function) const {
    if (!is_code(function + bias_)) {
      return {};
    }
    const auto symbol = symbols_.find(cell_of_stub(function + bias_));
    return symbol != symbols_.end() ? symbol->second : std::string_view();
  }

  /// A launch, or a call of the runtime: the function that makes it is no kernel's.
  [[nodiscard]] bool is_of_host(const call& c) const {
    if (c.target < program_begin_ || c.target >= program_end_) {
      return false;
    }
    const std::string_view name = symbol_of(c.target);
    return name.starts_with("cuda") || name.find("6detail12begin_launch") != std::string_view::npos;
  }

  /// Whether a call leads to an operation of the line that makes it: the simulator's function, or
  /// one of a library's headers that calls one.
  bool may_perform(const call& c) {
    if (c.target < program_begin_ || c.target >= program_end_ || begins_.contains(c.target)) {
      return false; // no call at all, or one of a function with lines of its own
    }
    const effect does = effect_of(c.target);
    return does == effect::operation ||
           (does == effect::access && !passes_own_stack(c.next + bias_));
  }

  effect effect_of(Dwarf_Addr function) {
    const auto [known, is_new] = effects_.try_emplace(function, effect::none);
    if (!is_new) {
      return known->second; // none of one that calls itself, as far as it is known
    }
    effect does = effect::none;
    if (const auto f = libraries_.find(function); f != libraries_.end()) {
      const char* const file = dwarf_decl_file(&f->second);
      if (file == nullptr || !launches(file)) {
        for (const range& r : ranges_of(&f->second)) {
          const std::vector<call> calls = calls_in(r, bias_);
          if (std::ranges::any_of(calls, [this](const call& c) { return may_perform(c); })) {
            does = effect::operation;
          }
        }
      }
    } else {
      does = effect_of_symbol(symbol_of(function));
    }
    effects_[function] = does;
    return does;
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
    if (launches(at.file)) {
      return std::nullopt;
    }
    for (auto die = inlined.rbegin(); die != inlined.rend() && is_own_file(at.file); ++die) {
      if (dwarf_haspc(&*die, pc) == 1) {
        at = call_of(f.unit, &*die);
        if (launches(at.file)) {
          return std::nullopt;
        }
      }
    }
    return at.file.empty() || at.line == 0 || is_own_file(at.file) ? std::nullopt
                                                                   : std::optional(at);
  }

  /// Of what a kernel's body begins with: it binds the arguments, where host code calls it.
  static bool launches(const std::string& file) { return file.ends_with("/tilesim/launch.hpp"); }

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
  std::map<Dwarf_Addr, Dwarf_Die> libraries_; ///< other functions that have code, by its begin
  std::vector<segment> segments_ = loaded_segments();
  std::map<std::uintptr_t, std::string_view> symbols_ = symbols_of_cells();
  std::map<Dwarf_Addr, effect> effects_; ///< of functions that have been looked at
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
