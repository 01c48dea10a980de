// A file of Tile IR that is to run: a module with its places, and its entries once they are
// prepared.
//
// A program lives as long as the process: findings and stops name its places until the last report.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/places.hpp"
#include "sim/interpreter/code.hpp"
#include "sim/interpreter/placed_module.hpp"
#include "sim/interpreter/variables.hpp"
#include "sim/tileir/module.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::interpreter {

class program final : public placed_module {
public:
  explicit program(std::unique_ptr<const tileir::module> m);

  /// What an entry is when it runs: made when it is first asked for. Throws refused. `by_tokens`:
  /// the engine is to be told what each operation waits for, where tokens say that.
  [[nodiscard]] const code& prepared(const tileir::entry& e, bool by_tokens = false);

  /// Which values are which of the source's variables: before the entry is prepared.
  void name_variables(const tileir::entry& e, const std::vector<told_variable>& all);

  [[nodiscard]] sim::operation_lines lines() const override;
  [[nodiscard]] std::optional<std::uint64_t> state(const void* place) const override;
  [[nodiscard]] std::vector<sim::step::variable> variables(const void* place,
                                                           std::size_t frame) const override;

private:
  using variant = std::pair<std::string, bool>; ///< of an entry: by tokens, or not
  std::map<variant, std::unique_ptr<code>> prepared_;
  std::map<const tileir::entry*, variable_names> names_;
  sim::registered_places places_;
};

/// The program of these bytes: the same one for the same bytes. Throws tileir::bad_bytecode.
[[nodiscard]] program& load(std::span<const std::uint8_t> bytes);

} // namespace tilesim::interpreter
