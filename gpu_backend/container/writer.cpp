// What is added, as bytes in chunks.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/container/writer.hpp"

#include "gpu_backend/container/fields.hpp"

#include <array>
#include <cstring>
#include <utility>

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

/// A chunk with so much room left. Events never come before what they point to.
chunk_file::slot* writer::room(chunk_file::slot*& in, format::chunk_kind kind, std::size_t bytes) {
  if (in != nullptr && in->filled + bytes > format::most_chunk_bytes) {
    hand_over();
  }
  if (in == nullptr) {
    in = file_.open(kind);
  }
  return in;
}

content_ref writer::keep(std::span<const std::byte> bytes) {
  if (failed() != 0) {
    return {};
  }
  chunk_file::slot* const to = room(contents_, format::chunk_kind::contents, bytes.size());
  const content_ref ref{.chunk = file_.contents(), .offset = to->filled};
  std::memcpy(to->data + ref.offset, bytes.data(), bytes.size());
  to->filled = ref.offset + bytes.size();
  return ref;
}

void writer::add(const event& e) {
  if (failed() != 0) {
    return;
  }
  fields_.clear();
  head_.clear();
  encoder to_fields(fields_);
  std::visit([&](const auto& it) { each_field(it, to_fields); }, e);
  encoder to_head(head_);
  to_head(std::uint64_t{e.index() + 1});
  to_head(std::uint64_t{fields_.size()});
  if (head_.size() + fields_.size() > format::most_chunk_bytes) {
    return; // none is so long; who adds texts cuts them
  }
  chunk_file::slot* const to =
      room(events_, format::chunk_kind::events, head_.size() + fields_.size());
  std::memcpy(to->data + to->filled, head_.data(), head_.size());
  std::memcpy(to->data + to->filled + head_.size(), fields_.data(), fields_.size());
  ++file_.events();
  to->filled += head_.size() + fields_.size(); // the event is whole
}

void writer::hand_over(chunk_file::slot*& filled) {
  if (filled != nullptr && filled->filled != 0) {
    file_.close(std::exchange(filled, nullptr));
  }
}

void writer::hand_over() {
  hand_over(contents_);
  hand_over(events_);
}

void writer::flush() {
  hand_over();
  file_.wait();
}

void writer::finish() {
  flush();
  if (failed() != 0) {
    return;
  }
  const std::array<std::uint64_t, 2> counts = {file_.chunks(), file_.events()};
  chunk_file::slot* const end = file_.open(format::chunk_kind::end);
  std::memcpy(end->data, counts.data(), sizeof(counts));
  end->filled = sizeof(counts);
  file_.close(end);
  file_.wait();
  file_.finished() = true;
}

bool writer::take_over() {
  contents_ = nullptr;
  events_ = nullptr;
  if (file_.finished()) {
    return false;
  }
  file_.take_over();
  return true;
}

} // namespace tilesim::gpu
