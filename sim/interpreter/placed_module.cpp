// Places of a module's operations, and its globals.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/placed_module.hpp"

#include "sim/contract/frames_text.hpp"
#include "sim/tileir/constants.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <utility>

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

placed_module::placed_module(std::unique_ptr<const tileir::module> m)
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
  make_globals();
}

placed_module::~placed_module() {
  munmap(sites_, site_count_);
}

void placed_module::make_globals() {
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

std::byte* placed_module::global(const std::string& name) const noexcept {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : found->second.data();
}

void placed_module::use_for_global(const std::string& name, std::span<std::byte> memory) {
  const auto found = globals_.find(name);
  if (found != globals_.end() && found->second.size() <= memory.size()) {
    found->second = memory;
  }
}

const tileir::entry* placed_module::find(const std::string& name) const noexcept {
  const auto found = std::find_if(module_->entries.begin(),
                                  module_->entries.end(),
                                  [&](const tileir::entry& e) { return e.name == name; });
  return found == module_->entries.end() ? nullptr : &*found;
}

bool placed_module::orders_by_tokens() const noexcept {
  return module_->producer.find("Cuda compilation tools") == std::string::npos;
}

const void* placed_module::site(const tileir::entry& e, const tileir::operation& o) const noexcept {
  const auto i = static_cast<std::size_t>(&e - module_->entries.data());
  return sites_ + first_site_[i] + o.number;
}

std::pair<const tileir::entry*, std::uint32_t>
placed_module::operation_at(const void* place) const noexcept {
  const auto at = static_cast<std::size_t>(static_cast<const std::byte*>(place) - sites_);
  const auto next = std::upper_bound(first_site_.begin(), first_site_.end(), at);
  return {&module_->entries[static_cast<std::size_t>(next - first_site_.begin()) - 1],
          static_cast<std::uint32_t>(at - *(next - 1))};
}

std::uint32_t placed_module::location_of(const void* place) const noexcept {
  const auto [e, number] = operation_at(place);
  return number < e->operations ? e->locations[number] : e->location;
}

placed_module::chain placed_module::chain_at(std::uint32_t location) const {
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

std::vector<source_frame> placed_module::frames(const void* place) const {
  return chain_at(location_of(place)).own;
}

std::vector<source_frame> placed_module::helpers(const void* place) const {
  return chain_at(location_of(place)).helpers;
}

void placed_module::add_line(std::uint32_t location, sim::operation_lines& to) const {
  const auto frames = module_->frames(location);
  if (frames.empty()) {
    return;
  }
  // What a call's line performs stands in the function that it calls. [chain_at]
  const auto own =
      std::ranges::find_if(frames, [](const tileir::frame& f) { return !is_library(f.file); });
  const tileir::frame& at = own == frames.end() ? frames.front() : *own;
  const auto [known, is_new] =
      to[at.file].try_emplace(static_cast<unsigned>(at.line), static_cast<unsigned>(at.begins));
  if (!is_new) {
    known->second = std::min(known->second, static_cast<unsigned>(at.begins));
  }
}

std::string placed_module::place_text(const tileir::entry& e, const tileir::operation* o) const {
  const bool listed = o != nullptr && o->number < e.locations.size();
  const auto frames = chain_at(listed ? e.locations[o->number] : e.location).own;
  if (frames.empty()) {
    return function_name(e);
  }
  const source_frame& f = frames.front();
  return sim::place_text(f.file, f.line, f.column);
}

std::string placed_module::function_name(const tileir::entry& e) const {
  const auto frames = chain_at(e.location).own;
  return frames.empty() || frames.back().function.empty() ? short_name(e.name)
                                                          : frames.back().function;
}

} // namespace tilesim::interpreter
