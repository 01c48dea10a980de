// What the reference leaves open: values that are unspecified, which operations have needed them,
// and orders of combining.
//
// What is drawn depends on the seed, the launch, the thread, how many of its operations have drawn
// before, and the element: not on who has run meanwhile. So two runs under other schedules draw the
// same, and two runs of which only some operations draw other values differ only by what depends on
// those.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/variation.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::sim {

struct sim_thread;

/// Why a value is unspecified.
enum class left_open : std::uint8_t {
  masked_load,   ///< masked out, and there is no padding
  masked_update, ///< the old value where an atomic update is masked out
  outside,       ///< of what lies outside a tensor or a tile, which is told where it is looked for
  remainder      ///< of two infinities
};

/// An operation of the program that has drawn.
struct drawing_site {
  const void* site = nullptr;
  left_open why{};
  std::uint64_t elements = 0; ///< so far
  std::string first;          ///< "element (10) of an f32 tile [16], by tile block (0,0,0) of sum"
};

class draws {
public:
  explicit draws(std::uint64_t seed = 0, variation other = {})
      : seed_(seed)
      , other_(std::move(other)) {}

  /// The values of one operation's elements.
  class values {
  public:
    /// 64 bits for an element.
    [[nodiscard]] std::uint64_t operator()(std::size_t element) const noexcept;

  private:
    friend class draws;
    std::uint64_t key_ = 0;
    variation::kind how_ = variation::kind::none;
  };

  /// The operation under way of `t` draws `count` elements of a tile, from `first` on.
  [[nodiscard]] values
  begin(sim_thread& t, left_open why, const machine::tile_type& type, std::size_t first);
  /// In which order the operation under way of `t` combines numbers, of all that there are: a seed.
  [[nodiscard]] std::uint64_t order(sim_thread& t) const noexcept { return key(t, seed_); }
  /// It has drawn so many.
  void drawn(std::size_t elements) noexcept { sites_[current_].elements += elements; }

  /// Every operation that has drawn, in the order of the first time.
  [[nodiscard]] const std::vector<drawing_site>& sites() const noexcept { return sites_; }

  /// The first one that has drawn other values; nullptr: none has.
  [[nodiscard]] const drawing_site* varied() const noexcept;

private:
  [[nodiscard]] static std::uint64_t key(sim_thread& t, std::uint64_t seed) noexcept;
  void
  note_site(const sim_thread& t, left_open why, const machine::tile_type& type, std::size_t first);

  std::uint64_t seed_;
  variation other_;
  std::vector<drawing_site> sites_;
  std::size_t current_ = 0;
};

/// "load_masked has no padding, and its mask leaves out element (10) of …": why a value is
/// unspecified.
[[nodiscard]] std::string explain(const drawing_site& s);

/// What to do about it.
[[nodiscard]] const char* remedy(left_open why) noexcept;

} // namespace tilesim::sim
