// A file of Tile IR that is to run: its entries as they are prepared, and its variables.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/program.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/interpreter/frame.hpp"
#include "sim/interpreter/prepare.hpp"
#include "sim/interpreter/run.hpp"
#include "sim/memory/engine.hpp"
#include "sim/tileir/reader.hpp"

#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace tilesim::interpreter {

program::program(std::unique_ptr<const tileir::module> m)
    : placed_module(std::move(m))
    , places_(sites(), site_count(), *this) {}

const code& program::prepared(const tileir::entry& e, bool by_tokens) {
  std::unique_ptr<code>& made = prepared_[{e.name, by_tokens && orders_by_tokens()}];
  if (made == nullptr) {
    std::set<tileir::value_id> kept;
    if (const auto names = names_.find(&e); names != names_.end()) {
      for (const tileir::value_id v : names->second.values()) {
        kept.insert(v);
      }
    }
    made = prepare(*this, e, kept, by_tokens && orders_by_tokens());
  }
  return *made;
}

void program::name_variables(const tileir::entry& e, const std::vector<told_variable>& all) {
  if (!prepared_.contains({e.name, false}) && !prepared_.contains({e.name, true})) {
    names_.try_emplace(&e, e, all);
  }
}

namespace {

sim::step::value value_of(const variable_names::known& k) {
  sim::step::value v;
  v.type.kind = k.is_integer ? element::i64 : element::f64;
  v.bytes.resize(sizeof(double));
  const auto whole = static_cast<std::int64_t>(k.constant);
  std::memcpy(v.bytes.data(), k.is_integer ? static_cast<const void*>(&whole) : &k.constant, 8);
  return v;
}

/// What a block holds. One element may stand for all.
sim::step::value value_of(const frame& f, const slot& s, const tileir::type& t, bool is_unsigned) {
  sim::step::value v;
  v.type.kind = s.type->elem;
  v.type.is_unsigned = is_unsigned;
  for (const std::int64_t extent : t.shape) {
    v.shape.push_back(static_cast<std::size_t>(extent));
  }
  const std::size_t width = size_of(s.type->elem);
  v.bytes.resize(v.count() * width);
  for (std::size_t i = 0; i < v.count(); ++i) {
    const std::byte* const from = f.cells(s) + (s.type->count == 1 ? 0 : i * width);
    std::memcpy(v.bytes.data() + i * width, from, width);
  }
  return v;
}

} // namespace

std::vector<sim::step::variable> program::variables(const void* place, std::size_t frame) const {
  const auto [e, number] = operation_at(place);
  const auto names = names_.find(e);
  const auto calls = chain_at(location_of(place)).own;
  const sim::sim_thread* const thread = sim::execution::current();
  const class frame* const values = frame_of(thread);
  const bool by_tokens =
      thread != nullptr && orders_by_tokens() && thread->owner->exec->memory().takes_tokens();
  const auto made = prepared_.find({e->name, by_tokens});
  if (names == names_.end() || made == prepared_.end() || values == nullptr ||
      frame >= calls.size()) {
    return {};
  }
  std::vector<sim::step::variable> list;
  std::vector<variable_names::known> visible;
  for (std::size_t i = frame; i < calls.size(); ++i) {
    for (auto& k : names->second.visible(number, calls[i].function)) {
      visible.push_back(std::move(k));
    }
  }
  for (const auto& k : visible) {
    sim::step::variable v;
    v.name = k.name;
    v.type = k.value ? e->values[*k.value].type->text : "";
    if (!k.value) {
      v.now = value_of(k);
    } else if (const auto at = made->second->named.find(*k.value);
               at != made->second->named.end()) {
      v.now = value_of(*values, at->second, *e->values[*k.value].type, k.is_unsigned);
    } else {
      v.now.missing = "kept nowhere";
    }
    list.push_back(std::move(v));
  }
  return list;
}

std::optional<std::uint64_t> program::state(const void* place) const {
  const auto held = state_of(sim::execution::current());
  return held ? std::optional(*held ^ reinterpret_cast<std::uintptr_t>(place)) : std::nullopt;
}

program& load(std::span<const std::uint8_t> bytes) {
  static auto& all = *new std::map<std::string, std::unique_ptr<program>>;
  std::unique_ptr<program>& made = all[std::string(bytes.begin(), bytes.end())];
  if (made == nullptr) {
    made = std::make_unique<program>(tileir::read(bytes));
  }
  return *made;
}

} // namespace tilesim::interpreter
