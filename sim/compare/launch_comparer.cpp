// The comparer: sets memory before and behind launches, tells where it differed.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/launch_comparer.hpp"

#include "sim/compare/comparer.hpp"
#include "sim/compare/differing.hpp"
#include "sim/compare/launch_arguments.hpp"
#include "sim/contract/comparison_lines.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/watch/capture.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>
#include <xxhash.h>

namespace tilesim::sim::compare {

launch_comparer::launch_comparer(context& c,
                                 launch_feed feed,
                                 std::unique_ptr<fed_contents> contents,
                                 int file)
    : context_(c)
    , detailed_(c.opts.compare_details)
    , feed_(std::move(feed))
    , contents_(std::move(contents))
    , lines_(file, "the comparison")
    , buffers_(c) {
  find_variables();
  if (detailed_) {
    c.exec->attach(
        make_reloads([this](const sim_thread& /*t*/, const reload& r) { reloads_.push_back(r); }));
  }
  std::istringstream numbers(c.opts.compare_bounds);
  for (std::string number; std::getline(numbers, number, ',');) {
    bounded_.insert(std::strtoull(number.c_str(), nullptr, 10));
  }
  if (!bounded_.empty()) {
    bounds_ = &static_cast<errors::error_analysis&>(
        c.exec->attach(std::make_unique<errors::error_analysis>(
            c, c.opts.compare_contracts, c.opts.compare_approximates)));
    bounds_->knows_dropped([this](const void* site) { return dropped_.of(site); });
    judging_.emplace(*bounds_, buffers_, writes_);
    left_.emplace(c.opts.compare_left, c.opts.compare_altered != 0);
  }
}

// --- Before a launch

bool launch_comparer::is_the_same(const launch_state& l, const fed_launch& there) {
  const std::array<std::uint64_t, 3> grid = {l.config.grid.x, l.config.grid.y, l.config.grid.z};
  const std::array<std::uint64_t, 3> block = {l.config.block.x, l.config.block.y, l.config.block.z};
  const std::string_view name = l.kernel.name; // with what stood behind it, in angle brackets
  if ((there.kernel.empty() || there.kernel == name.substr(0, name.find('<'))) &&
      there.grid == grid && there.block == block && there.shared_bytes == l.config.shared_bytes) {
    return true;
  }
  lines_.write({{in_comparison::other_launch, begun_ - 1},
                {in_comparison::here,
                 {{in_comparison::kernel, l.kernel.name},
                  {in_comparison::grid, grid},
                  {in_comparison::block, block},
                  {in_comparison::shared, l.config.shared_bytes}}},
                {in_comparison::there,
                 {{in_comparison::kernel, there.kernel},
                  {in_comparison::grid, there.grid},
                  {in_comparison::block, there.block},
                  {in_comparison::shared, there.shared_bytes}}},
                {in_comparison::frames, frames_json<json>(resolve(l.site))}});
  return false;
}

void launch_comparer::launch_begins(const launch_state& l) {
  const std::size_t number = begun_++;
  numbers_[l.id] = number;
  made_[l.id] = {number, l.kernel.name};
  if (parted_ || number >= feed_.launches.size()) {
    return;
  }
  const fed_launch& there = feed_.launches[number];
  if (!is_the_same(l, there)) {
    parted_ = true;
    return;
  }
  const scoped_access open(context_.mem);
  const counterparts same = counterparts_in(there);
  // Nobody runs, and what was there before these launches has been compared.
  if (numbers_.size() == 1 && (number == 0 || feed_.launches[number - 1].observed)) {
    inputs_.clear();
    held_.clear();
    unlike_.keep_live(context_.mem.live());
    begin_bounds(number);
  }
  add_differing_inputs(there, same);
  for (differing_argument& a : differing_arguments(context_, l, there.arguments, same)) {
    inputs_.add({{in_comparison::argument, a.index},
                 {in_comparison::name, std::move(a.name)},
                 {in_comparison::type, std::move(a.type)},
                 {in_comparison::here, std::move(a.here)},
                 {in_comparison::there, std::move(a.there)}});
  }
  for (const fed_input& i : there.inputs) {
    if (const allocation* const a = same.of(i.memory)) {
      unlike_.settle(a->id, {i.offset, i.offset + i.bytes});
    }
  }
  set_before(there, same);
  for (const allocation* a : context_.mem.live()) {
    hold(*a);
  }
  for (const auto& [memory, v] : variables_) {
    hold(v);
  }
}

void launch_comparer::hold(const allocation& a) {
  held_memory& m = held_[a.id];
  if (m.here == nullptr) {
    m.here = &a;
    m.expected.assign(m.now().begin(), m.now().end());
  }
}

// By their symbols; one of another size is another variable. Beside allocations, each has a number
// that no allocation has.
void launch_comparer::find_variables() {
  for (std::size_t m = 0; m < feed_.memories.size(); ++m) {
    if (!feed_.memories[m].variable.empty()) {
      unmatched_[feed_.memories[m].variable] = m;
    }
  }
  if (unmatched_.empty()) {
    return;
  }
  for_each_object_symbol([&](const char* name, std::uintptr_t begin, std::uintptr_t end) {
    const auto it = unmatched_.find(name);
    if (it != unmatched_.end() && end - begin == feed_.memories[it->second].bytes) {
      variables_[it->second] = {.begin = begin,
                                .size = end - begin,
                                .id = first_variable + static_cast<unsigned>(it->second)};
      unmatched_.erase(it);
    }
  });
}

// Arrays that a Python program lends to the launch, by their names there and here.
counterparts launch_comparer::counterparts_in(const fed_launch& there) const {
  std::map<std::string, const allocation*> by_name;
  for (const allocation* a : context_.mem.live()) {
    const step::buffer* const b = !there.arrays.empty() && a->kind == sim::memory_kind::lent
                                      ? buffers_.holding(a->begin)
                                      : nullptr;
    if (b != nullptr) {
      by_name[b->name] = a;
    }
  }
  std::map<std::size_t, const allocation*> arrays;
  for (const std::size_t memory : there.arrays) {
    const fed_memory& m = feed_.memories[memory];
    const auto it = by_name.find(m.array);
    if (it != by_name.end() && it->second->size == m.bytes) {
      arrays[memory] = it->second;
    }
  }
  return {feed_.memories, context_.mem, variables_, std::move(arrays)};
}

// Launches that run together are judged behind the last of them.
void launch_comparer::begin_bounds(std::size_t number) {
  std::size_t last = number;
  while (last < feed_.launches.size() && !feed_.launches[last].observed) {
    ++last;
  }
  if (bounds_ != nullptr && bounded_.contains(last)) {
    // Other numbers would have other hashes than those of the first run.
    const auto what = feed_.launches[last].pages.empty()
                          ? static_cast<altered_values>(context_.opts.compare_altered)
                          : altered_values::nothing;
    bounds_->begin(what, std::ranges::any_of(context_.mem.live(), [&](const allocation* a) {
                     const auto& type = element_of(*a);
                     return type && (type->kind == element::f16 || type->kind == element::bf16);
                   }));
  }
}

/// Of memory that has another size there nothing is known from then on. `written`: by these
/// launches, there.
void launch_comparer::add_other_size(std::size_t memory, const counterparts& same, bool written) {
  if (const allocation* const a = same.of_other_size(memory)) {
    other_sizes_.insert(memory);
    json line = name_of(*a);
    line[in_comparison::bytes_there] = feed_.memories[memory].bytes;
    if (written) {
      inputs_.add(std::move(line));
    } else {
      inputs_.add(std::move(line), a->begin, a->size);
    }
  }
}

void launch_comparer::add_differing_inputs(const fed_launch& there, const counterparts& same) {
  for (const fed_range& r : there.before) {
    other_sizes_.insert(r.memory);
  }
  for (const fed_input& i : there.inputs) {
    other_sizes_.insert(i.memory);
  }
  for (const std::size_t memory : std::exchange(other_sizes_, {})) {
    add_other_size(memory, same, false);
  }
  for (const fed_input& i : there.inputs) {
    const allocation* const a = same.of(i.memory);
    if (a != nullptr &&
        XXH64(reinterpret_cast<const void*>(a->begin + i.offset), i.bytes, 0) != i.hash) {
      json line = name_of(*a);
      line[in_comparison::offset] = i.offset;
      line[in_comparison::bytes] = i.bytes;
      inputs_.add(std::move(line), a->begin + i.offset, i.bytes);
    }
  }
}

void launch_comparer::set_before(const fed_launch& there, const counterparts& same) {
  for (const fed_range& r : there.before) {
    if (const allocation* const a = same.of(r.memory)) {
      write_range(
          r, *contents_, same, {reinterpret_cast<std::byte*>(a->begin + r.offset), r.bytes});
    }
  }
}

// --- While it runs

void launch_comparer::memory(const memory_event& e) {
  if (!detailed_) {
    return; // another watcher wants accesses, of tiles perhaps without their elements
  }
  writes_.note(e);
  inputs_.note(e);
  if (e.raw &&
      e.how.order != machine::memory_order::weak) { // an atomic operation of a `__global__` kernel
    inexact_.emplace(e.site,
                     e.sums_floats ? in_comparison::because_order
                     : e.reads     ? in_comparison::because_atomic
                                   : in_comparison::because_store);
  }
  for (unsigned i = 0; i < e.count && first_address_ == 0 && !e.raw; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      first_address_ = e.addresses[i];
    }
  }
}

