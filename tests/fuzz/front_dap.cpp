// A client of the debug adapter that launches nothing.
//
// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fronts.hpp"
#include "tools/dap/adapter.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tilesim::fuzz {
namespace {

/// A file in memory that is read from its beginning.
class memory_file {
public:
  memory_file()
      : file_(memfd_create("tilesim-fuzz", MFD_CLOEXEC)) {}
  ~memory_file() { close(file_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  [[nodiscard]] int get() const { return file_; }
  void refill(std::string_view text) const {
    must(ftruncate(file_, 0) == 0 && lseek(file_, 0, SEEK_SET) == 0, "no file in memory");
    must(write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
         "a file in memory is not written");
    lseek(file_, 0, SEEK_SET);
  }
  [[nodiscard]] std::string text() const {
    std::string all(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    must(pread(file_, all.data(), all.size(), 0) == static_cast<ssize_t>(all.size()),
         "a file in memory is not read");
    return all;
  }

private:
  int file_;
};

} // namespace

bool judge_dap(std::string_view text) {
  static const memory_file in;
  static const memory_file out;
  if (text.find("launch") != std::string_view::npos) { // it would compile
    return false;
  }
  // One message, framed here so that a change of it stays one; or frames of the text's own.
  in.refill(text.starts_with("Content-Length")
                ? std::string(text)
                : fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text));
  try {
    // What is no request is answered, too: only what was done counts as read.
    out.refill("");
    tools::dap::adapter(in.get(), out.get()).serve();
    return out.text().find("\"success\":true") != std::string::npos;
  } catch (const tools::failure& e) {
    must(std::strlen(e.what()) != 0, "a refusal that says nothing");
    return false;
  }
}

} // namespace tilesim::fuzz
