// Naming allocations.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/buffer_names.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/code_frames.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/frame_variables.hpp"
#include "sim/debug_info/own_memory.hpp"
#include "sim/memory/allocations.hpp"
#include "sim/naming/kept_parameters.hpp"
#include "sim/naming/unwind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <dwarf.h>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::sim {

const buffer_name& buffer_names::of(const allocation& a) {
  refresh();
  return by_id_[a.id];
}

std::uint64_t buffer_names::version() {
  refresh();
  return version_;
}

// Host code does not run while kernels do: what its variables hold changes from call to call.
void buffer_names::refresh() {
  const waiting_host* const waits = waiting_host::current();
  const std::uint64_t call = waits != nullptr ? waits->number() : seen_call_;
  if (call == seen_call_ && changes_ == seen_changes_) {
    return;
  }
  seen_call_ = call;
  seen_changes_ = changes_;
  ++version_;
  std::set<std::uintptr_t> begins;
  for (const auto& [id, a] : all_) {
    if (!lent_.contains(id)) {
      begins.insert(a->begin);
    }
  }
  name_all(begins.empty() ? std::vector<step::holder>()
                          : step::pointer_holders(
                                waits != nullptr ? waits->frames() : std::span<const host_frame>(),
                                [&](std::uintptr_t p) { return begins.contains(p); }));
}

void buffer_names::allocated(const allocation& a, const allocating_call* by) {
  all_[a.id] = &a;
  by_[a.id] = by;
  ++changes_;
}

void buffer_names::lent(const allocation& a, buffer_name name) {
  allocated(a, nullptr);
  lent_[a.id] = std::move(name);
}

void buffer_names::forget(const allocation& a) {
  all_.erase(a.id);
  by_.erase(a.id);
  lent_.erase(a.id);
  owners_.erase(a.id);
  ++changes_;
}

namespace {

// Variables are told apart by frame, function and name: other calls stood where one stands.
using variable_key = std::tuple<std::uintptr_t, std::uintptr_t, std::string_view>;

variable_key filled_by(const step::owner& o) {
  return {o.cfa, o.function, o.name};
}

variable_key of_holder(const step::holder& h) {
  return {h.frame, h.function, h.name};
}

/// Of the variables that hold the pointer, the one whose name means this allocation alone; nullptr:
/// none. `last`: the allocation that was put into a variable last.
const step::holder*
best_holder(std::multimap<std::uintptr_t, const step::holder*>::const_iterator first,
            std::multimap<std::uintptr_t, const step::holder*>::const_iterator end,
            unsigned id,
            const std::optional<step::owner>& owner,
            const std::map<variable_key, unsigned>& last) {
  const step::holder* best = nullptr;
  for (; first != end; ++first) {
    const step::holder* h = first->second;
    // Another's, but pointers have been swapped or assigned: the name could mean either.
    if (const auto filled = last.find(of_holder(*h));
        filled != last.end() && filled->second != id) {
      continue;
    }
    if (owner && !owner->handed_on && filled_by(*owner) == of_holder(*h)) {
      return h;
    }
    // Parameters are other names of what the caller has.
    if (best == nullptr || (best->parameter && !h->parameter)) {
      best = h;
    }
  }
  return best;
}

} // namespace

void buffer_names::name_all(const std::vector<step::holder>& holders) {
  for (const auto& [id, by] : by_) {
    if (by != nullptr && !owners_.contains(id)) {
      owners_[id] = step::owner_of(*by);
    }
  }
  // Of a variable that several allocations were put into, the last.
  std::map<variable_key, unsigned> last;
  for (const auto& [id, owner] : owners_) {
    if (owner && !owner->handed_on) {
      last[filled_by(*owner)] = id;
    }
  }
  std::multimap<std::uintptr_t, const step::holder*> holding;
  std::set<variable_key> in_use;
  for (const step::holder& h : holders) {
    holding.emplace(h.pointer, &h);
    in_use.insert(of_holder(h));
  }
  by_id_.clear();
  now_.clear();
  for (const auto& [id, a] : all_) {
    const std::optional<step::owner> owner =
        owners_.contains(id) ? owners_.at(id) : std::optional<step::owner>();
    const auto [first, end] = holding.equal_range(a->begin);
    const step::holder* const best = best_holder(first, end, id, owner, last);
    buffer_name& name = by_id_[id];
    if (const auto lent = lent_.find(id); lent != lent_.end()) {
      name = lent->second;
    } else if (best != nullptr) {
      name = {best->name, best->element};
    } else if (owner && !owner->handed_on && last.at(filled_by(*owner)) == id &&
               !in_use.contains(filled_by(*owner))) {
      name = {owner->name, owner->element};
    } else if (owner) {
      name.element = owner->element;
    }
    now_[id] = name.text;
  }
  name_as_called();
  number_names();
}