void launch_comparer::operation(const operation_event& e) {
  if (!detailed_) {
    return;
  }
  if (first_address_ != 0) {
    step::note_element_type(buffers_, std::exchange(first_address_, 0), e);
  }
  const bool sums_floats = e.op == machine::opcode::atomic_rmw_tko && e.operand_count > 1 &&
                           is_floating(e.operands[1].type->elem);
  const bool strong = e.access != nullptr && e.access->order != machine::memory_order::weak;
  if (e.accuracy().approximate()) {
    inexact_.emplace(e.site, in_comparison::because_approximate);
  } else if (e.depends_on_order() || sums_floats) {
    inexact_.emplace(e.site, in_comparison::because_order);
  } else if (e.op == machine::opcode::atomic_rmw_tko || e.op == machine::opcode::atomic_cas_tko ||
             (e.op == machine::opcode::load_ptr_tko && strong)) {
    inexact_.emplace(e.site, in_comparison::because_atomic); // who comes first is left open
  } else if (strong) {
    inexact_.emplace(e.site, in_comparison::because_store); // which is the last is left open
  }
}

// --- Behind it

void launch_comparer::launch_ends(const launch_state& l) {
  const auto ended = numbers_.extract(l.id);
  if (parted_ || ended.empty() || ended.mapped() >= feed_.launches.size() || !numbers_.empty()) {
    return;
  }
  // Of launches that ran together the last one is observed; they may end in any order.
  const fed_launch& last = feed_.launches[begun_ - 1];
  if (!last.observed) {
    return;
  }
  const scoped_access open(context_.mem);
  const unlike_memory before = unlike_;
  const counterparts same = counterparts_in(last);
  for (const fed_range& r : last.after) {
    add_other_size(r.memory, same, true);
  }
  for (const fed_pages& p : last.pages) {
    add_other_size(p.memory, same, true);
  }
  expect(last, same);
  json buffers = differing_buffers();
  if (!buffers.empty()) {
    add_unlike_inputs(before);
  }
  tell_launch(l, std::move(buffers));
  if (bounds_ != nullptr) {
    bounds_->end();
  }
  compared_ = begun_;
  inexact_.clear();
}

