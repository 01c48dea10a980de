// Breakpoints and watched values, asked before every operation.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/stops.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/expressions/arithmetic.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/opcode_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace tilesim::sim::step {

namespace {

/// "my::kernel<int>" is called "kernel", "my::kernel" or by its whole name.
bool is_called(std::string_view kernel, std::string_view wanted) {
  if (kernel == wanted) {
    return true;
  }
  kernel = kernel.substr(0, kernel.find('<'));
  return kernel == wanted ||
         (kernel.size() > wanted.size() + 2 &&
          kernel.substr(kernel.size() - wanted.size() - 2) == "::" + std::string(wanted));
}

bool same(const value& a, const value& b) {
  return a.bytes == b.bytes && a.shape == b.shape && a.type.kind == b.type.kind &&
         a.marks == b.marks &&
         std::equal(a.members.begin(),
                    a.members.end(),
                    b.members.begin(),
                    b.members.end(),
                    [](const auto& x, const auto& y) { return same(x.second, y.second); });
}

std::optional<value> evaluate(const expression& what, environment& names) {
  try {
    value v = what.evaluate(names);
    if (v.missing.empty()) {
      return v;
    }
  } catch (const expression_error&) { // its names are not there: it has no value now
  }
  return std::nullopt;
}

} // namespace

bool ends_with_path(const std::string& file, const std::string& wanted) {
  return file.size() >= wanted.size() &&
         file.compare(file.size() - wanted.size(), wanted.size(), wanted) == 0 &&
         (file.size() == wanted.size() || file[file.size() - wanted.size() - 1] == '/');
}

bool answers_to(const char* operation, const std::string& wanted) {
  const std::string_view name = operation;
  if (name == wanted) {
    return true;
  }
  // Never destroyed: the stepper stays to the very end.
  static const auto& by_call = *new const std::multimap<std::string, std::string, std::less<>>{
      {"load", "load_ptr_tko"},
      {"load", "load_view_tko"},
      {"load_masked", "load_ptr_tko"},
      {"store", "store_ptr_tko"},
      {"store", "store_view_tko"},
      {"store_masked", "store_ptr_tko"},
      {"atomic_compare_exchange", "atomic_cas_tko"},
      {"mma", "mmaf"},
      {"mma", "mmai"},
      {"matmul", "mmaf"},
      {"matmul", "mmai"},
      {"full", "constant"},
      {"bid", "get_tile_block_id"},
      {"num_blocks", "get_num_tile_blocks"},
      {"element_cast", "exti"},
      {"element_cast", "trunci"},
      {"element_cast", "itof"},
      {"element_cast", "ftoi"},
      {"element_cast", "ftof"},
      {"sum", "reduce"},
      {"cumsum", "scan"},
  };
  const auto [first, last] = by_call.equal_range(wanted);
  if (std::any_of(first, last, [&](const auto& row) { return row.second == name; })) {
    return true;
  }
  // atomic: every one; add: addi and addf.
  if (wanted == "atomic") {
    return name.substr(0, 6) == "atomic";
  }
  return name.size() == wanted.size() + 1 && name.substr(0, wanted.size()) == wanted &&
         (name.back() == 'i' || name.back() == 'f');
}

void check_operation(const std::string& wanted) {
  const auto answers = [&wanted](const char* name) { return answers_to(name, wanted); };
  static constexpr std::array others = {"read",
                                        "write",
                                        "update",
                                        "atomic_and",
                                        "atomic_or",
                                        "atomic_xor",
                                        "atomic_add",
                                        "atomic_max",
                                        "atomic_min",
                                        "atomic_exchange"};
  if (!std::any_of(std::begin(opcode_names), std::end(opcode_names), answers) &&
      !std::ranges::any_of(others, answers) && !std::ranges::any_of(barrier_names, answers) &&
      !std::ranges::any_of(warp_names, answers) && !answers(grid_barrier_name)) {
    throw expression_error(fmt::format("no operation is called '{}', in C++ or in Tile IR", wanted),
                           0);
  }
}

breakpoint stops::made_of(const protocol::breakpoint& b) {
  breakpoint one{.id = b.id,
                 .file = b.file,
                 .line = b.line,
                 .kernel = b.kernel,
                 .operation = b.operation,
                 .block = {},
                 .position = {},
                 .launch = b.launch,
                 .condition = {},
                 .choice = b.choice,
                 .trouble_told = b.trouble_told};
  if (!one.operation.empty()) {
    check_operation(one.operation);
  }
  if (b.block && std::holds_alternative<protocol::coordinates>(*b.block)) {
    const auto& at = std::get<protocol::coordinates>(*b.block);
    one.position = {static_cast<std::uint32_t>(at[0]),
                    static_cast<std::uint32_t>(at[1]),
                    static_cast<std::uint32_t>(at[2])};
  } else if (b.block) {
    one.block = std::get<std::uint64_t>(*b.block);
  }
  if (!b.condition.empty()) {
    one.condition.emplace(b.condition);
  }
  return one;
}

