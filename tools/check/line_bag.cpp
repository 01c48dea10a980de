// Multisets of lines.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/line_bag.hpp"

#include <map>
#include <xxhash.h>

namespace tilesim::tools {
namespace {

constexpr std::size_t most_kept = std::size_t{1} << 20;
constexpr std::size_t longest_last = 1000;

} // namespace

void line_bag::add(std::string_view bytes) {
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    current_ += bytes.substr(0, end);
    line();
    bytes.remove_prefix(end + 1);
  }
  current_ += bytes;
}

void line_bag::finish() {
  if (!current_.empty()) {
    line();
  }
}

void line_bag::line() {
  ++count_;
  sum_ += XXH3_64bits(current_.data(), current_.size());
  if (kept_bytes_ < most_kept) {
    kept_bytes_ += current_.size();
    kept_.push_back(current_);
  }
  if (!current_.empty()) {
    last_.assign(current_, 0, longest_last);
  }
  current_.clear();
}

std::optional<std::string> line_bag::first_not_in(const line_bag& other) const {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& l : other.kept_) {
    ++counts[l];
  }
  for (const auto& l : kept_) {
    if (counts[l]-- == 0) {
      return l;
    }
  }
  return {};
}

} // namespace tilesim::tools