/// What the launches have made of memory there.
void launch_comparer::expect(const fed_launch& last, const counterparts& same) {
  const auto held = [&](std::size_t memory) {
    const allocation* const a = same.of(memory);
    return a == nullptr ? held_.end() : held_.find(a->id);
  };
  for (const fed_range& r : last.after) {
    if (const auto m = held(r.memory); m != held_.end()) {
      write_range(r, *contents_, same, std::span(m->second.expected).subspan(r.offset, r.bytes));
      if (!r.mask) {
        unlike_.settle(m->first, {r.offset, r.offset + r.bytes});
      }
    }
  }
  for (const fed_pages& p : last.pages) {
    if (const auto m = held(p.memory); m != held_.end()) {
      take_pages(p, m->second);
      unlike_.settle(m->first, {p.offset, p.offset + p.bytes});
    }
  }
  for (const auto& [id, m] : held_) {
    for (const byte_range& page : m.unlike) {
      unlike_.add(id, page);
    }
  }
}

/// What differs may come of what was left before, which could not be made what it was there.
void launch_comparer::add_unlike_inputs(const unlike_memory& before) {
  for (const auto& [id, ranges] : before.ranges()) {
    const auto m = held_.find(id);
    for (const byte_range& r : ranges) {
      if (m != held_.end()) {
        json line = name_of(*m->second.here);
        line[in_comparison::offset] = r.begin;
        line[in_comparison::bytes] = r.end - r.begin;
        line[in_comparison::left] = true;
        inputs_.add(std::move(line));
      }
    }
  }
}

