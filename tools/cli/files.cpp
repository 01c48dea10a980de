// Reads, writes and hashes files.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/files.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "tools/cli/descriptor.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/flags.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <xxhash.h>

namespace tilesim::tools {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw failure(exit_unavailable, fmt::format("cannot write '{}': {}", path, std::strerror(error)));
}

/// Nobody reads a pipe any more: an error like others, not the end of the tool.
class pipe_errors {
public:
  pipe_errors()
      : old_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~pipe_errors() { std::signal(SIGPIPE, old_); }
  pipe_errors(const pipe_errors&) = delete;
  pipe_errors& operator=(const pipe_errors&) = delete;

private:
  void (*old_)(int);
};

void write_all(int file, std::string_view bytes, const std::string& path) {
  if (!sim::write_whole(file, bytes)) {
    cannot_write(path, errno);
  }
}

/// Into what is there already: a device, a FIFO, a file that has to stay the one that it is.
void write_in_place(const std::string& path, std::string_view bytes, int flags) {
  const pipe_errors as_errors;
  descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, 0666)); // NOLINT
  if (file.get() < 0) {
    cannot_write(path, errno);
  }
  write_all(file.get(), bytes, path);
  if (!file.closed()) {
    cannot_write(path, errno);
  }
}

/// Of /dev/fd/3, /dev/stdout, /proc/self/fd/3: the number. A file behind it is to be written from
/// where it stands, as a shell's redirection does.
std::optional<int> descriptor_named(const std::string& path) {
  if (path == "/dev/stdout") {
    return STDOUT_FILENO;
  }
  if (path == "/dev/stderr") {
    return STDERR_FILENO;
  }
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    const auto digits = std::string_view(path).substr(std::min(folder.size(), path.size()));
    int number = -1;
    const auto* end = digits.data() + digits.size();
    if (path.starts_with(folder) && std::from_chars(digits.data(), end, number).ptr == end &&
        number >= 0) {
      return number;
    }
  }
  return {};
}

/// Where the links of a path lead to, whether something is there or not.
std::string without_links(const std::string& path) {
  constexpr int most = 40; // as the kernel
  fs::path at(path);
  std::error_code error;
  for (int i = 0; i < most && fs::is_symlink(fs::symlink_status(at, error)); ++i) {
    at = at.parent_path() / fs::read_symlink(at, error);
  }
  return at.string();
}

/// The mode of a new file, or of the one that it replaces. Who may read a program may run it.
mode_t mode_for(const struct stat* before, output_kind kind) {
  if (before == nullptr) {
    const mode_t mask = umask(0);
    umask(mask);
    return (kind == output_kind::program ? 0777U : 0666U) & ~mask;
  }
  const mode_t mode = before->st_mode & 07777U;
  return kind == output_kind::program ? mode | ((mode & 0444U) >> 2U) : mode;
}

/// Makes a file with a name of its own and opens it. -1: not in this folder.
int make_in(const std::string& folder, std::string_view extension, std::string& path) {
  path = fmt::format("{}/.tilesim-XXXXXX{}", folder, extension);
  return mkostemps(path.data(), static_cast<int>(extension.size()), O_CLOEXEC);
}

std::string in_hexadecimal(const XXH128_hash_t& hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// A file beside `path` that takes its place when it is whole. False if that is not possible there.
bool replace(const std::string& path,
             std::string_view bytes,
             const struct stat* before,
             output_kind kind) {
  const auto folder = fs::path(path).parent_path().string();
  std::string part;
  descriptor file(make_in(folder.empty() ? "." : folder, ".tmp", part));
  if (file.get() < 0) {
    return false;
  }
  try {
    write_all(file.get(), bytes, path);
    const bool foreign =
        before != nullptr && (before->st_uid != geteuid() || before->st_gid != getegid());
    const bool done = (!foreign || fchown(file.get(), before->st_uid, before->st_gid) == 0) &&
                      fchmod(file.get(), mode_for(before, kind)) == 0;
    if (!file.closed()) {
      cannot_write(path, errno);
    }
    if (done && rename(part.c_str(), path.c_str()) == 0) {
      return true;
    }
  } catch (...) {
    unlink(part.c_str());
    throw;
  }
  unlink(part.c_str());
  return false;
}

} // namespace

std::optional<std::string> read_file(const std::string& path) {
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    return {};
  }
  struct stat status {};
  fstat(file.get(), &status);
  // Room to see the end in: a string that grows for it is copied whole.
  std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t have = 0;
  for (;;) {
    if (have == bytes.size()) {
      bytes.resize(have + 4096); // files that tell no size
    }
    const auto count = read(file.get(), bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return {};
    }
    if (count == 0) {
      break;
    }
    have += static_cast<std::size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

std::optional<std::string> read_text(const std::string& path) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  auto text = read_file(path);
  if (text && text->starts_with(mark)) {
    text->erase(0, mark.size());
  }
  return text;
}

