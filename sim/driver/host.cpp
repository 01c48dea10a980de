// What the host program tells besides the driver's calls. Called by api/python through ctypes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/host.hpp"

#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/interpreter/program.hpp"
#include "sim/interpreter/written.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/process/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <string_view>
#include <sys/mman.h>
#include <tuple>

namespace tilesim::driver_stand_in {
namespace {

/// Lines of host programs, as places: an address each, of a range that nobody may read.
class host_lines final : public sim::place_resolver {
public:
  host_lines()
      : begin_(static_cast<std::byte*>(
            mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)))
      , places_(begin_, most, *this) {}
  ~host_lines() = default;
  host_lines(const host_lines&) = delete;
  host_lines& operator=(const host_lines&) = delete;

  const void* place(const char* file, unsigned line, const char* function) {
    const auto [at, is_new] = numbers_.try_emplace({file, line, function}, known_.size());
    if (is_new) {
      if (known_.size() == most) {
        return nullptr;
      }
      known_.push_back({.file = file, .line = line, .column = 0, .function = function});
    }
    return begin_ + at->second;
  }

  [[nodiscard]] std::vector<source_frame> frames(const void* place) const override {
    const auto i = static_cast<std::size_t>(static_cast<const std::byte*>(place) - begin_);
    return i < known_.size() ? std::vector{known_[i]} : std::vector<source_frame>{};
  }

private:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  std::byte* begin_;
  std::deque<source_frame> known_;
  std::map<std::tuple<std::string, unsigned, std::string>, std::size_t> numbers_;
  sim::registered_places places_;
};

host_lines& lines() {
  static auto& all = *new host_lines; // until the last report
  return all;
}

thread_local const void* standing = nullptr;

struct element_row {
  std::string_view name; ///< Python's
  element kind;
  bool is_unsigned = false;
};

constexpr element_row elements[] = {
    {"bool", element::i1},
    {"int8", element::i8},
    {"int16", element::i16},
    {"int32", element::i32},
    {"int64", element::i64},
    {"uint8", element::i8, true},
    {"uint16", element::i16, true},
    {"uint32", element::i32, true},
    {"uint64", element::i64, true},
    {"float16", element::f16},
    {"bfloat16", element::bf16},
    {"float32", element::f32},
    {"float64", element::f64},
    {"float8_e4m3fn", element::f8e4m3},
    {"float8_e5m2", element::f8e5m2},
};

/// What the array's elements are, by Python's name; nothing is known of others.
sim::step::pointed_element element_named(std::string_view name) {
  for (const element_row& row : elements) {
    if (row.name == name) {
      sim::step::value_type type;
      type.kind = row.kind;
      type.is_unsigned = row.is_unsigned;
      type.spelling = name;
      return {std::string(name), size_of(row.kind), type};
    }
  }
  return {};
}

struct overlap {
  struct array {
    std::uintptr_t begin;
    std::string name;
  };
  array one;
  array other;
};

/// Of the launch that comes next.
thread_local std::vector<overlap> overlaps;
thread_local std::vector<overlap::array> only_read;

/// Where the arrays begin that an entry may write to.
std::set<std::uintptr_t> written_arrays(const tileir::entry& e, const void* const* parameters) {
  std::set<std::uintptr_t> written;
  for (const std::size_t p : interpreter::written_parameters(e)) {
    if (e.values[e.body.arguments[p]].type->element->is(tileir::type::kind::pointer)) {
      std::uintptr_t begin = 0;
      std::memcpy(&begin, parameters[p], sizeof begin);
      written.insert(begin);
    }
  }
  return written;
}

} // namespace

const void* launch_site() noexcept {
  return standing;
}

void judge_overlaps(const interpreter::program& of,
                    const tileir::entry& e,
                    const void* const* parameters) {
  if (overlaps.empty() || !sim::context::current().opts.reports(finding_kind::broken_assumption)) {
    overlaps.clear();
    return;
  }
  const auto written = written_arrays(e, parameters);
  for (const overlap& o : overlaps) {
    const bool one = written.contains(o.one.begin);
    const bool other = written.contains(o.other.begin);
    if (!one && !other) {
      continue;
    }
    const std::string which = one && other ? "one of them" : one ? o.one.name : o.other.name;
    // Up to the colon it tells pairs apart that one line launches.
    sim::context::current().found.add(
        standing,
        {.kind = finding_kind::broken_assumption,
         .message = fmt::format("arrays {} and {} of {} overlap: the kernel writes to {}",
                                o.one.name,
                                o.other.name,
                                of.function_name(e),
                                which),
         .details =
             {"cuTile compiles the kernel as if no array that it is given shared memory with "
              "another"},
         .remedy = "give the kernel a copy of one of them, or one array alone"});
  }
  overlaps.clear();
}