watchpoint stops::made_of(const protocol::watch& w) const {
  watchpoint one{w.id, expression(w.what)};
  if (w.frame) {
    one.frame = frame_key_of(*w.frame);
  }
  if (w.place) {
    one.place = watched_place_of(*w.place);
  }
  const auto old = std::ranges::find_if(watches_, [&one](const watchpoint& known) {
    return known.id == one.id && known.what.text() == one.what.text() && known.frame == one.frame;
  });
  if (old != watches_.end()) {
    one.last = old->last;
  }
  return one;
}

void stops::set(const std::vector<protocol::breakpoint>& breakpoints,
                const std::vector<protocol::watch>& watches) {
  // What is set stays as it is if one of the new ones is wrong.
  std::vector<breakpoint> new_breakpoints;
  new_breakpoints.reserve(breakpoints.size());
  for (const protocol::breakpoint& b : breakpoints) {
    new_breakpoints.push_back(made_of(b));
  }
  std::vector<watchpoint> new_watches;
  new_watches.reserve(watches.size());
  for (const protocol::watch& w : watches) {
    new_watches.push_back(made_of(w));
  }
  breakpoints_ = std::move(new_breakpoints);
  moved_for_launch_ = 0;
  watches_ = std::move(new_watches);
}

const stops::place_of_site& stops::place(const void* site) {
  const auto [it, is_new] = places_.try_emplace(site);
  if (is_new) {
    if (const auto frames = resolve(site); !frames.empty()) {
      it->second = {frames.front().file, frames.front().line};
    }
  }
  return it->second;
}

bool stops::same_line(const void* a, const void* b) {
  const place_of_site& first = place(a);
  const place_of_site& second = place(b);
  return first.line == second.line && first.file == second.file;
}

bool stops::comes_to(const sim_thread& t,
                     const void* site,
                     const std::string& file,
                     unsigned line) {
  const place_of_site& here = place(site);
  const place_of_site& before = place(t.site);
  if (line == 0) {
    return t.site == nullptr || here.line != before.line || here.file != before.file;
  }
  if (here.line != line || !ends_with_path(here.file, file)) {
    return false;
  }
  // Not for every operation of the line, but again when a loop comes back to it.
  return t.site == nullptr || before.line != line || before.file != here.file || site < t.site ||
         (site == t.site && t.next_access <= t.access);
}

/// What a front door has compiled for a launch, and which stands at `site`, may have no operation
/// at a breakpoint's line: it stops at the next one that has.
void stops::move_to_operations(std::uint64_t launch, const void* site) {
  if (std::exchange(moved_for_launch_, launch) == launch) {
    return;
  }
  const place_resolver* const door = registered_resolver(site);
  if (door == nullptr || std::ranges::all_of(breakpoints_, [](auto& b) { return b.line == 0; })) {
    return;
  }
  const operation_lines files = door->lines();
  for (breakpoint& b : breakpoints_) {
    b.moved_to = 0;
    for (const auto& [path, lines] : files) {
      if (b.line != 0 && b.moved_to == 0 && ends_with_path(path, b.file)) {
        const unsigned line = next_operation_line(lines, b.line).value_or(b.line);
        b.moved_to = line == b.line ? 0 : line;
      }
    }
  }
}

/// Whether what it is about to read may take several writes.
bool has_choice(sim_thread& t) {
  if (t.next_read == nullptr) {
    return false;
  }
  const auto reads = t.owner->exec->memory().offers(t, *t.next_read);
  return std::ranges::any_of(reads, [](const offered_read& r) { return r.writes.size() > 1; });
}

std::vector<reached_breakpoint>
stops::at(sim_thread& t, const void* site, const char* operation, standing_environment& names) {
  move_to_operations(t.launch->id, site);
  std::vector<reached_breakpoint> reached;
  for (const breakpoint& b : breakpoints_) {
    if ((b.block && *b.block != t.linear_block()) ||
        (b.position && *b.position != std::array{t.block.x, t.block.y, t.block.z}) ||
        (b.launch && *b.launch != t.launch->id) ||
        (!b.operation.empty() && !answers_to(operation, b.operation)) ||
        (!b.kernel.empty() &&
         (!is_called(t.launch->kernel.name, b.kernel) ||
          (b.operation.empty() && b.line == 0 && !b.choice && t.operations != 0))) ||
        (b.line != 0 && !comes_to(t, site, b.file, b.moved_to != 0 ? b.moved_to : b.line))) {
      continue;
    }
    // A block or a launch alone: where it begins.
    if ((b.block || b.position || b.launch) && b.operation.empty() && b.kernel.empty() &&
        b.line == 0 && !b.condition && !b.choice && t.operations != 0) {
      continue;
    }
    if (b.choice && !has_choice(t)) {
      continue;
    }
    std::string trouble;
    if (b.condition && !holds(b, names, trouble)) {
      continue;
    }
    reached.push_back({b.id, std::move(trouble)});
  }
  return reached;
}