void buffer_names::name_as_called() {
  for (auto& [id, name] : by_id_) {
    const std::string* called = nullptr;
    for (const texts& t : then_) {
      const auto known = t.find(id); // else it has been allocated since
      if (known == t.end()) {
        continue;
      }
      if (called != nullptr && *called != known->second) {
        called = nullptr;
        name.text.clear();
        break;
      }
      called = &known->second;
    }
    if (called != nullptr) {
      name.text = *called;
    }
  }
}

void buffer_names::number_names() {
  std::map<std::string, unsigned> used;
  for (auto& [id, name] : by_id_) {
    if (!name.text.empty()) {
      if (const unsigned number = ++used[name.text]; number != 1) {
        name.text += fmt::format("#{}", number);
      }
    }
  }
}

void buffer_names::work_waits() {
  if (all_.empty()) {
    return;
  }
  std::optional<waiting_host> here;
  if (waiting_host::current() == nullptr) {
    here.emplace();
  }
  refresh();
  if (std::ranges::find(then_, now_) == then_.end()) {
    then_.push_back(now_);
    ++changes_;
  }
}

void buffer_names::work_is_done() {
  if (!then_.empty()) {
    then_.clear();
    ++changes_;
  }
}

namespace {

std::map<const context*, std::unique_ptr<buffer_names>>& all_names() {
  static auto& all = *new std::map<const context*, std::unique_ptr<buffer_names>>;
  return all;
}

} // namespace

buffer_names& names_of(context& c) {
  auto& names = all_names()[&c];
  if (names == nullptr) {
    names = std::make_unique<buffer_names>(c);
  }
  return *names;
}

void forget_names(context& c) {
  all_names().erase(&c);
}

buffer_name name_now(context& c, const allocation& a) {
  // At an access of the host's own, in no call of the runtime, it stands there: what its variables
  // held when somebody last asked for a name is another moment's.
  std::optional<waiting_host> here;
  if (waiting_host::current() == nullptr && execution::current() == nullptr) {
    here.emplace();
  }
  return names_of(c).of(a);
}

namespace {

/// The kernel's frame, and which of the functions inlined there it is: the outermost but for what
/// the launch was rewritten into.
std::pair<const step::frame_registers*, std::size_t>
kernel_among(const std::vector<step::frame_registers>& frames) {
  for (std::size_t i = frames.size(); i-- > 0;) {
    const auto& functions = resolve_code(frames[i].pc);
    const bool launch = i + 1 == frames.size() && !functions.empty() &&
                        functions.back().function.starts_with("operator()");
    if (const std::size_t count = functions.size() - (launch ? 1 : 0); count != 0) {
      return {&frames[i], count - 1};
    }
  }
  return {nullptr, 0};
}

/// The parameter that holds a pointer into the allocation, as the launch has kept it: the compiler
/// drops one from the frame when it is no longer needed.
std::optional<buffer_name>
kept_parameter_for(const sim_thread& t, const void* pc, const allocation& a) {
  const kept_parameters kept = parameters_of(t.launch->kernel, pc);
  if (!kept.whole) {
    return std::nullopt;
  }
  std::optional<buffer_name> found;
  for (const kept_parameter& p : kept.list) {
    std::uintptr_t to = 0;
    if (dwarf_tag(const_cast<Dwarf_Die*>(&p.type)) != DW_TAG_pointer_type || p.name.empty()) {
      continue;
    }
    std::memcpy(&to, p.at, sizeof to);
    if (to >= a.begin && to < a.end()) {
      if (found) {
        return std::nullopt; // two of them
      }
      found = {p.name, step::element_behind(p.type)};
    }
  }
  return found;
}

} // namespace

