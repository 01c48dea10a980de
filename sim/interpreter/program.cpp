// A file of Tile IR that is to run: its places and its globals.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/program.hpp"

#include "sim/contract/frames_text.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/interpreter/frame.hpp"
#include "sim/interpreter/prepare.hpp"
#include "sim/interpreter/run.hpp"
#include "sim/memory/engine.hpp"
#include "sim/tileir/constants.hpp"
#include "sim/tileir/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>
#include <new>
#include <string>
#include <sys/mman.h>

namespace tilesim::interpreter {
namespace {

bool ends_with(const std::string& text, const char* end) {
  const std::string_view tail = end;
  return text.size() >= tail.size() &&
         text.compare(text.size() - tail.size(), tail.size(), tail) == 0;
}

/// Files that only serve the line that a person looks for: NVIDIA's header, cuTile's own functions.
bool is_library(const std::string& file) {
  return file.find("/crt/") != std::string::npos || file.find("/cuda/tile/") != std::string::npos;
}

/// "void saxpy(int, float)" as "saxpy".
std::string short_name(const std::string& linkage) {
  if (!linkage.starts_with("_Z")) {
    return linkage; // a kernel "f" is no type
  }
  int status = 0;
  char* const text = abi::__cxa_demangle(linkage.c_str(), nullptr, nullptr, &status);
  if (text == nullptr) {
    return linkage;
  }
  std::string name = text;
  std::free(text);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (name[i] == '(' && depth == 0) {
      name.resize(i);
      break;
    }
  }
  // A template's function has its return type in front.
  const std::size_t space = name.find(' ');
  const std::size_t bracket = name.find('<');
  return space < bracket ? name.substr(space + 1) : name;
}

} // namespace

program::program(std::unique_ptr<const tileir::module> m)
    : module_(std::move(m)) {
  for (const tileir::entry& e : module_->entries) {
    first_site_.push_back(site_count_);
    site_count_ += std::size_t{e.operations} + 1; // the last one stands for the entry itself
  }
  site_count_ = std::max<std::size_t>(site_count_, 1);
  void* const range =
      mmap(nullptr, site_count_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    throw std::bad_alloc();
  }
  sites_ = static_cast<std::byte*>(range);
  places_ = std::make_unique<sim::registered_places>(sites_, site_count_, *this);
  make_globals();
}

program::~program() {
  places_.reset();
  munmap(sites_, site_count_);
}

void program::make_globals() {
  for (const tileir::global& g : module_->globals) {
    const tileir::number of = g.type->element->num;
    const std::size_t width = std::max(1U, tileir::bits(of) / 8);
    const std::size_t count = g.type->count();
    const tileir::elements all(module_->constants[g.constant], of, count);
    constexpr std::size_t alignment = 256;
    auto& memory = global_memory_.emplace_back(count * width + alignment);
    void* at = memory.data();
    std::size_t space = memory.size();
    auto* const begin = static_cast<std::byte*>(std::align(alignment, count * width, at, space));
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t bits = all[i];
      for (std::size_t b = 0; b < width; ++b) {
        begin[i * width + b] = static_cast<std::byte>(bits >> (8 * b));
      }
    }
    globals_.emplace(g.name, std::span(begin, count * width));
  }
}

std::byte* program::global(const std::string& name) const noexcept {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : found->second.data();
}

void program::use_for_global(const std::string& name, std::span<std::byte> memory) {
  const auto found = globals_.find(name);
  if (found != globals_.end() && found->second.size() <= memory.size()) {
    found->second = memory;
  }
}

const tileir::entry* program::find(const std::string& name) const noexcept {
  const auto found = std::find_if(module_->entries.begin(),
                                  module_->entries.end(),
                                  [&](const tileir::entry& e) { return e.name == name; });
  return found == module_->entries.end() ? nullptr : &*found;
}

bool program::orders_by_tokens() const noexcept {
  return module_->producer.find("Cuda compilation tools") == std::string::npos;
}

const code& program::prepared(const tileir::entry& e, bool by_tokens) {
  std::unique_ptr<code>& made = prepared_[{e.name, by_tokens && orders_by_tokens()}];
  if (made == nullptr) {
    std::set<tileir::value_id> kept;
    if (const auto names = names_.find(&e); names != names_.end()) {
      for (const auto& [value, known] : names->second.values()) {
        kept.insert(value);
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

const void* program::site(const tileir::entry& e, const tileir::operation& o) const noexcept {
  const auto i = static_cast<std::size_t>(&e - module_->entries.data());
  return sites_ + first_site_[i] + o.number;
}

std::pair<const tileir::entry*, std::uint32_t>
program::operation_at(const void* place) const noexcept {
  const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(place) - sites_);
  const auto next = std::upper_bound(first_site_.begin(), first_site_.end(), at);
  return {&module_->entries[static_cast<std::size_t>(next - first_site_.begin()) - 1],
          static_cast<std::uint32_t>(at - *(next - 1))};
}

std::uint32_t program::location_of(const void* place) const noexcept {
  const auto [e, number] = operation_at(place);
  return number < e->operations ? e->locations[number] : e->location;
}

program::chain program::chain_at(std::uint32_t location) const {
  chain c;
  for (const tileir::frame& f : module_->frames(location)) {
    // cuTile counts columns from 0, NVIDIA's compiler from 1.
    const unsigned first = ends_with(f.file, ".py") && f.column != 0 ? 1 : 0;
    source_frame shown{.file = f.file,
                       .line = static_cast<unsigned>(f.line),
                       .column = static_cast<unsigned>(f.column) + first,
                       .function = short_name(f.function)};
    (c.own.empty() && is_library(f.file) ? c.helpers : c.own).push_back(std::move(shown));
  }
  if (c.own.empty()) {
    std::swap(c.own, c.helpers);
  }
  return c;
}

std::vector<source_frame> program::frames(const void* place) const {
  return chain_at(location_of(place)).own;
}

std::vector<source_frame> program::helpers(const void* place) const {
  return chain_at(location_of(place)).helpers;
}

std::map<std::string, std::set<unsigned>> program::lines() const {
  std::map<std::string, std::set<unsigned>> all;
  for (const tileir::entry& e : module_->entries) {
    for (const std::uint32_t location : e.locations) {
      // What a call's line performs stands in the function that it calls.
      if (const auto own = chain_at(location).own; !own.empty()) {
        all[own.front().file].insert(own.front().line);
      }
    }
  }
  return all;
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

std::string program::place_text(const tileir::entry& e, const tileir::operation* o) const {
  const bool listed = o != nullptr && o->number < e.locations.size();
  const auto frames = chain_at(listed ? e.locations[o->number] : e.location).own;
  if (frames.empty()) {
    return function_name(e);
  }
  const source_frame& f = frames.front();
  return sim::place_text(f.file, f.line, f.column);
}

std::string program::function_name(const tileir::entry& e) const {
  const auto frames = chain_at(e.location).own;
  return frames.empty() || frames.back().function.empty() ? short_name(e.name)
                                                          : frames.back().function;
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
