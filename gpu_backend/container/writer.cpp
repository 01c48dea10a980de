// Writing chunks.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/writer.hpp"

#include "gpu_backend/container/fields.hpp"

#define XXH_INLINE_ALL
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

namespace tilesim::gpu {

namespace {

/// Numbers with seven bits a byte, the lowest first; texts with their length.
class encoder {
public:
  explicit encoder(std::vector<std::byte>& to)
      : to_(to) {}

  void operator()(std::uint64_t n) {
    for (; n >= 0x80U; n >>= 7U) {
      to_.push_back(static_cast<std::byte>(n | 0x80U));
    }
    to_.push_back(static_cast<std::byte>(n));
  }
  void operator()(std::int64_t n) { // small ones of either sign are short
    (*this)((static_cast<std::uint64_t>(n) << 1U) ^ static_cast<std::uint64_t>(n >> 63U));
  }
  void operator()(bool b) { (*this)(std::uint64_t{b}); }
  void operator()(memory_kind k) { (*this)(static_cast<std::uint64_t>(k)); }
  void operator()(content_event::when w) { (*this)(static_cast<std::uint64_t>(w)); }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
    to_.insert(to_.end(), bytes, bytes + text.size());
  }
  void operator()(const std::vector<std::uint64_t>& list) {
    (*this)(std::uint64_t{list.size()});
    for (const std::uint64_t n : list) {
      (*this)(n);
    }
  }
  void operator()(const std::array<std::uint64_t, 3>& extents) {
    for (const std::uint64_t n : extents) {
      (*this)(n);
    }
  }
  void operator()(const content_ref& ref) {
    (*this)(ref.chunk);
    (*this)(ref.offset);
  }
  void operator()(const std::optional<content_ref>& ref) {
    (*this)(std::uint64_t{ref.has_value()});
    if (ref) {
      (*this)(*ref);
    }
  }

private:
  std::vector<std::byte>& to_;
};

} // namespace

writer::writer(const std::string& path, bool append)
    : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (append ? 0 : O_TRUNC), 0666)) {
  if (file_ < 0) {
    error_ = errno;
    return;
  }
  if (append) {
    go_on_behind();
  }
  if (chunks_ == 0) {
    std::array<std::byte, format::file_header_bytes> header{};
    std::memcpy(header.data(), format::magic.data(), format::magic.size());
    std::memcpy(header.data() + format::magic.size(), &format::version, sizeof(format::version));
    put(header.data(), header.size());
  }
}

writer::~writer() {
  flush();
  if (file_ >= 0) {
    close(file_);
  }
}

/// Counts the chunks that are there: their numbers are the seeds of checksums.
void writer::go_on_behind() {
  struct stat is {};
  if (fstat(file_, &is) != 0) {
    error_ = errno;
    return;
  }
  auto at = static_cast<off_t>(format::file_header_bytes);
  format::chunk_header h;
  while (at + static_cast<off_t>(sizeof(h)) <= is.st_size &&
         pread(file_, &h, sizeof(h), at) == static_cast<ssize_t>(sizeof(h))) {
    ++chunks_;
    contents_ += h.kind == static_cast<std::uint32_t>(format::chunk_kind::contents) ? 1U : 0U;
    at += static_cast<off_t>(sizeof(h) + h.packed);
  }
  if (is.st_size != 0 && at != is.st_size) {
    error_ = EINVAL; // it is not complete: nothing can stand behind it
  }
  lseek(file_, 0, SEEK_END);
}

content_ref writer::keep(std::span<const std::byte> bytes) {
  if (content_bytes_.size() + bytes.size() > format::most_chunk_bytes) {
    flush(); // events never come before what they point to
  }
  const content_ref ref{.chunk = contents_, .offset = content_bytes_.size()};
  content_bytes_.insert(content_bytes_.end(), bytes.begin(), bytes.end());
  return ref;
}

void writer::add(const event& e) {
  std::vector<std::byte> fields;
  encoder to_fields(fields);
  std::visit([&](const auto& it) { each_field(it, to_fields); }, e);
  if (event_bytes_.size() + fields.size() + 32 > format::most_chunk_bytes) {
    flush();
  }
  encoder to(event_bytes_);
  to(std::uint64_t{e.index() + 1});
  to(std::uint64_t{fields.size()});
  event_bytes_.insert(event_bytes_.end(), fields.begin(), fields.end());
  ++events_;
}

void writer::flush_contents() {
  if (!content_bytes_.empty()) {
    put_chunk(format::chunk_kind::contents, content_bytes_);
    ++contents_;
    content_bytes_.clear();
  }
}

void writer::flush_events() {
  if (!event_bytes_.empty()) {
    put_chunk(format::chunk_kind::events, event_bytes_);
    event_bytes_.clear();
  }
}

void writer::flush() {
  flush_contents();
  flush_events();
}

void writer::finish() {
  flush();
  const std::array<std::uint64_t, 2> counts = {chunks_, events_};
  put_chunk(format::chunk_kind::end, std::as_bytes(std::span(counts)));
}

void writer::put_chunk(format::chunk_kind kind, std::span<const std::byte> bytes) {
  std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1);
  const bool is_packed = ZSTD_isError(size) == 0 && size < bytes.size();
  const std::span<const std::byte> payload =
      is_packed ? std::span<const std::byte>(packed).first(size) : bytes;
  format::chunk_header header{.kind = static_cast<std::uint32_t>(kind),
                              .packed_by = static_cast<std::uint32_t>(
                                  is_packed ? format::packing::zstd : format::packing::stored),
                              .bytes = bytes.size(),
                              .packed = payload.size()};
  XXH64_state_t state;
  XXH64_reset(&state, chunks_);
  XXH64_update(&state, &header, format::checked_header_bytes);
  XXH64_update(&state, payload.data(), payload.size());
  header.checksum = XXH64_digest(&state);
  put(&header, sizeof(header));
  put(payload.data(), payload.size());
  ++chunks_;
}

void writer::put(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0 && error_ == 0) {
    const ssize_t n = ::write(file_, at, count);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      error_ = n < 0 ? errno : EIO;
      return;
    }
    at += n;
    count -= static_cast<std::size_t>(n);
  }
}

} // namespace tilesim::gpu
