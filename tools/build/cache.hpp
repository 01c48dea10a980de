// What was compiled before: objects and programs, found again by content.
//
// A result is stored under a key (sources, compiler, flags, tilesim's own build) together with the
// hashes of all files that were read to make it, and with its own. It is found again only while all
// of them still have the same bytes and none appears that would be read instead, and only where
// this user has stored it: what is damaged or somebody else's is as good as missing. Files are made
// in tmp/ under names that nobody else has and appear by rename, so any number of processes,
// containers and hosts may share a cache.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct cached_result {
  std::string file;   ///< the object or the program
  std::string output; ///< what the compiler said while making it
  std::vector<std::string> inputs;
  std::vector<std::string> absent; ///< files that were not there, and would have been read
};

struct cache_usage {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t limit = 0;
};

class cache {
public:
  /// $TILESIM_CACHE, else $XDG_CACHE_HOME/tilesim, else ~/.cache/tilesim; where that folder is
  /// somebody else's, a folder in it for this user. Made if missing; throws failure when that is
  /// not possible, and when $TILESIM_CACHE_SIZE is no size.
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

  /// A new, empty file on the cache's file system. Left-over files are removed by evict().
  [[nodiscard]] std::string temporary(std::string_view extension) const;

  /// A small text under a name of its own: what was remembered of a compiler.
  [[nodiscard]] std::optional<std::string> recall(const std::string& name) const;
  void remember(const std::string& name, std::string_view text) const;

  [[nodiscard]] cache_usage usage() const;
  /// Removes the least recently used results until the cache is well below its limit.
  void evict();
  void clear();

private:
  /// Moves a file out of tmp/ to its place, with this mode, safe from a loss of power.
  static void keep(const std::string& made, const std::string& as, unsigned mode);
  void keep_text(const std::string& as, std::string_view text) const;

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

} // namespace tilesim::tools
