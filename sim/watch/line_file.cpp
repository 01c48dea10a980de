// Writing lines of JSON.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/line_file.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contract/whole_bytes.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

line_file::line_file(int file, std::string what)
    : file_(file)
    , what_(std::move(what))
    , process_(getpid()) {}

int line_file::create(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); // NOLINT
  if (file < 0 && errno != EEXIST) {
    print_error("tilesim: error: {}: {}\n", path, std::strerror(errno));
    std::fflush(stderr);
    _exit(exit_unavailable);
  }
  return file;
}

void line_file::write(const nlohmann::ordered_json& line) {
  if (process_ != getpid()) {
    return;
  }
  // Text of the program's may be in any encoding.
  const std::string text = json_text(line) + "\n";
  const bool written = by_parts(text.data(), text.size(), [&](const char* at, std::size_t left) {
    const ssize_t n = ::pwrite(file_, at, left, at_);
    at_ += n > 0 ? n : 0;
    return n;
  });
  if (!written) {
    print_error("tilesim: error: {} cannot be written: {}\n", what_, std::strerror(errno));
    std::fflush(stderr);
    _exit(exit_unavailable);
  }
}

void line_file::go_on_here() {
  process_ = getpid();
  if (ftruncate(file_, at_) != 0) {
    print_error("tilesim: error: {} cannot be cut: {}\n", what_, std::strerror(errno));
  }
}

} // namespace tilesim::sim
