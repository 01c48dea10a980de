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

/// Does a block stop before it? What only prepares others, moves values or decides is no operation.
bool is_operation(step what) {
  switch (what) {
  case step::tensor_view:
  case step::tile_view:
  case step::tensor_shape:
  case step::index_space_shape:
  case step::insert:
  case step::copy:
  case step::widen:
  case step::narrow:
  case step::unpack_halves:
  case step::pack_halves:
  case step::join_tokens:
  case step::assert_:
  case step::for_:
  case step::loop:
  case step::if_:
  case step::yield:
  case step::continue_:
  case step::break_:
  case step::return_:
    return false;
  default:
    return true;
  }
}

template <class F>
void for_each_operation(const sequence& all, F f) {
  for (const instruction& i : all) {
    if (is_operation(i.what)) {
      f(i.site);
    }
    for (const sequence& inner : i.regions) {
      for_each_operation(inner, f);
    }
  }
}

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

sim::operation_lines program::lines() const {
  sim::operation_lines all;
  for (const tileir::entry& e : module().entries) {
    bool is_prepared = false;
    for (const bool by_tokens : {false, true}) {
      if (const auto made = prepared_.find({e.name, by_tokens}); made != prepared_.end()) {
        is_prepared = true;
        for_each_operation(made->second->instructions,
                           [&](const void* site) { add_line(location_of(site), all); });
      }
    }
    if (!is_prepared) { // some of them may turn out to be none
      for (const std::uint32_t location : e.locations) {
        add_line(location, all);
      }
    }
  }
  return all;
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
