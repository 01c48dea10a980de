// Keeping an operation, and sending it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/capture.hpp"

#include "sim/contract/formats.hpp"
#include "sim/core/thread.hpp"
#include "sim/expressions/element_word.hpp"
#include "sim/expressions/expression.hpp"
#include "sim/memory/orders.hpp"
#include "sim/ops/opcode_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace tilesim::sim::step {

namespace {

std::vector<std::string> pointer_texts(const value& v, const buffers& known, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, v.bytes.size() / sizeof(std::uintptr_t)); ++i) {
    std::uintptr_t address = 0;
    std::memcpy(&address, v.bytes.data() + (i * sizeof address), sizeof address);
    texts.push_back(address == 0                        ? "nullptr"
                    : known.holding(address) != nullptr ? "&" + known.describe(address)
                                                        : fmt::format("{:#x}", address));
  }
  return texts;
}

protocol::access message_of(const captured_memory& m, const buffers& known) {
  protocol::access one{.reads = m.reads,
                       .writes = m.writes,
                       .order = sim::name(m.order),
                       .scope = m.strong ? sim::name(m.scope) : "",
                       .bytes = m.bytes,
                       .places = {},
                       .sources = {},
                       .unwritten = {},
                       .passed = {},
                       .followed = m.reads && m.followed};
  for (std::size_t i = 0; i < m.addresses.size(); ++i) {
    const bool active = m.active.empty() || m.active[i] != 0;
    one.places.push_back(active ? std::optional(known.describe(m.addresses[i])) : std::nullopt);
    if (m.reads) {
      one.sources.push_back(active ? std::optional<std::uint64_t>(m.sources[i]) : std::nullopt);
      one.unwritten.push_back(m.unwritten[i] != 0);
    }
  }
  for (const stale_element& s : m.stale) {
    if (s.element < one.sources.size()) {
      one.passed.resize(one.sources.size());
      one.passed[s.element] = s.passed;
      one.sources[s.element] = s.given != 0 ? std::optional<std::uint64_t>(s.given) : std::nullopt;
    }
  }
  return one;
}

} // namespace

namespace {

/// What the operands are to an operation, by their number. `count`: of the operands.
std::string role_of(machine::opcode op, unsigned i, unsigned count) {
  const auto among = [&](std::initializer_list<const char*> roles) {
    return i < roles.size() ? std::string(roles.begin()[i]) : std::string{};
  };
  switch (op) {
  case machine::opcode::load_ptr_tko:
    return among({"pointers", "mask", "padding"});
  case machine::opcode::store_ptr_tko:
  case machine::opcode::atomic_rmw_tko:
    return among({"pointers", "values", "mask"});
  case machine::opcode::atomic_cas_tko:
    return among({"pointers", "expected", "desired", "mask"});
  case machine::opcode::load_view_tko:
    return count == 1 ? "index" : fmt::format("index {}", i);
  case machine::opcode::store_view_tko:
  case machine::opcode::atomic_red_view_tko:
    return i == 0 ? "values" : count == 2 ? "index" : fmt::format("index {}", i - 1);
  default:
    return {};
  }
}

/// Marks the elements that are not accessed, if the value has one for each place.
void mark_masked(value& v, const captured_memory& m, mark as) {
  if (m.active.empty() || std::min(v.count(), most_captured) != m.active.size()) {
    return;
  }
  v.marks.assign(m.active.size(), mark::none);
  for (std::size_t i = 0; i < m.active.size(); ++i) {
    v.marks[i] = m.active[i] == 0 ? as : mark::none;
  }
}

std::string marked(std::string text, mark m) {
  switch (m) {
  case mark::none:
    return text;
  case mark::masked:
    return "-";
  case mark::padded:
    return "(" + text + ")";
  case mark::unspecified:
  case mark::unwritten:
    return "?";
  }
  return text;
}

std::vector<std::string> formatted_texts(const value& v, char format, std::size_t most) {
  const std::size_t size = size_of(v.type.kind);
  const std::span<const std::uint8_t> cells(v.bytes);
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + size <= cells.size() && texts.size() < most; at += size) {
    texts.push_back(formatted(cells.subspan(at, size), format));
  }
  return texts;
}

