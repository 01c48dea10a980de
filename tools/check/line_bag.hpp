// What a program prints, as a multiset of lines: blocks print in any order.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

class line_bag {
public:
  /// The next bytes, as they come.
  void add(std::string_view bytes);
  /// No more bytes: a last line without its end counts, too.
  void finish();

  /// The same lines, each as often, in any order.
  [[nodiscard]] bool same_as(const line_bag& other) const {
    return count_ == other.count_ && sum_ == other.sum_;
  }

  /// The first line that is here more often than in `other`, if it was kept: of very long output
  /// only the first mebibyte is.
  [[nodiscard]] std::optional<std::string> first_not_in(const line_bag& other) const;

  /// The last line that is not empty; empty: there is none. Of a very long one its beginning.
  [[nodiscard]] const std::string& last() const { return last_; }

private:
  void line();

  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0; ///< of the lines' hashes
  std::string current_;
  std::string last_;
  std::size_t kept_bytes_ = 0;
  std::vector<std::string> kept_;
};

} // namespace tilesim::tools
