// Looking names up, in the order in which a person means them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/standing_names.hpp"

#include "sim/core/execution.hpp"
#include "sim/debug_info/locals.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/debug_info/types_by_name.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/watch/capture.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::sim::step {

/// The place whose frames can be walked; nullptr where nobody's that runs can.
const void* standing_names::standing_site() const {
  if (host_site_ != nullptr) {
    return host_site_;
  }
  return thread_ != nullptr && thread_ == execution::current() ? thread_->next_site : nullptr;
}

/// Who knows the place where it stands, if that is no code: then there are no frames to walk.
const place_resolver* standing_names::front_door() const {
  const void* const site = standing_site();
  return site == nullptr ? nullptr : registered_resolver(site);
}

std::vector<variable> standing_names::variables_of(std::size_t frame) {
  if (const place_resolver* const door = front_door()) {
    return door->variables(standing_site(), frame);
  }
  use_frame(frame);
  return frame_ < frames_.size() ? variables(frames_[frame_]) : std::vector<variable>{};
}

void standing_names::use_frame(std::size_t number) {
  if (!frames_known_) {
    const void* const site = standing_site();
    frames_ = site != nullptr ? walk_frames(site) : std::vector<frame_registers>{};
    frames_known_ = true;
  }
  frame_ = number;
}

const std::vector<frame_registers>& standing_names::frames() {
  use_frame(frame_);
  return frames_;
}

void standing_names::begin_expression(std::size_t frame) {
  used_local_ = looked_up_ = false;
  use_frame(frame);
}

void standing_names::annotate(value& v) {
  mark_unwritten(v, run_.written);
}

bool standing_names::enter(const frame_key* frame) {
  used_local_ = false;
  if (frame == nullptr) {
    frame_ = 0;
    return true; // frames are walked when a name asks for them
  }
  if (thread_ == nullptr || thread_->launch->id != frame->launch ||
      thread_->linear_thread() != frame->thread) {
    return false;
  }
  use_frame(0);
  if (const place_resolver* const door = front_door()) {
    return frame->function == reinterpret_cast<std::uintptr_t>(door);
  }
  if (frame->depth >= frames_.size()) {
    return false;
  }
  const std::size_t number = frames_.size() - 1 - frame->depth;
  if (function_at(frames_[number].pc) != frame->function) {
    return false; // another function has been called in its place
  }
  use_frame(number);
  return true;
}

std::optional<frame_key> standing_names::entered() {
  if (!used_local_ || thread_ == nullptr) {
    return std::nullopt;
  }
  if (const place_resolver* const door = front_door()) {
    return frame_key{.launch = thread_->launch->id,
                     .thread = thread_->linear_thread(),
                     .depth = 0,
                     .function = reinterpret_cast<std::uintptr_t>(door)};
  }
  if (frame_ >= frames_.size()) {
    return std::nullopt;
  }
  return frame_key{.launch = thread_->launch->id,
                   .thread = thread_->linear_thread(),
                   .depth = frames_.size() - 1 - frame_,
                   .function = function_at(frames_[frame_].pc)};
}

namespace {

/// False: a kernel's variable that has the name of a buffer is something else, such as a pointer to
/// another buffer.
bool may_be_begin(const value& variable, const buffer& b) {
  if (variable.type.kind != element::ptr || !variable.shape.empty()) {
    return false;
  }
  std::uintptr_t to = 0;
  if (!variable.missing.empty() || variable.bytes.size() != sizeof to) {
    return true; // optimised out
  }
  std::memcpy(&to, variable.bytes.data(), sizeof to);
  return to == b.memory->begin;
}

/// True of a pointer to objects of a class, of which the buffer that it points to knows no
/// elements: `recs[1].id`.
bool points_to_objects(const value& variable, const buffer& b) {
  return variable.type.points_to != nullptr && !variable.bytes.empty() && !b.element;
}

value whole_number(std::uint64_t n) {
  value v;
  v.type = {.kind = element::i64, .is_unsigned = true, .pointee = {}, .spelling = {}};
  v.bytes.resize(sizeof n);
  std::memcpy(v.bytes.data(), &n, sizeof n);
  return v;
}

/// The elements of a buffer; why not, where it has been freed and they may not be read.
value elements_of(const buffer& b, bool may_be_freed) {
  value v;
  v.type = b.element.value_or(
      value_type{.kind = element::i8, .is_unsigned = true, .pointee = {}, .spelling = "byte"});
  if (!b.memory->live && !may_be_freed) {
    v.missing = fmt::format("freed at {}", place(b.memory->freed_site));
    return v;
  }
  v.shape = {b.count()};
  v.address = b.memory->begin;
  v.decays = true;
  return v;
}

} // namespace

