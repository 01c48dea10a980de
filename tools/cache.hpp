// What was compiled before: objects and programs, found again by content.
//
// A result is stored under a key (sources, compiler, flags, tilesim's own build) together with the
// hashes of all files that were read to make it. It is found again only while all of them still
// have the same bytes. Files appear by rename, so any number of processes may share a cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {

struct cached_result {
  std::string file;   ///< the object or the program
  std::string output; ///< what the compiler said while making it
  std::vector<std::string> inputs;
};

struct cache_usage {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;
};

class cache {
public:
  /// $TILESIM_CACHE, else $XDG_CACHE_HOME/tilesim, else ~/.cache/tilesim. Made if missing; throws
  /// failure when that is not possible.
  static cache open();
  explicit cache(std::string folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }

  /// The result stored under `key`, if every file it was made from is unchanged.
  [[nodiscard]] std::optional<cached_result> find(const std::string& key) const;

  /// Moves `made.file`, a temporary one, into the cache; its new path is returned. An input that
  /// changed since `started` makes the result one that is never found again.
  std::string store(const std::string& key,
                    const cached_result& made,
                    std::string_view extension,
                    std::chrono::system_clock::time_point started);

  /// A fresh name on the cache's file system. Left-over files are removed by evict().
  [[nodiscard]] std::string temporary(std::string_view extension) const;

  [[nodiscard]] cache_usage usage() const;
  /// Removes the least recently used results until the cache is well below its limit.
  void evict();
  void clear();

private:
  std::string folder_;
};

/// Removes a temporary file at the end of a scope.
class temporary_file {
public:
  temporary_file(const cache& c, std::string_view extension)
      : path(c.temporary(extension)) {}
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string path;
};

} // namespace tilesim::driver
