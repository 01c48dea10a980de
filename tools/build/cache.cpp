// Manifests and results below one folder.
//
//   manifests/KEY      result HASH NAME, said HASH TEXT-NAME, one line "HASH PATH" per input,
//                      "absent PATH" per file that was not there, and at the end the hash of all
//                      this
//   results/NAME       objects, programs and what the compiler said
//   tmp/               files that are being made
//   toolchain/         NVIDIA's compiler (toolchain.cpp)
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/cache.hpp"

#include "sim/contract/printable.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace tilesim::tools {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t default_limit = std::uint64_t{2} << 30;

std::uint64_t size_limit() {
  const char* text = std::getenv("TILESIM_CACHE_SIZE");
  if (text == nullptr || *text == '\0') {
    return default_limit;
  }
  const auto* end = text + std::strlen(text);
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text, end, number); // no sign, no blanks
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const unsigned shift = unit == "M" || unit == "MiB" ? 20 : unit == "G" || unit == "GiB" ? 30 : 0;
  if (error != std::errc{} || shift == 0 || number << shift >> shift != number) {
    throw failure(exit_usage,
                  fmt::format("TILESIM_CACHE_SIZE is '{}'; write a number of mebibytes or "
                              "gibibytes, such as 500M or 2G",
                              text));
  }
  return number << shift;
}

std::string chosen_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const auto own = variable("TILESIM_CACHE"); !own.empty()) {
    return fs::absolute(own).string();
  }
  // A relative path there is invalid, and to be ignored (XDG Base Directory Specification).
  if (const auto xdg = variable("XDG_CACHE_HOME"); xdg.starts_with('/')) {
    return xdg + "/tilesim";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return fs::absolute(home).string() + "/.cache/tilesim";
  }
  throw failure(exit_unavailable,
                "no folder for the cache: HOME is not set; set TILESIM_CACHE to a folder");
}

[[noreturn]] void no_folder(const std::string& path, int error) {
  throw failure(exit_unavailable,
                fmt::format("cannot make the cache folder '{}': {}; set TILESIM_CACHE to a "
                            "folder that can be written",
                            path,
                            std::strerror(error)));
}

constexpr mode_t of_this_user_alone = 0700;

/// Programs are kept here and run: nobody else is to write, whatever the umask.
void make_folder(const std::string& path) {
  if (mkdir(path.c_str(), of_this_user_alone) == 0 || errno == EEXIST) {
    return;
  }
  const auto above = fs::path(path).parent_path().string();
  if (errno != ENOENT || above.empty() || above == path) {
    no_folder(path, errno);
  }
  make_folder(above);
  if (mkdir(path.c_str(), of_this_user_alone) != 0 && errno != EEXIST) {
    no_folder(path, errno);
  }
}

/// A folder of the cache, closed to others.
void make_part(const std::string& path) {
  make_folder(path);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    no_folder(path, errno);
  }
  if (!S_ISDIR(status.st_mode)) {
    no_folder(path, ENOTDIR);
  }
  if ((status.st_mode & 077U) != 0 && status.st_uid == geteuid()) {
    chmod(path.c_str(), of_this_user_alone);
  }
  if (access(path.c_str(), W_OK) != 0) {
    no_folder(path, errno);
  }
}

/// Where a cache is shared, each user but the owner of its folder has one in it.
std::string folder_of_this_user(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid == geteuid()) {
    return folder;
  }
  return fmt::format("{}/user-{}", folder, geteuid());
}

/// The bytes of a file that this user has put there; what others have is nothing to rely on.
std::optional<std::string> read_own(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) {
    return {};
  }
  return read_file(path);
}

// Marks a file as used now; not more than once in a while, a write costs more than a look.
void touch(const std::string& path) {
  struct stat status {};
  constexpr time_t often = 600;
  if (stat(path.c_str(), &status) == 0 && status.st_mtime + often < time(nullptr)) {
    utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  }
}