/// Replaces the texts of marked elements, and says how many there are of each kind.
void apply_marks(protocol::value& shown, const value& v) {
  for (std::size_t i = 0; i < std::min(v.marks.size(), shown.texts.size()); ++i) {
    shown.texts[i] = marked(shown.texts[i], v.marks[i]);
  }
  const auto count = [&v](mark m) {
    return static_cast<std::size_t>(std::count(v.marks.begin(), v.marks.end(), m));
  };
  shown.masked = count(mark::masked);
  shown.padded = count(mark::padded);
  shown.unspecified = count(mark::unspecified);
  shown.unwritten = count(mark::unwritten);
}

/// Three numbers, as whoever looks at tiles sees them.
value captured_index(const machine::index3& at) {
  value v;
  v.type.kind = element::i32;
  v.type.is_unsigned = true;
  v.shape = {3};
  for (const std::uint32_t n : {at.x, at.y, at.z}) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&n);
    v.bytes.insert(v.bytes.end(), bytes, bytes + sizeof n);
  }
  return v;
}

} // namespace

value capture(const machine::tile_type& type, const void* data) {
  value v;
  v.type.kind = type.elem;
  v.type.is_unsigned = type.is_unsigned;
  if (type.elem == element::ptr && type.pointee_size != 0) {
    v.type.pointee = {type.pointee, type.is_unsigned};
  }
  if (!type.is_scalar) {
    v.shape.assign(type.extents, type.extents + type.rank);
  }
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  const std::size_t count = std::min<std::size_t>(type.count, most_captured);
  v.bytes.assign(bytes, bytes + (count * size_of(type.elem)));
  return v;
}

captured_memory
capture(const memory_event& e, const last_writers& writers, written_memory& written) {
  captured_memory m;
  m.reads = e.reads;
  m.writes = e.writes;
  m.strong = e.how.order != machine::memory_order::weak;
  m.order = e.how.order;
  m.scope = e.how.scope;
  m.bytes = e.bytes;
  const std::size_t count = std::min<std::size_t>(e.count, most_captured);
  m.addresses.assign(e.addresses, e.addresses + count);
  if (e.mask != nullptr) {
    m.active.assign(e.mask, e.mask + count);
  }
  if (e.reads) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool active = e.mask == nullptr || e.mask[i] != 0;
      m.sources.push_back(active ? writers.of(e.addresses[i]) : 0);
      m.followed = m.followed || (active && written.follows(e.addresses[i]));
      m.unwritten.push_back(active && written.first_unwritten(e.addresses[i], e.bytes) ? 1 : 0);
    }
  }
  return m;
}

void capture(captured_operation& into,
             const operation_event& e,
             const std::vector<std::size_t>& unspecified) {
  // "atomic_add" says more than atomic_rmw_tko.
  into.name = e.thread->next_operation;
  if (const char* const spelling = e.spelling()) {
    into.spelling = spelling;
  }
  for (unsigned i = 0; i < e.operand_count; ++i) {
    captured_operand one{role_of(e.op, i, e.operand_count),
                         capture(*e.operands[i].type, e.operands[i].data)};
    if (e.operands[i].type->count == 1 && !one.role.empty() && one.role.back() == 's') {
      one.role.pop_back();
    }
    // The mask says itself what it is, and paddings are there for masked-out elements.
    if (!into.memory.empty() && !one.role.empty() && one.role != "mask" && one.role != "padding") {
      mark_masked(one.what, into.memory.front(), mark::masked);
    }
    into.operands.push_back(std::move(one));
  }
  if (e.op == machine::opcode::get_tile_block_id) {
    into.result = captured_index(e.thread->block);
  } else if (e.op == machine::opcode::get_num_tile_blocks) {
    const dim3& grid = e.thread->launch->config.grid;
    into.result = captured_index({grid.x, grid.y, grid.z});
  }
  if (e.result != nullptr) {
    into.result = capture(*e.result->type, e.result->data);
    if (!into.memory.empty()) {
      mark_masked(*into.result, into.memory.front(), mark::padded);
    }
    into.result->marks.resize(into.result->count());
    for (const std::size_t i : unspecified) {
      into.result->marks[i] = mark::unspecified;
    }
    if (!into.memory.empty() && into.memory.front().unwritten.size() <= into.result->count()) {
      const auto& unwritten = into.memory.front().unwritten;
      for (std::size_t i = 0; i < unwritten.size(); ++i) {
        into.result->marks[i] = unwritten[i] != 0 ? mark::unwritten : into.result->marks[i];
      }
    }
  }
}

