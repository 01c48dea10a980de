// From addresses to runs of elements.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/accesses.hpp"

#include "sim/memory/allocations.hpp"

#include <fmt/format.h>

#include <map>

namespace tilesim::sim::trace {

namespace {

/// The elements of one access, joined one by one.
class run_list {
public:
  run_list(const step::buffers& known, unsigned bytes)
      : known_(known)
      , bytes_(bytes) {}

  void add(std::uintptr_t address) {
    if (runs_.empty() || !goes_on(address)) {
      split_pair();
      begin(address);
    }
    last_ = address;
  }

  std::vector<element_run> take() {
    split_pair();
    return std::move(runs_);
  }

private:
  void begin(std::uintptr_t address) {
    buffer_ = known_.holding(address);
    runs_.push_back({.buffer = buffer_ != nullptr ? buffer_->memory->id : 0,
                     .begin = buffer_ != nullptr ? address - buffer_->memory->begin : address});
  }

  [[nodiscard]] bool goes_on(std::uintptr_t address) {
    element_run& run = runs_.back();
    const bool here = buffer_ != nullptr ? buffer_->memory->contains(address)
                                         : known_.holding(address) == nullptr;
    const auto distance = static_cast<std::int64_t>(address - last_);
    if (!here || (run.count > 1 && run.distance != distance)) {
      return false;
    }
    run.distance = distance;
    ++run.count;
    return true;
  }

  /// Any two elements are at some distance: that says nothing.
  void split_pair() {
    if (runs_.empty() || runs_.back().count != 2 ||
        runs_.back().distance == static_cast<std::int64_t>(bytes_)) {
      return;
    }
    element_run second = runs_.back();
    runs_.back().count = second.count = 1;
    runs_.back().distance = 0;
    second.begin += static_cast<std::uintptr_t>(second.distance);
    second.distance = 0;
    runs_.push_back(second);
  }

  const step::buffers& known_;
  unsigned bytes_;
  std::vector<element_run> runs_;
  const step::buffer* buffer_ = nullptr; ///< of the last run
  std::uintptr_t last_ = 0;              ///< the last address
};

} // namespace

std::vector<element_run> runs_of(const memory_event& e, const step::buffers& known) {
  run_list runs(known, e.bytes);
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      runs.add(e.addresses[i]);
    }
  }
  return runs.take();
}

std::vector<read_from>
sources_of(const memory_event& e, const step::last_writers& writers, const stale_elements& stale) {
  std::map<std::uint32_t, std::size_t> elements;
  for (unsigned i = 0; i < e.count; ++i) {
    if (e.mask == nullptr || e.mask[i] != 0) {
      const auto older = stale.find(i);
      ++elements[older != stale.end() ? older->second.given : writers.of(e.addresses[i])];
    }
  }
  elements.erase(0);
  std::vector<read_from> list;
  list.reserve(elements.size());
  for (const auto& [operation, count] : elements) {
    list.push_back({operation, count});
  }
  return list;
}

bool acquires(machine::memory_order o) {
  return o == machine::memory_order::acquire || o == machine::memory_order::acq_rel;
}

bool releases(machine::memory_order o) {
  return o == machine::memory_order::release || o == machine::memory_order::acq_rel;
}

std::string type_text(const machine::tile_type& t) {
  std::string text = tilesim::name(t.elem);
  if (t.elem == element::ptr) {
    text = fmt::format("ptr<{}>", t.pointee_size == 0 ? "void" : tilesim::name(t.pointee));
  }
  return t.is_scalar ? text
                     : fmt::format("{}[{}]", text, fmt::join(t.extents, t.extents + t.rank, "x"));
}

} // namespace tilesim::sim::trace
