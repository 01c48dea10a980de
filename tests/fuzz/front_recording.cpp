// Recordings of a GPU, as a file that somebody sent.
//
// A checksum stops nearly every change: so each input is read as it is, and once more with its
// checksums and sizes put right, which lets the rest of it reach the reader behind them.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/format.hpp"
#include "gpu_backend/container/reader.hpp"
#include "tests/fuzz/fronts.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <unistd.h>
#include <variant>

namespace tilesim::fuzz {

namespace {

using namespace tilesim::gpu;

/// A file in memory.
class file {
public:
  explicit file(std::string_view text)
      : descriptor_(memfd_create("recording", MFD_CLOEXEC)) {
    must(descriptor_ >= 0 &&
             write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
         "no file in memory");
  }
  ~file() { close(descriptor_); }
  file(const file&) = delete;
  file& operator=(const file&) = delete;

  [[nodiscard]] std::string path() const {
    return "/proc/self/fd/" + std::to_string(descriptor_);
  }

private:
  int descriptor_;
};

/// The chunks' sizes within the text, and their checksums right.
std::string put_right(std::string text) {
  std::size_t at = format::file_header_bytes;
  for (std::uint64_t number = 0; text.size() >= at + format::chunk_header_bytes; ++number) {
    format::chunk_header h;
    std::memcpy(&h, text.data() + at, sizeof(h));
    const std::size_t rest = text.size() - at - sizeof(h);
    h.packed = std::min<std::uint64_t>(h.packed, rest);
    h.kind = 1 + (h.kind - 1) % 3;
    if (h.packed_by != static_cast<std::uint32_t>(format::packing::zstd)) {
      h.bytes = h.packed;
    }
    XXH64_state_t state;
    XXH64_reset(&state, number);
    XXH64_update(&state, &h, format::checked_header_bytes);
    XXH64_update(&state, text.data() + at + sizeof(h), h.packed);
    h.checksum = XXH64_digest(&state);
    std::memcpy(text.data() + at, &h, sizeof(h));
    at += sizeof(h) + h.packed;
  }
  return text;
}

/// Asks for all that events point to.
void follow(const recording_file& read, const event& e) {
  std::visit(
      [&](const auto& it) {
        using type = std::remove_cvref_t<decltype(it)>;
        if constexpr (std::is_same_v<type, content_event>) {
          must(read.content(it.content, it.bytes).size() == it.bytes, "content of another size");
          if (it.mask) {
            static_cast<void>(read.content(*it.mask, (it.bytes + 7) / 8));
          }
        } else if constexpr (std::is_same_v<type, lines_event> ||
                             std::is_same_v<type, sums_event>) {
          static_cast<void>(read.content(it.content, it.bytes));
        }
      },
      e);
}

bool reads(std::string_view text) {
  const file f(text);
  try {
    const recording_file read(f.path());
    for (const event& e : read.events()) {
      follow(read, e);
    }
    return true;
  } catch (const bad_recording& e) {
    must(std::string_view(e.what()).find(": error: ") != std::string_view::npos,
         "a refusal that does not say why");
    return false;
  }
}

} // namespace

bool judge_recording(std::string_view text) {
  if (text.empty()) {
    return false; // of a file without bytes nothing is mapped: container.test.cpp
  }
  const bool as_it_is = reads(text);
  return reads(put_right(std::string(text))) || as_it_is;
}

} // namespace tilesim::fuzz