void mark_unwritten(value& v, written_memory& written) {
  for (auto& [name, of] : v.members) {
    mark_unwritten(of, written);
  }
  const std::size_t size = size_of(v.type.kind);
  const std::size_t count = v.bytes.size() / size;
  if (!v.address || count == 0) {
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uintptr_t cell =
        *v.address + (static_cast<std::uintptr_t>(static_cast<std::int64_t>(i) * v.stride) * size);
    if (written.first_unwritten(cell, size)) {
      v.marks.resize(count);
      v.marks[i] = mark::unwritten;
    }
  }
}

value captured_bytes(const buffers& known,
                     std::uintptr_t address,
                     std::vector<std::uint8_t> bytes) {
  value v;
  const std::optional<value_type> type = known.element_at(address);
  if (type && bytes.size() % size_of(type->kind) == 0) {
    v.type = *type;
  } else {
    v.type.kind = bytes.size() == 8   ? element::i64
                  : bytes.size() == 4 ? element::i32
                  : bytes.size() == 2 ? element::i16
                                      : element::i8;
    v.type.is_unsigned = true;
  }
  if (const std::size_t n = bytes.size() / size_of(v.type.kind); n != 1) {
    v.shape = {n};
  }
  v.bytes = std::move(bytes);
  return v;
}

void note_element_type(buffers& known, std::uintptr_t address, const operation_event& e) {
  const machine::tile_type* pointers = nullptr;
  for (unsigned i = 0; i < e.operand_count && pointers == nullptr; ++i) {
    pointers = e.operands[i].type->elem == element::ptr ? e.operands[i].type : nullptr;
  }
  if (pointers != nullptr) {
    known.accessed(address, pointers->pointee, pointers->is_unsigned);
  } else if (const machine::tile_type* elements =
                 e.result != nullptr ? e.result->type
                                     : (e.operand_count != 0 ? e.operands[0].type : nullptr)) {
    known.accessed(address, elements->elem, elements->is_unsigned);
  }
}

protocol::value
message_of(const value& v, const buffers& known, std::size_t most, std::optional<char> format) {
  protocol::value shown{.type = v.type.spelling.empty() ? name(v.type.kind) : v.type.spelling,
                        .kind = element_word(v.type),
                        .shape = v.shape,
                        .count = v.count(),
                        .missing = v.missing};
  if (v.address) {
    shown.address = *v.address;
    shown.place = known.describe(*v.address);
    shown.stride = v.stride;
  }
  if (!v.missing.empty()) {
    return shown;
  }
  if (!v.members.empty()) {
    for (const auto& [member, what] : v.members) {
      shown.members.push_back({member, message_of(what, known, most, format)});
    }
    return shown;
  }
  if (format) {
    shown.texts = formatted_texts(v, *format, most);
  } else if (v.type.kind == element::ptr) {
    shown.texts = pointer_texts(v, known, most);
  } else {
    value here = v;
    const std::size_t there = v.bytes.size() / size_of(v.type.kind);
    if (there < v.count()) {
      here.shape = {there};
    }
    shown.texts = element_texts(here, most);
  }
  apply_marks(shown, v);
  return shown;
}

protocol::operation message_of(const captured_operation& o, const buffers& known) {
  protocol::operation told;
  told.number = o.number;
  told.name = o.name;
  told.spelling = o.spelling;
  for (const captured_operand& one : o.operands) {
    told.operands.push_back({message_of(one.what, known), one.role});
  }
  for (const captured_memory& m : o.memory) {
    told.memory.push_back(message_of(m, known));
  }
  if (o.result) {
    told.result = message_of(*o.result, known);
  }
  if (o.before && o.after) {
    told.before = message_of(*o.before, known);
    told.after = message_of(*o.after, known);
  }
  return told;
}

} // namespace tilesim::sim::step