bool changed_since(const std::string& path, std::chrono::system_clock::time_point when) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    return true;
  }
  const auto changed = std::chrono::seconds(status.st_mtim.tv_sec) +
                       std::chrono::nanoseconds(status.st_mtim.tv_nsec);
  return changed > when.time_since_epoch();
}

/// A file below results/ and the hash of what it is to hold.
struct stored {
  std::string name, hash;
};

struct manifest {
  stored result, said;
  std::vector<std::pair<std::string, std::string>> inputs; ///< hash, path
  std::vector<std::string> absent;
};

/// What is in it, without the line at its end that says that nothing is missing.
std::optional<std::string_view> whole(std::string_view text) {
  constexpr std::string_view mark = "whole ";
  const auto end = text.rfind(mark);
  if (end == std::string_view::npos) {
    return {};
  }
  const auto body = text.substr(0, end);
  return text.substr(end) == fmt::format("{}{}\n", mark, hash_bytes(body)) ? std::optional(body)
                                                                           : std::nullopt;
}

std::string completed(std::string text) {
  const auto hash = hash_bytes(text);
  return std::move(text) + fmt::format("whole {}\n", hash);
}

std::optional<manifest> parse_manifest(std::string_view text) {
  manifest m;
  const auto rest = whole(text);
  if (!rest) {
    return {};
  }
  text = *rest;
  const auto split = [](std::string_view line) {
    const auto blank = std::min(line.find(' '), line.size());
    return std::pair(std::string(line.substr(0, blank)),
                     std::string(line.substr(std::min(blank + 1, line.size()))));
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto [word, value] = split(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word == "result" || word == "said") {
      auto [hash, name] = split(value);
      (word == "result" ? m.result : m.said) =
          stored{.name = std::move(name), .hash = std::move(hash)}; // g++ 13 and 14 want the type
    } else if (word == "absent") {
      m.absent.push_back(sim::bytes_of(value));
    } else {
      m.inputs.emplace_back(word, sim::bytes_of(value));
    }
  }
  return m.result.name.empty() ? std::nullopt : std::optional(std::move(m));
}

} // namespace

cache cache::open() {
  size_limit(); // a wrong one is refused before anything is compiled
  const auto folder = chosen_folder();
  make_folder(folder);
  return cache(folder_of_this_user(folder));
}

cache::cache(std::string folder)
    : folder_(std::move(folder)) {
  for (const auto* part : {"/manifests", "/results", "/tmp"}) {
    make_part(folder_ + part);
  }
}

