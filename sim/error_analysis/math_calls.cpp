// The functions that are known, and the slots of the program's global offset table.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/math_calls.hpp"

#include "sim/core/execution.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <map>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>

namespace tilesim::sim::errors {

namespace {

using machine::opcode;
using machine::rounding;
using rule = math_function::rule;

constexpr math_function
operation(const char* name, opcode op, rounding round = rounding::nearest_even) {
  return {.name = name, .is = rule::operation, .op = op, .round = round};
}

constexpr math_function monotone(const char* name,
                                 long double (*exact)(long double),
                                 double ulps_of_float,
                                 double ulps_of_double) {
  return {.name = name,
          .is = rule::monotone,
          .op = {},
          .round = {},
          .exact = exact,
          .ulps_of_float = ulps_of_float,
          .ulps_of_double = ulps_of_double};
}

constexpr math_function
fast_logarithm(const char* name, long double (*exact)(long double), double ulps, double absolute) {
  math_function f = monotone(name, exact, ulps, ulps);
  f.absolute = absolute;
  f.from = 0.5;
  f.to = 2;
  return f;
}

constexpr math_function
fast_wave(const char* name, long double (*exact)(long double), double absolute) {
  constexpr double pi = 0x1.921fb54442d18p+1; // rounded down
  return {.name = name,
          .is = rule::wave,
          .op = {},
          .round = {},
          .exact = exact,
          .absolute = absolute,
          .from = -pi,
          .to = pi};
}

constexpr math_function fast_power_of_ten() {
  math_function f = monotone("tilesim_fast_exp10", &exp10l, 2, 2);
  f.ulps_per_unit = 2.97;
  return f;
}

// Powers of two of the guide's, rounded up.
constexpr double two_to_minus_21_19 = 0x1.c0dep-22;
constexpr double two_to_minus_21_41 = 0x1.8177p-22;

constexpr math_function fast_log2 = fast_logarithm("tilesim_fast_log2", &log2l, 2, 0x1p-22);
constexpr math_function fast_sine = fast_wave("tilesim_fast_sin", &sinl, two_to_minus_21_41);
constexpr math_function fast_cosine = fast_wave("tilesim_fast_cos", &cosl, two_to_minus_21_19);

// "Derived from its implementation as __sinf(x) * (1 / __cosf(x))", and "as exp2f(y * __log2f(x))",
// says the guide.
constexpr math_function fast_tangent{.name = "tilesim_fast_tan",
                                     .is = rule::tangent,
                                     .op = {},
                                     .round = {},
                                     .ulps_of_float = 1, // of the reciprocal
                                     .parts = {&fast_sine, &fast_cosine}};
constexpr math_function fast_power{.name = "tilesim_fast_pow",
                                   .is = rule::power,
                                   .op = {},
                                   .round = {},
                                   .ulps_of_float = 2, // of exp2f
                                   .parts = {&fast_log2}};

constexpr math_function of_one[]{
    operation("exp", opcode::exp, rounding::full),
    operation("exp2", opcode::exp2),
    operation("log", opcode::log),
    operation("log2", opcode::log2),
    operation("sin", opcode::sin),
    operation("cos", opcode::cos),
    operation("tan", opcode::tan),
    operation("sinh", opcode::sinh),
    operation("cosh", opcode::cosh),
    operation("tanh", opcode::tanh, rounding::full),
    operation("tilesim_rsqrt", opcode::rsqrt),
    operation("tilesim_fast_exp", opcode::exp, rounding::approx),
    operation("tilesim_fast_tanh", opcode::tanh, rounding::approx),
    monotone("exp10", &exp10l, 2, 1),
    monotone("expm1", &expm1l, 1, 1),
    monotone("log10", &log10l, 2, 1),
    monotone("log1p", &log1pl, 1, 1),
    monotone("asin", &asinl, 2, 2),
    monotone("acos", &acosl, 2, 2),
    monotone("atan", &atanl, 2, 2),
    monotone("asinh", &asinhl, 3, 3),
    monotone("acosh", &acoshl, 4, 3),
    monotone("atanh", &atanhl, 3, 2),
    monotone("cbrt", &cbrtl, 1, 1),
    monotone("erf", &erfl, 2, 2),
    monotone("erfc", &erfcl, 4, 5),
    fast_power_of_ten(),
    fast_logarithm("tilesim_fast_log", &logl, 3, two_to_minus_21_41),
    fast_log2,
    fast_logarithm("tilesim_fast_log10", &log10l, 3, 0x1p-24),
    fast_sine,
    fast_cosine,
    fast_tangent,
    {"tgamma"},
    {"lgamma"},
    {"j0"},
    {"j1"},
    {"y0"},
    {"y1"},
    {"sinpi"},
    {"cospi"},
    {"erfinv"},
    {"erfcinv"},
    {"erfcx"},
    {"normcdf"},
    {"normcdfinv"},
    {"cyl_bessel_i0"},
    {"cyl_bessel_i1"},
};

constexpr math_function of_two[]{
    operation("pow", opcode::fpowf),
    operation("atan2", opcode::atan2),
    operation("tilesim_fast_divide", opcode::divf, rounding::approx),
    {.name = "hypot",
     .is = rule::hypotenuse,
     .op = {},
     .round = {},
     .ulps_of_float = 3,
     .ulps_of_double = 2},
    fast_power,
};

constexpr const auto& sine = of_one[4];
constexpr const auto& cosine = of_one[5];
static_assert(sine.op == opcode::sin && cosine.op == opcode::cos);

/// Who is told; nullptr: nobody.
const std::function<std::uint64_t(const math_call&)>* told = nullptr;

template <class T>
std::string name_of(const math_function& f) {
  return std::is_same_v<T, float> ? std::string(f.name) + "f" : f.name;
}

template <class T>
std::uint64_t bits_of(T x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

/// What the program gets.
template <class T, std::size_t N>
T tell(const math_function& f, const std::array<T, N>& operands, T result, const void* site) {
  const sim_thread* const t = execution::current();
  if (told == nullptr || t == nullptr) {
    return result; // host code
  }
  std::array<std::uint64_t, N> bits{};
  for (std::size_t i = 0; i < N; ++i) {
    bits[i] = bits_of(operands[i]);
  }
  const std::uint64_t given =
      (*told)({.thread = *t,
               .site = site,
               .function = f,
               .kind = std::is_same_v<T, float> ? element::f32 : element::f64,
               .operands = bits,
               .result = bits_of(result)});
  std::memcpy(&result, &given, sizeof result);
  return result;
}

template <class Function>
Function* library_function(const std::string& name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name.c_str()));
}

template <std::size_t I, class T>
T call_of_one(T x) {
  const library_section inside;
  static auto* const function = library_function<T(T)>(name_of<T>(of_one[I]));
  return tell(of_one[I], std::array{x}, function(x), TILESIM_SITE);
}

template <std::size_t I, class T>
T call_of_two(T x, T y) {
  const library_section inside;
  static auto* const function = library_function<T(T, T)>(name_of<T>(of_two[I]));
  return tell(of_two[I], std::array{x, y}, function(x, y), TILESIM_SITE);
}

/// What compilers make of a sine and a cosine of one number.
template <class T>
void call_of_both(T x, T* s, T* c) {
  const library_section inside;
  static auto* const function =
      library_function<void(T, T*, T*)>(std::is_same_v<T, float> ? "sincosf" : "sincos");
  T results[2]{};
  function(x, &results[0], &results[1]);
  *s = tell(sine, std::array{x}, results[0], TILESIM_SITE);
  *c = tell(cosine, std::array{x}, results[1], TILESIM_SITE);
}

using named_functions = std::map<std::string, std::uintptr_t, std::less<>>;

template <class Function>
std::uintptr_t address(Function* f) {
  return reinterpret_cast<std::uintptr_t>(f);
}

template <std::size_t... I>
void name_functions_of_one(named_functions& all, std::index_sequence<I...> /*rows*/) {
  ((all[name_of<float>(of_one[I])] = address(&call_of_one<I, float>)), ...);
  ((all[name_of<double>(of_one[I])] = address(&call_of_one<I, double>)), ...);
}

template <std::size_t... I>
void name_functions_of_two(named_functions& all, std::index_sequence<I...> /*rows*/) {
  ((all[name_of<float>(of_two[I])] = address(&call_of_two<I, float>)), ...);
  ((all[name_of<double>(of_two[I])] = address(&call_of_two<I, double>)), ...);
}

named_functions functions_of_ours() {
  named_functions all;
  name_functions_of_one(all, std::make_index_sequence<std::size(of_one)>());
  name_functions_of_two(all, std::make_index_sequence<std::size(of_two)>());
  all["sincosf"] = address(&call_of_both<float>);
  all["sincos"] = address(&call_of_both<double>);
  return all;
}

// ------------------------------------------------------------------- the global offset table

#if defined(__aarch64__)
constexpr unsigned slot_of_call = R_AARCH64_JUMP_SLOT;
constexpr unsigned slot_of_address = R_AARCH64_GLOB_DAT;
#else
constexpr unsigned slot_of_call = R_X86_64_JUMP_SLOT;
constexpr unsigned slot_of_address = R_X86_64_GLOB_DAT;
#endif

/// The program's dynamic section, by tag.
class dynamic_section {
public:
  explicit dynamic_section(const ElfW(Dyn) * entries) {
    for (; entries->d_tag != DT_NULL; ++entries) {
      values_[entries->d_tag] = entries->d_un.d_ptr;
    }
  }
  [[nodiscard]] std::uintptr_t operator[](ElfW(Sxword) tag) const {
    const auto it = values_.find(tag);
    return it == values_.end() ? 0 : it->second;
  }

private:
  std::map<ElfW(Sxword), std::uintptr_t> values_;
};

template <class T>
const T* pointer(std::uintptr_t at) {
  return reinterpret_cast<const T*>(at);
}

/// Calls `take` with the name and the slot of each function of a library that the program calls.
template <class Take>
void for_each_slot(const link_map& program, const Take& take) {
  const dynamic_section all(program.l_ld);
  const auto* const symbols = pointer<ElfW(Sym)>(all[DT_SYMTAB]);
  const auto* const names = pointer<char>(all[DT_STRTAB]);
  if (symbols == nullptr || names == nullptr) {
    return; // it is linked statically
  }
  const std::pair<ElfW(Sxword), ElfW(Sxword)> tables[]{{DT_JMPREL, DT_PLTRELSZ},
                                                       {DT_RELA, DT_RELASZ}};
  for (const auto& [table, bytes] : tables) {
    const auto* at = pointer<ElfW(Rela)>(all[table]);
    const auto* const end = at + (at == nullptr ? 0 : all[bytes] / sizeof *at);
    for (; at != end; ++at) {
      const auto type = static_cast<unsigned>(ELF64_R_TYPE(at->r_info));
      if (type == slot_of_call || type == slot_of_address) {
        take(std::string_view(names + symbols[ELF64_R_SYM(at->r_info)].st_name),
             reinterpret_cast<std::uintptr_t*>(program.l_addr + at->r_offset));
      }
    }
  }
}

/// Whether the slot may be written now: the linker may have closed its page.
bool open_slot(const std::uintptr_t* slot) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(slot) / page * page;
  return mprotect(reinterpret_cast<void*>(begin), page, PROT_READ | PROT_WRITE) == 0;
}

} // namespace

void math_calls::begin() {
  if (told != nullptr) {
    return;
  }
  link_map* program = nullptr;
  void* const handle = dlopen(nullptr, RTLD_LAZY);
  if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &program) != 0) {
    return;
  }
  told = &take_;
  const named_functions ours = functions_of_ours();
  for_each_slot(*program, [&](std::string_view name, std::uintptr_t* slot) {
    const auto it = ours.find(name);
    if (it != ours.end() && open_slot(slot)) {
      replaced_.emplace_back(slot, std::exchange(*slot, it->second));
    }
  });
  dlclose(handle);
}

void math_calls::end() {
  if (told != &take_) {
    return;
  }
  told = nullptr;
  for (const auto& [slot, held] : replaced_) {
    *slot = held;
  }
  replaced_.clear();
}

} // namespace tilesim::sim::errors
