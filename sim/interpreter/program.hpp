// A file of Tile IR that is to run: its module, its places, and its entries once they are prepared.
//
// A program lives as long as the process: findings and stops name its places until the last report.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/places.hpp"
#include "sim/interpreter/code.hpp"
#include "sim/interpreter/variables.hpp"
#include "sim/tileir/module.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::interpreter {

/// What cannot run, and where it stands in the source.
class refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class program final : public sim::place_resolver {
public:
  explicit program(std::unique_ptr<const tileir::module> m);
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  [[nodiscard]] const tileir::module& module() const noexcept { return *module_; }

  /// nullptr: there is no such entry.
  [[nodiscard]] const tileir::entry* find(const std::string& name) const noexcept;

  /// What an entry is when it runs: made when it is first asked for. Throws refused. `by_tokens`:
  /// the engine is to be told what each operation waits for, where tokens say that.
  [[nodiscard]] const code& prepared(const tileir::entry& e, bool by_tokens = false);

  /// The operations of a block are ordered by their tokens alone. Not so where NVIDIA's C++
  /// compiler has made them: what follows a loop waits for the tokens of its last turn only, so
  /// program order is what counts.  [memory-model.md, G.12]
  [[nodiscard]] bool orders_by_tokens() const noexcept;

  /// Which values are which of the source's variables: before the entry is prepared.
  void name_variables(const tileir::entry& e, const std::vector<told_variable>& all);

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
  [[nodiscard]] std::map<std::string, std::set<unsigned>> lines() const override;
  [[nodiscard]] std::optional<std::uint64_t> state(const void* place) const override;
  [[nodiscard]] std::vector<sim::step::variable> variables(const void* place,
                                                           std::size_t frame) const override;

private:
  struct chain {
    std::vector<source_frame> helpers; ///< of libraries, innermost first
    std::vector<source_frame> own;
  };
  [[nodiscard]] chain chain_at(std::uint32_t location) const;
  [[nodiscard]] std::uint32_t location_of(const void* place) const noexcept;
  /// An entry, and the number of an operation of it.
  [[nodiscard]] std::pair<const tileir::entry*, std::uint32_t>
  operation_at(const void* place) const noexcept;
  void make_globals();

  std::unique_ptr<const tileir::module> module_;
  std::vector<std::size_t> first_site_; ///< of each entry
  std::byte* sites_ = nullptr;
  std::size_t site_count_ = 0;
  std::unique_ptr<sim::registered_places> places_;
  using variant = std::pair<std::string, bool>; ///< of an entry: by tokens, or not
  std::map<variant, std::unique_ptr<code>> prepared_;
  std::map<const tileir::entry*, variable_names> names_;
  std::vector<std::vector<std::byte>> global_memory_;
  std::map<std::string, std::span<std::byte>> globals_;
};

/// The program of these bytes: the same one for the same bytes. Throws tileir::bad_bytecode.
[[nodiscard]] program& load(std::span<const std::uint8_t> bytes);

} // namespace tilesim::interpreter