std::optional<cached_result> cache::find(const std::string& key) const {
  const auto path = folder_ + "/manifests/" + key;
  const auto text = read_own(path);
  const auto found = text ? parse_manifest(*text) : std::nullopt;
  if (!found) {
    return {};
  }
  cached_result result;
  result.file = folder_ + "/results/" + found->result.name;
  for (const auto& [hash, input] : found->inputs) {
    if (hash_file(input) != hash) {
      return {};
    }
    result.inputs.push_back(input);
  }
  result.absent = found->absent;
  if (std::ranges::any_of(result.absent,
                          [](const auto& f) { return access(f.c_str(), F_OK) == 0; })) {
    return {};
  }
  const auto bytes = read_own(result.file);
  if (!bytes || hash_bytes(*bytes) != found->result.hash) {
    return {};
  }
  if (!found->said.name.empty()) {
    auto said = read_own(folder_ + "/results/" + found->said.name);
    if (!said || hash_bytes(*said) != found->said.hash) {
      return {};
    }
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
  for (const auto& input : made.inputs) {
    const auto hash = changed_since(input, started) ? std::nullopt : hash_file(input);
    listed += fmt::format("{} {}\n", hash.value_or("changed"), sim::printable(input));
  }
  for (const auto& file : made.absent) {
    listed += fmt::format("absent {}\n", sim::printable(file));
  }
  const auto hash = hash_file(made.file);
  if (!hash) {
    throw failure(exit_unavailable,
                  fmt::format("cannot read '{}': {}", made.file, std::strerror(errno)));
  }
  const auto name = hash_bytes(key + listed + *hash);
  auto result = fmt::format("{}/results/{}{}", folder_, name, extension);
  // Somebody else may have stored the same and be running it: a program whose file is replaced
  // finds its debug information no more.
  const auto before = read_own(result);
  if (before && hash_bytes(*before) == *hash) {
    unlink(made.file.c_str());
  } else {
    keep(made.file, result, 0700);
  }
  std::string text = fmt::format("result {} {}{}\n", *hash, name, extension);
  if (!made.output.empty()) {
    keep_text(fmt::format("{}/results/{}.txt", folder_, name), made.output);
    text += fmt::format("said {} {}.txt\n", hash_bytes(made.output), name);
  }
  keep_text(folder_ + "/manifests/" + key, completed(text + listed));
  evict();
  return result;
}

std::string cache::temporary(std::string_view extension) const {
  return make_temporary(folder_ + "/tmp", extension);
}

void cache::keep(const std::string& made, const std::string& as, unsigned mode) {
  chmod(made.c_str(), mode); // some file systems have no modes
  sync_file(made);
  if (rename(made.c_str(), as.c_str()) != 0) {
    throw failure(exit_unavailable, fmt::format("cannot write '{}': {}", as, std::strerror(errno)));
  }
}

void cache::keep_text(const std::string& as, std::string_view text) const {
  const temporary_file made(*this, ".txt");
  write_file(made.path, text);
  keep(made.path, as, 0600);
}

std::optional<std::string> cache::recall(const std::string& name) const {
  const auto text = read_own(folder_ + "/manifests/" + name);
  const auto body = text ? whole(*text) : std::nullopt;
  return body ? std::optional(std::string(*body)) : std::nullopt;
}

void cache::remember(const std::string& name, std::string_view text) const {
  keep_text(folder_ + "/manifests/" + name, completed(std::string(text)));
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
    if (!gone) {
      files.push_back(f);
    }
  }
  return files;
}

} // namespace

cache_usage cache::usage() const {
  cache_usage sum;
  sum.limit = size_limit();
  for (const auto* part : {"/manifests", "/results"}) {
    for (const auto& f : files_below(folder_ + part)) {
      ++sum.files;
      sum.bytes += f.bytes;
    }
  }
  return sum;
}

void cache::evict() {
  using namespace std::chrono_literals;
  const auto now = fs::file_time_type::clock::now();
  std::error_code error;
  // What processes have left that were killed.
  for (const auto* part : {"/tmp", "/manifests", "/results"}) {
    for (const auto& f : files_below(folder_ + part)) {
      if (f.used + 1h < now && (part == std::string_view("/tmp") || f.path.extension() == ".tmp")) {
        fs::remove(f.path, error);
      }
    }
  }
  const auto sum = usage();
  if (sum.bytes <= sum.limit) {
    return;
  }
  auto files = files_below(folder_ + "/results");
  for (auto& manifest : files_below(folder_ + "/manifests")) {
    files.push_back(std::move(manifest));
  }
  std::ranges::sort(files, {}, &stored_file::used);
  auto bytes = sum.bytes;
  for (const auto& f : files) {
    if (bytes <= sum.limit / 4 * 3 || f.used + 5min > now) {
      break; // what was used just now may be about to run
    }
    fs::remove(f.path, error);
    bytes -= f.bytes;
  }
}

void cache::clear() {
  std::error_code error;
  for (const auto* part : {"/manifests", "/results", "/tmp"}) {
    for (const auto& f : files_below(folder_ + part)) {
      fs::remove(f.path, error);
    }
  }
}

temporary_file::~temporary_file() {
  unlink(path.c_str());
}

} // namespace tilesim::tools