namespace {

/// Of memory of so many bytes: all of it, where there are more runs than are kept.
std::vector<byte_range>
differing_bytes(const differing& found, std::size_t element_bytes, std::size_t size) {
  if (found.cut) {
    return {{0, size}};
  }
  std::vector<byte_range> all;
  for (const auto& [begin, end] : found.runs) {
    all.push_back({begin * element_bytes, std::min(end * element_bytes, size)});
  }
  return all;
}

} // namespace

void launch_comparer::note_altered() {
  judging_->begin();
  for (const auto& [id, m] : held_) {
    if (m.here->live) {
      const bool same = judging_->note_altered(m, left_->left(begun_ - 1, id, m.expected));
      as_left_ = as_left_ && same;
    }
  }
}

json launch_comparer::differing_buffers() {
  json list = json::array();
  const bool bounded = bounds_ != nullptr && bounds_->is_active();
  const bool moved = bounded && left_->takes();
  if (moved) {
    note_altered();
  }
  for (auto& [id, m] : held_) {
    if (!m.here->live) {
      continue;
    }
    const auto& element = element_of(*m.here);
    const std::size_t element_bytes = element ? size_of(element->kind) : 1;
    const std::vector<std::byte> left =
        moved ? left_->left(begun_ - 1, id, m.expected) : std::vector<std::byte>();
    const std::span<const std::byte> here = moved ? std::span(left) : m.now();
    const judge_element judges = [&, &held = m](std::size_t offset) {
      judged is = judging_->judge(
          held, here, offset, std::min(element_bytes, held.expected.size() - offset));
      sum_is_wrong_ = sum_is_wrong_ ||
                      (is.is == judged::how::wrong && bounds_->is_sum(held.here->begin + offset));
      return is;
    };
    const differing found =
        where_differs(here, m.expected, element_bytes, bounded ? judges : nullptr);
    if (found.elements != 0 || !m.unlike.empty()) {
      list.push_back(told(m, here, found));
    }
    const std::span<std::byte> now = m.now();
    const std::vector<byte_range> differ = moved
                                               ? std::vector{byte_range{0, now.size()}}
                                               : differing_bytes(found, element_bytes, now.size());
    for (const auto& [begin, end] : differ) {
      if (bounded && !moved) {
        left_->keep(begun_ - 1, id, begin, now.subspan(begin, end - begin));
      }
      std::ranges::copy(std::span(m.expected).subspan(begin, end - begin),
                        now.subspan(begin).begin());
    }
  }
  return list;
}

void launch_comparer::run_ends(run_end how, int status) {
  json unmatched = json::array();
  for (const auto& [name, memory] : unmatched_) {
    unmatched.push_back(name);
  }
  lines_.write({{in_comparison::end, word(how)},
                {in_comparison::status, status},
                {in_comparison::launches, begun_},
                {in_comparison::compared, compared_},
                {in_comparison::recorded, feed_.launches.size()},
                {in_comparison::unmatched, std::move(unmatched)}});
}

namespace {

[[noreturn]] void cannot(const std::string& why) {
  print_error("tilesim: error: {}\n", why);
  std::fflush(stderr);
  _exit(exit_unavailable);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    cannot(path + ": it cannot be read");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

void attach(context& c) {
  const int file = line_file::create(c.opts.comparison);
  if (file < 0) {
    return; // a process that the program has started
  }
  try {
    auto contents = std::make_unique<fed_contents>(c.opts.feed + ".contents");
    launch_feed feed = feed_from_text(text_of(c.opts.feed), contents->size());
    watcher& made = c.exec->attach(
        std::make_unique<launch_comparer>(c, std::move(feed), std::move(contents), file));
    if (c.opts.compare_ends != 0) {
      c.exec->desk().judge = &static_cast<launch_comparer&>(made);
    }
  } catch (const std::exception& e) {
    cannot(e.what());
  }
}

} // namespace tilesim::sim::compare
