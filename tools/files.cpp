// Reads, writes and hashes files.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/files.hpp"

#include "tools/failure.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace tilesim::driver {
namespace {

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const auto count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      throw failure(exit_unavailable,
                    fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void write_with_mode(const std::string& path, std::string_view bytes, unsigned mode) {
  static std::atomic<unsigned> counter{0};
  const auto temporary = fmt::format("{}.{}-{}.tmp", path, getpid(), counter++);
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0)
    throw failure(exit_unavailable,
                  fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  try {
    write_all(file, bytes, path);
  } catch (...) {
    close(file);
    unlink(temporary.c_str());
    throw;
  }
  close(file);
  if (rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(temporary.c_str());
    throw failure(exit_unavailable,
                  fmt::format("cannot write '{}': {}", path, std::strerror(error)));
  }
}

} // namespace

std::optional<std::string> read_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return {};
  struct stat status {};
  fstat(file, &status);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  for (;;) {
    if (have == bytes.size())
      bytes.resize(have + 4096); // room to see the end, and for files that tell no size
    const auto count = read(file, bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0) {
      close(file);
      return {};
    }
    if (count == 0)
      break;
    have += static_cast<std::size_t>(count);
  }
  close(file);
  bytes.resize(have);
  return bytes;
}

void write_file(const std::string& path, std::string_view bytes) {
  write_with_mode(path, bytes, 0666);
}

void copy_file_atomically(const std::string& from, const std::string& to, unsigned mode) {
  const auto bytes = read_file(from);
  if (!bytes)
    throw failure(exit_internal, fmt::format("cannot read '{}'", from));
  write_with_mode(to, *bytes, mode);
}

std::string hash_bytes(std::string_view bytes) {
  const auto hash = XXH3_128bits(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::optional<std::string> hash_file(const std::string& path) {
  const auto bytes = read_file(path);
  return bytes ? std::optional(hash_bytes(*bytes)) : std::nullopt;
}

} // namespace tilesim::driver
