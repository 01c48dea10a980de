// Looking up places: files by their last part, for a recording was made in another folder.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contraction/compiled_places.hpp"

#include "sim/contract/kernel_names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tilesim::sim::contraction {

namespace {

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

enum class match : std::uint8_t { none, line, column };

/// `is_caller`: compilers differ in where in a line a call stands.
match how_well(const sum_place& p, const source_frame& f, bool is_caller) {
  if (last_part(p.file) != last_part(f.file)) {
    return match::none;
  }
  match best = match::none;
  for (const text_position& at : p.at) {
    if (at.line == f.line && (at.column == 0 || is_caller || at.column == f.column)) {
      best = std::max(best, at.column == f.column ? match::column : match::line);
    }
  }
  return best;
}

/// Only those that match best; of frame `which`.
void keep_best(std::vector<const compiled_sum*>& sums,
               const std::vector<source_frame>& frames,
               std::size_t which) {
  match best = match::none;
  const auto of = [&](const compiled_sum* s) {
    return how_well(s->frames[which], frames[which], which > 0);
  };
  for (const compiled_sum* const s : sums) {
    best = std::max(best, s->frames.size() > which ? of(s) : match::none);
  }
  std::erase_if(sums, [&](const compiled_sum* s) {
    return s->frames.size() <= which || of(s) != best || best == match::none;
  });
}

} // namespace

compiled_places::compiled_places(sum_table sums)
    : sums_(std::move(sums)) {
  std::map<std::string, std::string> names;
  for (const compiled_sum& s : sums_) {
    const auto [name, is_new] = names.try_emplace(s.kernel);
    if (is_new) {
      name->second = kernel_name(s.kernel);
    }
    by_kernel_[name->second].push_back(&s);
  }
}

bool compiled_places::fuses(std::string_view kernel) const {
  const auto found = by_kernel_.find(kernel.substr(0, kernel.find('<')));
  return found != by_kernel_.end() && std::ranges::any_of(found->second, [](const compiled_sum* s) {
           return s->is != compiled_sum::how::apart;
         });
}

std::vector<const compiled_sum*>
compiled_places::at(std::string_view kernel,
                    std::string_view element,
                    const std::vector<source_frame>& frames) const {
  const auto found = by_kernel_.find(kernel.substr(0, kernel.find('<')));
  std::vector<const compiled_sum*> sums;
  if (found == by_kernel_.end() || frames.empty()) {
    return sums;
  }
  std::ranges::copy_if(found->second, std::back_inserter(sums), [&](const compiled_sum* s) {
    return s->element == element;
  });
  keep_best(sums, frames, 0);
  for (std::size_t i = 1; i < frames.size() && sums.size() > 1 && !one_of(sums); ++i) {
    // A chain that ends here is no worse than one that goes on: the frames may be too many.
    std::vector<const compiled_sum*> closer = sums;
    keep_best(closer, frames, i);
    if (!closer.empty()) {
      sums = std::move(closer);
    }
  }
  return sums;
}

std::optional<compiled_sum> one_of(const std::vector<const compiled_sum*>& sums) {
  if (sums.empty() || std::ranges::any_of(sums, [&](const compiled_sum* s) {
        return s->is != sums.front()->is || s->of_two != sums.front()->of_two;
      })) {
    return {};
  }
  return *sums.front();
}

} // namespace tilesim::sim::contraction
