// Manifests and results below one folder.
//
//   manifests/KEY      result NAME, said TEXT-NAME, one line "HASH PATH" per input
//   results/NAME       objects, programs and what the compiler said
//   tmp/               files that are being made
//   toolchain/         NVIDIA's compiler (toolchain.cpp)
// SPDX-License-Identifier: Apache-2.0
#include "tools/cache.hpp"

#include "tools/failure.hpp"
#include "tools/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tilesim::driver {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t default_limit = std::uint64_t{2} << 30;

std::uint64_t size_limit() {
  const char* text = std::getenv("TILESIM_CACHE_SIZE");
  if (text == nullptr || *text == '\0')
    return default_limit;
  char* end = nullptr;
  const auto number = std::strtoull(text, &end, 10);
  const std::string_view unit = end;
  if (end != text && (unit == "M" || unit == "MiB"))
    return number << 20;
  if (end != text && (unit == "G" || unit == "GiB"))
    return number << 30;
  throw failure(exit_usage,
                fmt::format("TILESIM_CACHE_SIZE is '{}'; write a number of mebibytes or gibibytes, "
                            "such as 500M or 2G",
                            text));
}

std::string default_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const auto own = variable("TILESIM_CACHE"); !own.empty())
    return fs::absolute(own).string();
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty())
    return xdg + "/tilesim";
  if (const auto home = variable("HOME"); !home.empty())
    return home + "/.cache/tilesim";
  throw failure(exit_unavailable,
                "no folder for the cache: HOME is not set; set TILESIM_CACHE to a folder");
}

void make_folder(const std::string& path) {
  std::error_code error;
  if (fs::create_directories(path, error); error)
    throw failure(exit_unavailable,
                  fmt::format("cannot make the cache folder '{}': {}; set TILESIM_CACHE to a "
                              "folder that can be written",
                              path,
                              error.message()));
}

// Marks a file as used now; not more than once in a while, a write costs more than a look.
void touch(const std::string& path) {
  struct stat status {};
  constexpr time_t often = 600;
  if (stat(path.c_str(), &status) == 0 && status.st_mtime + often < time(nullptr))
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
}

bool changed_since(const std::string& path, std::chrono::system_clock::time_point when) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    return true;
  const auto changed = std::chrono::seconds(status.st_mtim.tv_sec) +
                       std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return changed > when.time_since_epoch();
}

struct manifest {
  std::string result, said;
  std::vector<std::pair<std::string, std::string>> inputs; ///< hash, path
};

std::optional<manifest> parse_manifest(std::string_view text) {
  manifest m;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto blank = line.find(' ');
    if (blank == std::string_view::npos)
      return {};
    const auto word = line.substr(0, blank);
    const auto rest = line.substr(blank + 1);
    if (word == "result")
      m.result = rest;
    else if (word == "said")
      m.said = rest;
    else
      m.inputs.emplace_back(word, rest);
  }
  return m.result.empty() ? std::nullopt : std::optional(std::move(m));
}

} // namespace

cache cache::open() {
  return cache(default_folder());
}

cache::cache(std::string folder)
    : folder_(std::move(folder)) {
  for (const auto* part : {"/manifests", "/results", "/tmp"})
    if (access((folder_ + part).c_str(), W_OK) != 0)
      make_folder(folder_ + part);
}

std::optional<cached_result> cache::find(const std::string& key) const {
  const auto path = folder_ + "/manifests/" + key;
  const auto text = read_file(path);
  const auto found = text ? parse_manifest(*text) : std::nullopt;
  if (!found)
    return {};
  cached_result result;
  result.file = folder_ + "/results/" + found->result;
  if (access(result.file.c_str(), R_OK) != 0)
    return {};
  for (const auto& [hash, input] : found->inputs) {
    if (hash_file(input) != hash)
      return {};
    result.inputs.push_back(input);
  }
  if (!found->said.empty()) {
    auto said = read_file(folder_ + "/results/" + found->said);
    if (!said)
      return {};
    result.output = std::move(*said);
  }
  touch(path);
  touch(result.file);
  return result;
}

std::string cache::store(const std::string& key,
                         const cached_result& made,
                         std::string_view extension,
                         std::chrono::system_clock::time_point started) {
  std::string listed;
  bool settled = true;
  for (const auto& input : made.inputs) {
    const auto hash = changed_since(input, started) ? std::nullopt : hash_file(input);
    settled = settled && hash;
    listed += fmt::format("{} {}\n", hash.value_or("changed"), input);
  }
  const auto name = hash_bytes(key + listed);
  const auto result = fmt::format("{}/results/{}{}", folder_, name, extension);
  // Somebody else may have stored the same and be running it: a program whose file is replaced
  // finds its debug information no more.
  if (settled && access(result.c_str(), R_OK) == 0)
    unlink(made.file.c_str());
  else if (rename(made.file.c_str(), result.c_str()) != 0)
    throw failure(exit_unavailable,
                  fmt::format("cannot write '{}': {}", result, std::strerror(errno)));
  std::string text = fmt::format("result {}{}\n", name, extension);
  if (!made.output.empty()) {
    write_file(fmt::format("{}/results/{}.txt", folder_, name), made.output);
    text += fmt::format("said {}.txt\n", name);
  }
  write_file(folder_ + "/manifests/" + key, text + listed);
  evict();
  return result;
}

std::string cache::temporary(std::string_view extension) const {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}/tmp/{}-{}{}", folder_, getpid(), counter++, extension);
}

namespace {

struct stored_file {
  fs::path path;
  std::uint64_t bytes;
  fs::file_time_type used;
};

std::vector<stored_file> files_below(const std::string& folder) {
  std::vector<stored_file> files;
  std::error_code error; // a file may vanish while we look: another process evicts, too
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;
    const stored_file f{it->path(), it->file_size(gone), it->last_write_time(gone)};
    if (!gone)
      files.push_back(f);
  }
  return files;
}

} // namespace

cache_usage cache::usage() const {
  cache_usage sum;
  sum.limit = size_limit();
  for (const auto* part : {"/manifests", "/results"})
    for (const auto& f : files_below(folder_ + part)) {
      ++sum.files;
      sum.bytes += f.bytes;
    }
  return sum;
}

void cache::evict() {
  using namespace std::chrono_literals;
  const auto now = fs::file_time_type::clock::now();
  std::error_code error;
  for (const auto& f : files_below(folder_ + "/tmp"))
    if (f.used + 1h < now)
      fs::remove(f.path, error);
  const auto sum = usage();
  if (sum.bytes <= sum.limit)
    return;
  auto files = files_below(folder_ + "/results");
  for (auto& manifest : files_below(folder_ + "/manifests"))
    files.push_back(std::move(manifest));
  std::ranges::sort(files, {}, &stored_file::used);
  auto bytes = sum.bytes;
  for (const auto& f : files) {
    if (bytes <= sum.limit / 4 * 3 || f.used + 5min > now)
      break; // what was used just now may be about to run
    fs::remove(f.path, error);
    bytes -= f.bytes;
  }
}

void cache::clear() {
  std::error_code error;
  for (const auto* part : {"/manifests", "/results", "/tmp"})
    for (const auto& f : files_below(folder_ + part))
      fs::remove(f.path, error);
}

temporary_file::~temporary_file() {
  unlink(path.c_str());
}

} // namespace tilesim::driver