void write_output(const std::string& path, std::string_view bytes, output_kind kind) {
  if (const auto number = descriptor_named(path)) {
    const pipe_errors as_errors;
    std::fflush(nullptr); // what was printed before comes before
    return write_all(*number, bytes, path);
  }
  struct stat there {};
  if (stat(path.c_str(), &there) != 0) {
    if (errno == ELOOP) {
      cannot_write(path, errno);
    }
    // A link that leads nowhere yet is followed, too.
    const auto target = without_links(path);
    if (!replace(target, bytes, nullptr, kind)) {
      write_in_place(target, bytes, O_CREAT);
    }
    return;
  }
  if (!S_ISREG(there.st_mode)) {
    return write_in_place(path, bytes, 0);
  }
  // A file that may not be written is not to be replaced either.
  if (access(path.c_str(), W_OK) != 0) {
    cannot_write(path, errno);
  }
  std::error_code error;
  const auto target = fs::canonical(path, error);
  if (error || there.st_nlink != 1 || !replace(target.string(), bytes, &there, kind)) {
    write_in_place(path, bytes, O_TRUNC);
    chmod(path.c_str(), mode_for(&there, kind));
  }
}

void check_output(const std::string& path) {
  if (path.empty() || descriptor_named(path)) {
    return;
  }
  struct stat there {};
  if (stat(path.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) {
      cannot_write(path, EISDIR);
    }
    if (access(path.c_str(), W_OK) != 0) {
      cannot_write(path, errno);
    }
    return;
  }
  if (errno == ELOOP) {
    cannot_write(path, errno);
  }
  const auto folder = fs::path(without_links(path)).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) {
    cannot_write(path, errno);
  }
}

void check_outputs(const std::vector<std::string>& outputs,
                   const std::vector<std::string>& sources,
                   const std::vector<std::string>& read) {
  std::error_code error;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto& path = outputs[i];
    if (path.empty()) {
      continue;
    }
    for (const auto& source : sources) {
      if (fs::equivalent(path, source, error)) {
        throw failure(exit_usage,
                      fmt::format("'{}' is the program's source, which would be overwritten; give "
                                  "what is written another name",
                                  path));
      }
    }
    for (const auto& file : read) {
      if (fs::is_regular_file(path, error) && fs::equivalent(path, file, error)) {
        throw failure(exit_usage,
                      fmt::format("'{}' is read, too, and would be overwritten; give what is "
                                  "written another name",
                                  path));
      }
    }
    // As the value of an option that was to stand before it: 'trace --html a.cu b.cu'.
    if ((is_source_name(path) || path.ends_with(".py")) && fs::is_regular_file(path, error)) {
      throw failure(
          exit_usage,
          fmt::format("'{}' is there and a source, by its name, which would be overwritten; "
                      "give what is written another name",
                      path));
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (outputs[k] == path ||
          (fs::is_regular_file(path, error) && fs::equivalent(path, outputs[k], error))) {
        throw failure(
            exit_usage,
            fmt::format("two outputs would be written to '{}'; give each a file of its own", path));
      }
    }
    check_output(path);
  }
}

std::string make_temporary(const std::string& folder, std::string_view extension) {
  std::string path;
  const descriptor file(make_in(folder, extension, path));
  if (file.get() < 0) {
    throw failure(exit_unavailable,
                  fmt::format("cannot write into '{}': {}", folder, std::strerror(errno)));
  }
  return path;
}

temporary_folder::temporary_folder(std::string_view what)
    : path_((fs::temp_directory_path() / fmt::format("tilesim-{}-XXXXXX", what)).string()) {
  if (mkdtemp(path_.data()) == nullptr) {
    throw failure(exit_unavailable, fmt::format("{}: {}", path_, std::strerror(errno)));
  }
}

temporary_folder::~temporary_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void write_file(const std::string& path, std::string_view bytes) {
  write_in_place(path, bytes, O_CREAT | O_TRUNC);
}

void sync_file(const std::string& path) {
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  // Some file systems have no such thing.
  if (file.get() < 0 || (fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP)) {
    cannot_write(path, errno);
  }
}

std::string hash_bytes(std::string_view bytes) {
  return in_hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

std::optional<std::string> hash_file(const std::string& path) {
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    return {};
  }
  // In pieces, in memory that stays: a cached command reads a hundred headers so.
  static thread_local std::array<char, std::size_t{64} << 10U> piece;
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  for (;;) {
    const auto count = read(file.get(), piece.data(), piece.size());
    if (count == 0) {
      return in_hexadecimal(XXH3_128bits_digest(&state));
    }
    if (count < 0 && errno != EINTR) {
      return {};
    }
    if (count > 0) {
      XXH3_128bits_update(&state, piece.data(), static_cast<std::size_t>(count));
    }
  }
}

} // namespace tilesim::tools