bool stops::holds(const breakpoint& b, standing_environment& names, std::string& trouble) {
  try {
    static_cast<void>(names.enter(nullptr));
    const value v = b.condition->evaluate(names);
    return v.missing.empty() && is_true(v); // what is not there yet does not hold yet
  } catch (const expression_error& e) {
    trouble = e.what();
    return !b.trouble_told;
  }
}

std::vector<seen_change> stops::changes(standing_environment& names, bool is_followed) {
  std::vector<seen_change> seen;
  for (watchpoint& w : watches_) {
    if (w.place && w.place->all_writes_known && !std::exchange(w.may_have_changed, false)) {
      continue;
    }
    if (!names.enter(w.frame ? &*w.frame : nullptr)) {
      continue;
    }
    std::optional<value> now = w.place ? w.place->read(names) : evaluate(w.what, names);
    if (!now) {
      continue; // names that leave the scope are no change of a value
    }
    const std::optional<frame_key> frame = names.entered();
    if (w.frame && frame != w.frame) {
      continue; // its variable has no value here: what else is called so is not meant
    }
    const auto [last, is_first] = w.last.try_emplace(frame, *now);
    if (is_first) {
      if (frame && is_followed) {
        seen.push_back({w.id, frame, std::nullopt, std::move(*now)});
      }
    } else if (!same(last->second, *now)) {
      seen.push_back({w.id, frame, last->second, *now});
      last->second = std::move(*now);
    }
  }
  return seen;
}

void stops::forget_values() {
  for (watchpoint& w : watches_) {
    w.last.clear();
    w.may_have_changed = true;
  }
}

void stops::thread_ended(std::uint64_t launch, std::uint64_t thread) {
  for (watchpoint& w : watches_) {
    std::erase_if(w.last, [&](const auto& entry) {
      return entry.first && entry.first->launch == launch && entry.first->thread == thread;
    });
  }
}

std::vector<unsigned> stops::watches_of(std::uint64_t launch, std::uint64_t thread) const {
  std::vector<unsigned> ids;
  for (const watchpoint& w : watches_) {
    if (w.frame && w.frame->launch == launch && w.frame->thread == thread) {
      ids.push_back(w.id);
    }
  }
  return ids;
}

bool watched_place::contains(std::uintptr_t address, std::size_t bytes) const noexcept {
  const std::uintptr_t begin = *elements.address;
  const std::size_t all =
      elements.count() * static_cast<std::size_t>(elements.stride) * size_of(elements.type.kind);
  return address < begin + all && begin < address + bytes;
}

std::optional<value> watched_place::read(environment& memory) const {
  value now = elements;
  const std::size_t size = size_of(now.type.kind);
  now.bytes.resize(now.count() * size);
  const bool contiguous = now.stride == 1;
  const std::size_t pieces = contiguous ? 1 : now.count();
  const std::size_t piece = contiguous ? now.bytes.size() : size;
  for (std::size_t i = 0; i < pieces; ++i) {
    if (piece != 0 && !memory.read(*now.address + (i * static_cast<std::size_t>(now.stride) * size),
                                   piece,
                                   now.bytes.data() + (i * piece))) {
      return std::nullopt;
    }
  }
  memory.annotate(now);
  return now;
}

protocol::watched_place message_of(const watched_place& p) {
  return {.address = *p.elements.address,
          .kind = static_cast<unsigned>(p.elements.type.kind),
          .is_unsigned = p.elements.type.is_unsigned,
          .spelling = p.elements.type.spelling,
          .shape = p.elements.shape,
          .stride = p.elements.stride,
          .all_writes_known = p.all_writes_known};
}

watched_place watched_place_of(const protocol::watched_place& m) {
  watched_place p;
  p.elements.address = m.address;
  p.elements.type.kind = static_cast<element>(m.kind);
  p.elements.type.is_unsigned = m.is_unsigned;
  p.elements.type.spelling = m.spelling;
  p.elements.shape = m.shape;
  p.elements.stride = m.stride;
  p.all_writes_known = m.all_writes_known;
  return p;
}

protocol::frame_key message_of(const frame_key& k) {
  return {
      .launch = k.launch, .thread = k.thread, .depth = k.depth, .function = k.function, .name = {}};
}

frame_key frame_key_of(const protocol::frame_key& k) {
  return {.launch = k.launch, .thread = k.thread, .depth = k.depth, .function = k.function};
}

} // namespace tilesim::sim::step
