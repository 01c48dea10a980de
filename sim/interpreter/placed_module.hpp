// A module of Tile IR in this process: an address for each operation, where each stands in the
// source, and memory for the globals.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/places.hpp"
#include "sim/tileir/module.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::interpreter {

class placed_module : public sim::place_resolver {
public:
  explicit placed_module(std::unique_ptr<const tileir::module> m);
  placed_module(const placed_module&) = delete;
  placed_module& operator=(const placed_module&) = delete;

  [[nodiscard]] const tileir::module& module() const noexcept { return *module_; }

  /// nullptr: there is no such entry.
  [[nodiscard]] const tileir::entry* find(const std::string& name) const noexcept;

  /// The operations of a block are ordered by their tokens alone. Not so where NVIDIA's C++
  /// compiler has made them: what follows a loop waits for the tokens of its last turn only, so
  /// program order is what counts.  [memory-model.md, G.12]
  [[nodiscard]] bool orders_by_tokens() const noexcept;

  /// The place of an operation. Nobody may read there.
  [[nodiscard]] const void* site(const tileir::entry& e, const tileir::operation& o) const noexcept;

  /// "vector_add.py:12:4", of an operation, or of the entry itself.
  [[nodiscard]] std::string place_text(const tileir::entry& e, const tileir::operation* o) const;
  /// The entry's name as its programmer knows it.
  [[nodiscard]] std::string function_name(const tileir::entry& e) const;

  /// Memory of the module's globals, initialised.
  [[nodiscard]] std::byte* global(const std::string& name) const noexcept;
  /// Of each, where it is, and how many bytes.
  [[nodiscard]] const std::map<std::string, std::span<std::byte>>& globals() const noexcept {
    return globals_;
  }
  /// Other memory is this global's from now on: before an entry that uses it is prepared. What it
  /// holds is its own.
  void use_for_global(const std::string& name, std::span<std::byte> memory);

  [[nodiscard]] std::vector<source_frame> frames(const void* place) const override;
  [[nodiscard]] std::vector<source_frame> helpers(const void* place) const override;

protected:
  ~placed_module();

  struct chain {
    std::vector<source_frame> helpers; ///< of libraries, innermost first
    std::vector<source_frame> own;
  };
  [[nodiscard]] chain chain_at(std::uint32_t location) const;
  /// Adds the line of a location that performs an operation.
  void add_line(std::uint32_t location, sim::operation_lines& to) const;
  [[nodiscard]] std::uint32_t location_of(const void* place) const noexcept;
  /// An entry, and the number of an operation of it.
  [[nodiscard]] std::pair<const tileir::entry*, std::uint32_t>
  operation_at(const void* place) const noexcept;

  /// The range of all places.
  [[nodiscard]] const void* sites() const noexcept { return sites_; }
  [[nodiscard]] std::size_t site_count() const noexcept { return site_count_; }

private:
  void make_globals();

  std::unique_ptr<const tileir::module> module_;
  std::vector<std::size_t> first_site_; ///< of each entry
  std::byte* sites_ = nullptr;
  std::size_t site_count_ = 0;
  std::vector<std::vector<std::byte>> global_memory_;
  std::map<std::string, std::span<std::byte>> globals_;
};

} // namespace tilesim::interpreter
