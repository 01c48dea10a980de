// Reading chunks: nothing that the file says is believed before it is checked.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/reader.hpp"

#include "gpu_backend/container/fields.hpp"
#include "gpu_backend/container/format.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <xxhash.h>
#include <zstd.h>

namespace tilesim::gpu {

namespace {

/// The bytes of an event do not say what they should.
struct undecodable {};

class decoder {
public:
  explicit decoder(std::span<const std::byte> from)
      : from_(from) {}

  [[nodiscard]] bool empty() const noexcept { return from_.empty(); }

  [[nodiscard]] std::span<const std::byte> take(std::uint64_t bytes) {
    if (bytes > from_.size()) {
      throw undecodable{};
    }
    const auto taken = from_.first(bytes);
    from_ = from_.subspan(bytes);
    return taken;
  }
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = std::to_integer<std::uint64_t>(take(1)[0]);
      n |= (byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) {
        return n;
      }
    }
    throw undecodable{};
  }

  void operator()(std::uint64_t& n) { n = number(); }
  void operator()(std::int64_t& n) {
    const std::uint64_t coded = number();
    n = static_cast<std::int64_t>(coded >> 1U) ^ -static_cast<std::int64_t>(coded & 1U);
  }
  void operator()(bool& b) { b = below(2) != 0; }
  void operator()(memory_kind& k) { k = static_cast<memory_kind>(below(6)); }
  void operator()(content_event::when& w) { w = static_cast<content_event::when>(below(2)); }
  void operator()(std::string& text) {
    const auto bytes = take(number());
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void operator()(std::vector<std::uint64_t>& list) {
    const std::uint64_t count = number();
    if (count > from_.size()) { // each takes a byte at least
      throw undecodable{};
    }
    list.resize(count);
    for (std::uint64_t& n : list) {
      n = number();
    }
  }
  void operator()(std::array<std::uint64_t, 3>& extents) {
    for (std::uint64_t& n : extents) {
      n = number();
    }
  }
  void operator()(content_ref& ref) {
    ref.chunk = number();
    ref.offset = number();
  }
  void operator()(std::optional<content_ref>& ref) {
    if (below(2) != 0) {
      (*this)(ref.emplace());
    }
  }

private:
  [[nodiscard]] std::uint64_t below(std::uint64_t end) {
    const std::uint64_t n = number();
    if (n >= end) {
      throw undecodable{};
    }
    return n;
  }

  std::span<const std::byte> from_;
};

/// The event of a number in the file, with its fields not yet read; nothing for one that a later
/// version may have added.
template <std::size_t I = 0>
std::optional<event> empty_event(std::uint64_t number) {
  if constexpr (I < std::variant_size_v<event>) {
    return number == I + 1 ? std::optional<event>(std::in_place, std::in_place_index<I>)
                           : empty_event<I + 1>(number);
  } else {
    return std::nullopt;
  }
}

} // namespace

void recording_file::bad(const std::string& fact, std::uint64_t at) const {
  throw bad_recording(
      fmt::format("{}: error: {} at byte {}; record the program anew", path_, fact, at));
}

recording_file::recording_file(const std::string& path)
    : path_(path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC); // NOLINT: variadic by nature
  struct stat is {};
  const bool found = file >= 0 && fstat(file, &is) == 0;
  const int why = !found ? errno : S_ISDIR(is.st_mode) ? EISDIR : EINVAL;
  const auto bytes = static_cast<std::size_t>(is.st_size);
  void* const mapped = found && S_ISREG(is.st_mode) && bytes != 0
                           ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0)
                           : nullptr;
  if (file >= 0) {
    close(file);
  }
  if (!found || !S_ISREG(is.st_mode) || mapped == MAP_FAILED) {
    throw std::system_error(why, std::generic_category(), path);
  }
  file_ = {static_cast<const std::byte*>(mapped), bytes};
  try {
    read_header();
    std::uint64_t number = 0;
    for (std::uint64_t at = format::file_header_bytes; at < file_.size(); ++number) {
      at = read_chunk(at, number);
    }
    if (masks_) {
      check_masks();
    }
  } catch (...) {
    munmap(mapped, bytes);
    throw;
  }
}

recording_file::~recording_file() {
  munmap(const_cast<std::byte*>(file_.data()), file_.size());
}

void recording_file::read_header() const {
  if (file_.size() < format::file_header_bytes ||
      std::memcmp(file_.data(), format::magic.data(), format::magic.size()) != 0) {
    throw bad_recording(fmt::format(
        "{}: error: this is no recording: it does not begin with {}; give what a program built by "
        "'tilesim gpu build' has written",
        path_,
        format::magic));
  }
  std::uint32_t version = 0;
  std::memcpy(&version, file_.data() + format::magic.size(), sizeof(version));
  if (version != format::version) {
    throw bad_recording(fmt::format("{}: error: a recording of version {}, and this tilesim reads "
                                    "version {}; record the program anew with this tilesim",
                                    path_,
                                    version,
                                    format::version));
  }
  constexpr std::array<std::byte, 4> zeros{};
  const std::size_t at = format::magic.size() + sizeof(version);
  if (!std::ranges::equal(file_.subspan(at, zeros.size()), zeros)) {
    bad("the four bytes behind the version are not zero", at);
  }
}

