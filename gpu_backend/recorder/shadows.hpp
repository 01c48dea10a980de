// Copies of the program's memory, kept on the device, by which changes are found; and what lies in
// memory now.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/recorder/page_diff.hpp"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <optional>
#include <span>
#include <vector>

namespace tilesim::gpu {

/// Memory and its copy.
struct shadowed {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  std::byte* shadow = nullptr;        ///< on the device; nullptr: none has been made
  std::vector<std::byte> host_shadow; ///< where the device has no room for one
};

class shadows {
public:
  /// False: the device does not answer.
  [[nodiscard]] bool make(shadowed& m);
  static void drop(shadowed& m);
  /// The copy becomes what is there now.
  void take(shadowed& m, std::size_t offset, std::size_t bytes);

  /// The pages of each that differ from the copy, in order. Nothing: the device does not answer.
  using page_list = std::vector<std::size_t>;
  [[nodiscard]] std::optional<std::vector<page_list>>
  changed(std::span<const shadowed* const> memories);

  /// At most format::most_content_bytes, valid until the next call; none: the device does not
  /// answer.
  [[nodiscard]] std::span<const std::byte> read(std::uintptr_t from, std::size_t bytes);
  [[nodiscard]] std::uint64_t hash_of(std::uintptr_t from, std::size_t bytes);

  /// The device has been reset: what was there is gone.
  void reset();

private:
  [[nodiscard]] bool begin();
  [[nodiscard]] bool copy(void* to, const void* from, std::size_t bytes);
  [[nodiscard]] cudaError_t make_room(std::size_t memories, std::uint64_t pages);
  [[nodiscard]] bool compare_on_device(std::span<const shadowed* const> memories,
                                       std::vector<page_list>& found);
  /// Which of all pages in the table differ, by number, in order. Nothing: the device does not
  /// answer.
  [[nodiscard]] std::optional<std::vector<unsigned>>
  differing(const std::vector<compared_memory>& table, std::uint64_t pages);
  [[nodiscard]] bool compare_on_host(const shadowed& m, page_list& found);

  cudaStream_t own_ = nullptr;
  std::byte* staging_ = nullptr; ///< pinned memory of the host, or none
  std::vector<std::byte> pageable_;
  std::vector<compared_memory> table_; ///< as it lies on the device
  compared_memory* device_table_ = nullptr;
  std::size_t table_room_ = 0;
  unsigned* found_ = nullptr; ///< on the device
  std::size_t found_room_ = 0;
};

} // namespace tilesim::gpu
