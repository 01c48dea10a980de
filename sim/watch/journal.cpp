// Remembering operations and writers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/journal.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>

namespace tilesim::sim::step {

void journal::bound(std::size_t most_bytes) {
  most_chunks_ = std::max<std::size_t>(most_bytes / sizeof(chunk), 2);
  while (chunks_.size() > most_chunks_) {
    chunks_.pop_front();
    ++forgotten_chunks_;
  }
}

std::optional<journal_entry> journal::find(std::uint64_t number) const noexcept {
  if (number == 0 || number > count_ || (number - 1) / chunk_size < forgotten_chunks_) {
    return std::nullopt;
  }
  TILESIM_ASSERT((number - 1) / chunk_size - forgotten_chunks_ < chunks_.size(),
                 number,
                 forgotten_chunks_,
                 chunks_.size());
  const entry& e =
      (*chunks_[((number - 1) / chunk_size) - forgotten_chunks_])[(number - 1) % chunk_size];
  TILESIM_ASSERT(e.code < codes_.size(), number, e.code, codes_.size());
  return journal_entry{codes_[e.code].site, codes_[e.code].operation, e.thread};
}

std::size_t journal::bytes() const noexcept {
  return chunks_.size() * sizeof(chunk);
}

void journal::next_chunk() {
  if (chunks_.size() < most_chunks_) {
    chunks_.push_back(std::make_unique<chunk>());
    return;
  }
  chunks_.push_back(std::move(chunks_.front()));
  chunks_.pop_front();
  ++forgotten_chunks_;
}

std::uint32_t journal::new_number_of(const code& c) {
  const auto [it, is_new] = numbers_.try_emplace(c, static_cast<std::uint32_t>(codes_.size()));
  if (is_new) {
    codes_.push_back(c);
  }
  return it->second;
}

last_writers::page& last_writers::at(std::uintptr_t number) {
  if (recent_ == nullptr || number != recent_number_) {
    auto& p = pages_[number];
    if (p == nullptr) {
      p = std::make_unique<page>();
    }
    recent_ = p.get();
    recent_number_ = number;
  }
  return *recent_;
}

void last_writers::wrote(std::uintptr_t address, std::size_t bytes, std::uint32_t operation) {
  while (bytes != 0) {
    const std::size_t in_page = address % page_bytes;
    const std::size_t here = std::min(bytes, page_bytes - in_page);
    std::fill_n(
        at(address / page_bytes).begin() + static_cast<std::ptrdiff_t>(in_page), here, operation);
    address += here;
    bytes -= here;
  }
}

std::uint32_t last_writers::of(std::uintptr_t address) const noexcept {
  const auto it = pages_.find(address / page_bytes);
  return it == pages_.end() ? 0 : (*it->second)[address % page_bytes];
}

std::uint32_t last_writers::last(std::uintptr_t address, std::size_t bytes) const noexcept {
  std::uint32_t operation = 0;
  while (bytes != 0) {
    const std::size_t in_page = address % page_bytes;
    const std::size_t here = std::min(bytes, page_bytes - in_page);
    if (const auto it = pages_.find(address / page_bytes); it != pages_.end()) {
      const auto* const first = it->second->data() + in_page;
      operation = std::max(operation, *std::max_element(first, first + here));
    }
    address += here;
    bytes -= here;
  }
  return operation;
}

} // namespace tilesim::sim::step