std::optional<buffer_name> parameter_for(const sim_thread& t, const allocation& a) {
  if (execution::current() != &t || t.site == nullptr) {
    return std::nullopt;
  }
  const auto frames = step::walk_frames(t.site);
  if (frames.empty()) {
    return std::nullopt;
  }
  const auto [frame, kernel] = kernel_among(frames);
  if (frame == nullptr) {
    return std::nullopt;
  }
  std::optional<buffer_name> found;
  const auto variables = step::located_variables(*frame, false);
  for (const auto& v : variables) {
    Dwarf_Die declared = v.type;
    Dwarf_Die type;
    std::uintptr_t to = 0;
    if (!v.parameter || v.function != kernel || dwarf_peel_type(&declared, &type) != 0 ||
        dwarf_tag(&type) != DW_TAG_pointer_type) {
      continue;
    }
    if (v.object.address ? !step::read_own_memory(*v.object.address, sizeof to, &to)
                         : v.object.bytes.size() != sizeof to) {
      continue;
    }
    if (!v.object.address) {
      std::memcpy(&to, v.object.bytes.data(), sizeof to);
    }
    if (to < a.begin || to >= a.end()) {
      continue;
    }
    if (found) {
      return std::nullopt;
    }
    found = {v.name, step::element_behind(type)};
  }
  return found ? found : kept_parameter_for(t, frame->pc, a);
}

namespace {

/// "int[64]"; empty if the type is not known or does not fit.
std::string array_text(const step::pointed_element& e, const allocation& a) {
  return e.bytes == 0 || e.spelling.empty() ? std::string()
                                            : fmt::format("{}[{}]", e.spelling, a.size / e.bytes);
}

struct known_buffer {
  buffer_name name;
  std::string kernel; ///< whose parameter it is; empty: the host's variable
};

known_buffer look_up(context& c, const sim_thread* t, const allocation& a) {
  known_buffer known{name_now(c, a), {}};
  if (known.name.text.empty() || known.name.element.bytes == 0) {
    if (auto p = t == nullptr ? std::nullopt : parameter_for(*t, a)) {
      if (known.name.element.bytes == 0) {
        known.name.element = p->element;
      }
      if (known.name.text.empty()) {
        known.name.text = p->text;
        known.kernel = t->launch->kernel.name;
      }
    }
  }
  return known;
}

} // namespace

std::string
element_text(context& c, const sim_thread* t, const allocation& a, std::uintptr_t address) {
  const known_buffer known = look_up(c, t, a);
  const step::pointed_element& e = known.name.element;
  const std::string array = array_text(e, a);
  if (array.empty()) {
    return known.name.text.empty() ? ""
           : known.kernel.empty()  ? known.name.text
                                   : fmt::format("{} of {}", known.name.text, known.kernel);
  }
  const auto offset = static_cast<std::int64_t>(address - a.begin);
  const auto each = static_cast<std::int64_t>(e.bytes);
  const std::int64_t index = (offset >= 0 ? offset : offset - each + 1) / each;
  const std::int64_t rest = offset - index * each;
  std::string text = known.name.text.empty() ? fmt::format("element {}", index)
                                             : fmt::format("{}[{}]", known.name.text, index);
  if (rest != 0) {
    text += " + " + counted(static_cast<std::uint64_t>(rest), "byte");
  }
  text += fmt::format(" of {}", array);
  return known.kernel.empty() ? text : fmt::format("{} in {}", text, known.kernel);
}

step::pointed_element element_of(context& c, const sim_thread* t, const allocation& a) {
  return look_up(c, t, a).name.element;
}

std::string buffer_text(context& c, const sim_thread* t, const allocation& a) {
  const known_buffer known = look_up(c, t, a);
  std::string array = array_text(known.name.element, a);
  if (known.name.text.empty()) {
    return array;
  }
  const std::string name = known.kernel.empty()
                               ? known.name.text
                               : fmt::format("{} of {}", known.name.text, known.kernel);
  return array.empty() ? name : fmt::format("{} ({})", name, array);
}

} // namespace tilesim::sim