std::uint64_t recording_file::read_chunk(std::uint64_t at, std::uint64_t number) {
  format::chunk_header header;
  if (file_.size() - at < sizeof(header)) {
    bad("the recording is cut short: a chunk's header is not whole", at);
  }
  std::memcpy(&header, file_.data() + at, sizeof(header));
  const std::uint64_t payload_at = at + sizeof(header);
  if (header.packed > format::most_chunk_bytes * 2 || header.bytes > format::most_chunk_bytes) {
    bad(fmt::format("a chunk says that it has {} bytes, of which at most {} are possible",
                    std::max(header.packed, header.bytes),
                    format::most_chunk_bytes),
        at);
  }
  if (file_.size() - payload_at < header.packed) {
    bad(fmt::format("the recording is cut short: {} bytes of a chunk of {} are there",
                    file_.size() - payload_at,
                    header.packed),
        at);
  }
  const chunk c{.at = at,
                .bytes = header.bytes,
                .payload = file_.subspan(payload_at, header.packed),
                .is_packed = header.packed_by == static_cast<std::uint32_t>(format::packing::zstd)};
  XXH64_state_t state;
  XXH64_reset(&state, number);
  XXH64_update(&state, file_.data() + at, format::checked_header_bytes);
  XXH64_update(&state, c.payload.data(), c.payload.size());
  if (XXH64_digest(&state) != header.checksum) {
    bad("the recording is damaged: a chunk's checksum is wrong", at);
  }
  complete_ = false;
  switch (static_cast<format::chunk_kind>(header.kind)) {
  case format::chunk_kind::events:
    read_events(c);
    break;
  case format::chunk_kind::contents:
    contents_.push_back(c);
    content_bytes_.push_back(c.bytes);
    break;
  case format::chunk_kind::end:
    complete_ = true;
    break;
  default:
    bad(fmt::format("a chunk of kind {}, which there is not", header.kind), at);
  }
  return payload_at + header.packed;
}

std::vector<std::byte> recording_file::unpacked(const chunk& c) const {
  if (!c.is_packed) {
    if (c.payload.size() != c.bytes) {
      bad("a chunk has not the size that it says", c.at);
    }
    return {c.payload.begin(), c.payload.end()};
  }
  std::vector<std::byte> bytes(c.bytes);
  const std::size_t size =
      ZSTD_decompress(bytes.data(), bytes.size(), c.payload.data(), c.payload.size());
  if (ZSTD_isError(size) != 0 || size != c.bytes) {
    bad("a chunk cannot be decompressed", c.at);
  }
  return bytes;
}

void recording_file::read_events(const chunk& c) {
  const std::vector<std::byte> bytes = unpacked(c);
  decoder all(bytes);
  try {
    while (!all.empty()) {
      const std::uint64_t number = all.number();
      decoder fields(all.take(all.number()));
      if (auto e = empty_event(number)) {
        std::visit([&](auto& it) { each_field(it, fields); }, *e);
        check(*e);
        events_.push_back(std::move(*e));
      }
    }
  } catch (const undecodable&) {
    bad(fmt::format("event {} of the recording cannot be read", events_.size() + 1), c.at);
  }
}

void recording_file::bad_event(std::size_t index, const std::string& fact) const {
  throw bad_recording(fmt::format(
      "{}: error: event {} of the recording: {}; record the program anew", path_, index + 1, fact));
}

void recording_file::check(const event& e) {
  std::string wrong = checks_.wrong_with(e);
  if (wrong.empty()) {
    wrong = event_checks::wrong_content(e, content_bytes_);
  }
  if (!wrong.empty()) {
    bad_event(events_.size(), wrong);
  }
  const auto* const content = std::get_if<content_event>(&e);
  masks_ = masks_ || (content != nullptr && content->mask);
}

// Of a mask it is nowhere told how long it is: what is kept behind it begins where it ends.
void recording_file::check_masks() const {
  std::set<std::pair<std::uint64_t, std::uint64_t>> begins; // a chunk, and where in it
  const auto note = [&](const content_ref& ref) { begins.emplace(ref.chunk, ref.offset); };
  for (const event& e : events_) {
    if (const auto* const c = std::get_if<content_event>(&e)) {
      note(c->content);
      if (c->mask) {
        note(*c->mask);
      }
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const auto* const c = std::get_if<content_event>(&events_[i]);
    if (c == nullptr || !c->mask) {
      continue;
    }
    const std::uint64_t wanted = (c->bytes + 7) / 8;
    const auto next = begins.upper_bound({c->mask->chunk, c->mask->offset});
    const bool last = next == begins.end() || next->first != c->mask->chunk;
    const std::uint64_t bytes =
        (last ? content_bytes_[c->mask->chunk] : next->second) - c->mask->offset;
    // Behind the last one of a program that was killed may lie what no event tells of any more.
    if (bytes < wanted || (bytes > wanted && (!last || complete_))) {
      bad_event(i,
                fmt::format("its mask has {} bytes, and {} say which of its {} are meant",
                            bytes,
                            wanted,
                            c->bytes));
    }
  }
}

std::span<const std::byte> recording_file::content(const content_ref& ref,
                                                   std::uint64_t bytes) const {
  if (bytes == 0) {
    return {};
  }
  if (ref.chunk >= contents_.size()) {
    bad("an event points to contents that are not there", file_.size());
  }
  const chunk& c = contents_[ref.chunk];
  if (ref.offset > c.bytes || bytes > c.bytes - ref.offset) {
    bad("an event points outside of its contents", c.at);
  }
  if (open_ != ref.chunk) {
    open_bytes_ = unpacked(c);
    open_ = ref.chunk;
  }
  return std::span<const std::byte>(open_bytes_).subspan(ref.offset, bytes);
}

} // namespace tilesim::gpu