std::string written_and_only_read(const tileir::entry& e, const void* const* parameters) {
  std::string name;
  if (!only_read.empty()) {
    const auto written = written_arrays(e, parameters);
    const auto at = std::find_if(only_read.begin(), only_read.end(), [&](const auto& a) {
      return written.contains(a.begin);
    });
    name = at == only_read.end() ? "" : at->name;
  }
  only_read.clear();
  return name;
}

} // namespace tilesim::driver_stand_in

extern "C" {

/// The process is about to end by a call of the system's: one that the program has made tells now
/// what it has found.
TILESIM_EXPORT void tilesim_host_leaves() {
  using namespace tilesim;
  const sim::library_section inside;
  const sim::context* const c = sim::context::existing();
  if (c != nullptr && c->told.child) {
    c->found.tell(sim::in_report::how_ended);
  }
}

/// The host program is about to launch, there.
TILESIM_EXPORT void tilesim_host_at(const char* file, unsigned line, const char* function) {
  using namespace tilesim;
  const sim::library_section inside;
  driver_stand_in::standing = driver_stand_in::lines().place(file, line, function);
  driver_stand_in::overlaps.clear();
  driver_stand_in::only_read.clear();
}

/// Two arrays of the launch that comes next have bytes in common.
TILESIM_EXPORT void tilesim_host_overlap(std::uintptr_t one,
                                         const char* name,
                                         std::uintptr_t other,
                                         const char* other_name) {
  using namespace tilesim;
  const sim::library_section inside;
  driver_stand_in::overlaps.push_back({{one, name}, {other, other_name}});
}

/// An array of the launch that comes next may not be written to: its owner has said so.
TILESIM_EXPORT void tilesim_host_only_read(std::uintptr_t begin, const char* name) {
  using namespace tilesim;
  const sim::library_section inside;
  driver_stand_in::only_read.push_back({begin, name});
}

/// Does anybody ask for the values of variables in kernels?
TILESIM_EXPORT int tilesim_host_wants_variables() {
  using namespace tilesim;
  const sim::library_section inside;
  return sim::context::current().exec->is_steered() ? 1 : 0;
}

/// The variables of an entry of a file that is yet to be loaded [sim/interpreter/variables.hpp].
/// What is wrong with the file is said when it is loaded.
TILESIM_EXPORT void
tilesim_host_variables(const void* code, std::size_t bytes, const char* entry, const char* lines) {
  using namespace tilesim;
  const sim::library_section inside;
  try {
    auto& p = interpreter::load({static_cast<const std::uint8_t*>(code), bytes});
    if (const tileir::entry* const e = p.find(entry)) {
      p.name_variables(*e, interpreter::read_variables(lines));
    }
  } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): see above
  }
}

/// Kernels may use these bytes from now on, an array's that is called `name` and has elements of
/// Python's type `element`. 0: they overlap others, of which some may be wanted.
TILESIM_EXPORT int
tilesim_host_lends(void* address, std::size_t bytes, const char* name, const char* element) {
  using namespace tilesim;
  const sim::library_section inside;
  sim::context& c = sim::context::current();
  if (!c.mem.register_range(address, bytes, driver_stand_in::standing, sim::memory_kind::lent)) {
    return 0;
  }
  sim::names_of(c).lent(*c.mem.find(address), {name, driver_stand_in::element_named(element)});
  return 1;
}

/// The end of that.
TILESIM_EXPORT void tilesim_host_takes_back(void* address) {
  using namespace tilesim;
  const sim::library_section inside;
  sim::context& c = sim::context::current();
  if (const sim::allocation* const a = c.mem.find(address);
      a != nullptr && a->kind == sim::memory_kind::lent) {
    sim::names_of(c).forget(*a);
    c.mem.release(address, driver_stand_in::standing);
  }
}
}
