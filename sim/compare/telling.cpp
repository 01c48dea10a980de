// What the comparer tells: launches, buffers, elements, as lines of a comparison.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/comparer.hpp"
#include "sim/contract/comparison_lines.hpp"
#include "sim/contract/frames_json.hpp"
#include "sim/core/context.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/expressions/element_word.hpp"
#include "sim/naming/host_variables.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <xxhash.h>

namespace tilesim::sim::compare {

const std::optional<step::value_type>& launch_comparer::element_of(const allocation& a) const {
  static const std::optional<step::value_type> none;
  if (a.id >= first_variable) {
    const auto [known, added] = variable_types_.try_emplace(a.id);
    if (added) {
      known->second = variable_element(a.begin);
    }
    return known->second;
  }
  const step::buffer* const b = buffers_.holding(a.begin);
  return b == nullptr ? none : b->element;
}

json launch_comparer::name_of(const allocation& a) const {
  const step::buffer* const b = buffers_.holding(a.begin);
  const bool variable = a.id >= first_variable;
  json line = {{in_comparison::allocation, variable ? 0 : a.id},
               {in_comparison::name,
                variable       ? sim::variable_name_at(a.begin)
                : b == nullptr ? fmt::format("buffer#{}", a.id)
                               : b->name},
               {in_comparison::size, a.size}};
  if (const auto& element = element_of(a)) {
    line[in_comparison::type] = step::element_word(*element);
    line[in_comparison::element_bytes] = size_of(element->kind);
  }
  return line;
}

json launch_comparer::told(const held_memory& m,
                           std::span<const std::byte> here,
                           const differing& found) {
  json line = name_of(*m.here);
  rounded_ = rounded_ || (bounds_ != nullptr && bounds_->is_active() && holds_rounded(m));
  line[in_comparison::elements] = found.elements;
  line[in_comparison::hash] = XXH64(here.data(), here.size(), 0);
  line[in_comparison::runs] = json::array();
  for (const auto& [begin, end] : found.runs) {
    line[in_comparison::runs].push_back({begin, end});
  }
  line[in_comparison::kinds] = json::array();
  for (const judged::how kind : found.kinds) {
    line[in_comparison::kinds].push_back(static_cast<unsigned>(kind));
  }
  line[in_comparison::runs_cut] = found.cut;
  line[in_comparison::open] = found.open;
  line[in_comparison::allowed] = found.allowed;
  line[in_comparison::pages] = told_pages(m);
  json first = json::array();
  for (const differing::element& e : found.first) {
    first.push_back(told(m, e));
  }
  line[in_comparison::first] = std::move(first);
  if (found.worst) {
    line[in_comparison::worst] = told(m, *found.worst);
  }
  return line;
}

json launch_comparer::told_pages(const held_memory& m) const {
  json list = json::array();
  for (const byte_range& page : m.unlike) {
    json one = {{in_comparison::begin, page.begin}, {in_comparison::end, page.end}};
    one[in_comparison::open] =
        bounds_ != nullptr && bounds_->is_active() && judging_->is_open(m, page);
    if (const auto w = writes_.last(m.here->begin + page.begin)) {
      one[in_comparison::writer] = told(*w);
    }
    list.push_back(std::move(one));
  }
  return list;
}

json launch_comparer::told(const write_log::writer& w) const {
  json one = {{in_comparison::block, w.block},
              {in_comparison::frames, frames_json<json>(resolve(w.site))}};
  if (const auto made = made_.find(w.launch); made != made_.end()) {
    one[in_comparison::launch] = made->second.number;
    one[in_comparison::kernel] = made->second.kernel;
  }
  return one;
}

json launch_comparer::told(const held_memory& m, const differing::element& e) const {
  json one = {{in_comparison::index, e.index},
              {in_comparison::here, e.here},
              {in_comparison::there, e.there}};
  if (const auto w = writes_.last(m.here->begin + e.offset)) {
    one[in_comparison::writer] = told(*w);
  }
  if (!e.verdict.low.empty()) {
    one[in_comparison::low] = e.verdict.low;
    one[in_comparison::high] = e.verdict.high;
    one[in_comparison::part] = e.verdict.part;
  }
  if (e.verdict.nan) {
    one[in_comparison::nan] = true;
  }
  if (e.verdict.reason != 0) {
    one[in_comparison::open] = told(bounds_->reason_of(e.verdict.reason));
  }
  return one;
}

json launch_comparer::told(const errors::open_reason& why) {
  return {{in_comparison::why, why.why},
          {in_comparison::frames, frames_json<json>(resolve(why.site))}};
}

std::size_t launch_comparer::first_together() const {
  std::size_t first = begun_ - 1;
  while (first > 0 && !feed_.launches[first - 1].observed) {
    --first;
  }
  return first;
}

/// Whether there is a number that another machine may have rounded otherwise, also where it has not
/// done so; or it would take long to look at all.
bool launch_comparer::holds_rounded(const held_memory& m) const {
  constexpr std::size_t most_bytes = std::size_t{4} << 20U;
  bool some = m.now().size() > most_bytes;
  for (std::size_t i = 0; !some && i < m.now().size(); ++i) {
    some = bounds_->judge(m.here->begin + i, bytes_here).is !=
           errors::error_analysis::judgement::how::exact;
  }
  return some;
}

void launch_comparer::tell_launch(const launch_state& l, json buffers) {
  std::uint64_t bytes = 0;
  for (const auto& [id, m] : held_) {
    bytes += m.expected.size();
  }
  json inexact = json::array();
  for (const auto& [site, why] : inexact_) {
    inexact.push_back(
        {{in_comparison::why, why}, {in_comparison::frames, frames_json<json>(resolve(site))}});
  }
  json line = {{in_comparison::launch, begun_ - 1},
               {in_comparison::first_launch, first_together()},
               {in_comparison::kernel, l.kernel.name},
               {in_comparison::frames, frames_json<json>(resolve(l.site))},
               {in_comparison::bytes, bytes},
               {in_comparison::inputs, inputs_.take(detailed_)},
               {in_comparison::buffers, std::move(buffers)},
               {in_comparison::inexact, std::move(inexact)}};
  line[in_comparison::threads] = l.kind == kernel_kind::simt;
  line[in_comparison::reloads] = json::array();
  for (const reload& r : std::exchange(reloads_, {})) {
    line[in_comparison::reloads].push_back(
        {{in_comparison::load, frames_json<json>(resolve(r.load))},
         {in_comparison::store, frames_json<json>(resolve(r.store))},
         {in_comparison::use, frames_json<json>(resolve(r.use))}});
  }
  if (bounds_ != nullptr && bounds_->is_active()) {
    line[in_comparison::bounded] = true;
    line[in_comparison::printed] = bounds_->has_printed();
    line[in_comparison::ordered] = bounds_->has_order();
    const bool unseen =
        context_.opts.compare_altered >= static_cast<std::uint64_t>(altered_values::olds) ||
        (!bounds_->has_olds() && !bounds_->has_order());
    const bool as_left = std::exchange(as_left_, true);
    line[in_comparison::olds] = bounds_->has_olds();
    line[in_comparison::summed] = std::exchange(sum_is_wrong_, false) && as_left && unseen;
    line[in_comparison::depends] = judging_->depends();
    line[in_comparison::movable] = bounds_->has_movable();
    line[in_comparison::rounded] =
        std::exchange(rounded_, false) ||
        std::ranges::any_of(held_, [&](const auto& m) { return holds_rounded(m.second); });
    if (const auto why = bounds_->diverted()) {
      line[in_comparison::diverted] = told(*why);
    }
  }
  lines_.write(line);
}

} // namespace tilesim::sim::compare