std::optional<value> standing_names::number_named(std::string_view name) const {
  if (name == "$position") {
    return whole_number(run_.begun);
  }
  if (thread_ != nullptr && name == "$block") {
    return whole_number(thread_->linear_block());
  }
  if (thread_ != nullptr && name == "$thread") {
    return whole_number(linear(thread_->thread, thread_->launch->config.block));
  }
  if (thread_ != nullptr && name == "$operations") {
    return whole_number(thread_->operations);
  }
  return std::nullopt;
}

/// A variable of the frame, unless it is a pointer to the begin of `b`, the buffer of its name, and
/// that says more: it does where its elements are known, else the pointer does, by the class of the
/// objects there.
std::optional<value> standing_names::local_named(std::string_view name, const buffer* b) {
  if (const place_resolver* const door = front_door()) {
    for (variable& v : door->variables(standing_site(), frame_)) {
      if (v.name == name && (b == nullptr || !may_be_begin(v.now, *b))) {
        used_local_ = true;
        return std::move(v.now);
      }
    }
    return std::nullopt;
  }
  // Frames are walked only where a variable may come of it.
  const void* const innermost =
      frame_ == 0 && !frames_known_ ? innermost_place(standing_site()) : nullptr;
  if (innermost != nullptr && !is_variable(innermost, name)) {
    return std::nullopt;
  }
  use_frame(frame_);
  if (frame_ >= frames_.size()) {
    return std::nullopt;
  }
  auto v = variable_named(frames_[frame_], name);
  if (!v || (b != nullptr && may_be_begin(v->now, *b) && !points_to_objects(v->now, *b))) {
    return std::nullopt;
  }
  used_local_ = true;
  give_length(v->now);
  return std::move(v->now);
}

void standing_names::give_length(value& v) {
  if (v.missing != unknown_length || !v.address) {
    return;
  }
  if (const shared_object* const o = run_.in.shared.find(*v.address)) {
    v.shape = {(o->begin + o->size - *v.address) / size_of(v.type.kind)};
    v.missing.clear();
    v.bytes.resize(v.count() * size_of(v.type.kind));
    if (read(*v.address, v.bytes.size(), v.bytes.data())) {
      annotate(v);
    } else {
      v.bytes.clear();
    }
  }
}

std::optional<value> standing_names::lookup(std::string_view name) {
  looked_up_ = true;
  if (auto number = number_named(name)) {
    return number;
  }
  const buffer* const b = run_.known.find(name);
  if (auto local = local_named(name, b)) {
    return local;
  }
  if (b != nullptr) {
    return elements_of(*b, freed_read_.has_value());
  }
  if (thread_ == nullptr || thread_->next_site == nullptr) {
    return std::nullopt;
  }
  auto global = global_variable(thread_->next_site, std::string(name));
  return global ? std::optional(std::move(global->now)) : std::nullopt;
}

std::optional<named_type> standing_names::type_named(std::string_view name) {
  const void* site = standing_site();
  if (frames_known_ && frame() != nullptr) {
    site = frame()->pc;
  } else if (site == nullptr && thread_ != nullptr) {
    site = thread_->next_site;
  }
  return step::type_named(site, name);
}

bool standing_names::read(std::uintptr_t address, std::size_t bytes, void* to) {
  looked_up_ = true;
  if (freed_read_) {
    const allocation* a = run_.in.mem.find(reinterpret_cast<const void*>(address));
    if (a != nullptr && !a->live && a->contains(address, bytes)) {
      std::memset(to, 0, bytes);
      freed_read_->push_back(address);
      return true;
    }
  }
  if (!accessible(run_.in, thread_, address, 1) ||
      !accessible(run_.in, thread_, address + bytes - 1, 1)) {
    return false;
  }
  const scoped_access open(run_.in.mem);
  std::memcpy(to, reinterpret_cast<const void*>(address), bytes);
  return true;
}

} // namespace tilesim::sim::step
