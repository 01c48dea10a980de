// Keeping an operation, and sending it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/capture.hpp"

#include "sim/opcode_name.hpp"
#include "sim/step/expression.hpp"
#include "sim/thread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tilesim::sim::step {

namespace {

nlohmann::json pointer_texts(const value& v, const buffers& known, std::size_t most) {
  nlohmann::json texts = nlohmann::json::array();
  for (std::size_t i = 0; i < std::min(most, v.bytes.size() / sizeof(std::uintptr_t)); ++i) {
    std::uintptr_t address = 0;
    std::memcpy(&address, v.bytes.data() + (i * sizeof address), sizeof address);
    texts.push_back(address == 0                        ? "nullptr"
                    : known.holding(address) != nullptr ? "&" + known.describe(address)
                                                        : fmt::format("{:#x}", address));
  }
  return texts;
}

nlohmann::json to_json(const captured_memory& m, const buffers& known) {
  nlohmann::json places = nlohmann::json::array();
  nlohmann::json sources = nlohmann::json::array();
  for (std::size_t i = 0; i < m.addresses.size(); ++i) {
    const bool active = m.active.empty() || m.active[i] != 0;
    places.push_back(active ? nlohmann::json(known.describe(m.addresses[i])) : nullptr);
    if (m.reads) {
      sources.push_back(active ? nlohmann::json(m.sources[i]) : nullptr);
    }
  }
  nlohmann::json j = {{"reads", m.reads},
                      {"writes", m.writes},
                      {"order", sim::name(m.order)},
                      {"bytes", m.bytes},
                      {"places", std::move(places)}};
  if (m.strong) {
    j["scope"] = sim::name(m.scope);
  }
  if (m.reads) {
    j["sources"] = std::move(sources);
  }
  return j;
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

captured_memory capture(const memory_event& e, const last_writers& writers) {
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
    }
  }
  return m;
}

void capture(captured_operation& into, const operation_event& e) {
  // "atomic_add" says more than atomic_rmw_tko.
  into.name = e.thread->next_operation;
  const machine::source_form* written = e.modes != nullptr    ? &e.modes->written
                                        : e.access != nullptr ? &e.access->written
                                                              : nullptr;
  if (written != nullptr && written->spelling != nullptr) {
    into.spelling = written->spelling;
  }
  for (unsigned i = 0; i < e.operand_count; ++i) {
    into.operands.push_back(capture(*e.operands[i].type, e.operands[i].data));
  }
  if (e.result != nullptr) {
    into.result = capture(*e.result->type, e.result->data);
  }
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

nlohmann::json to_json(const value& v, const buffers& known, std::size_t most) {
  nlohmann::json j = {{"type", v.type.spelling.empty() ? name(v.type.kind) : v.type.spelling},
                      {"kind", name(v.type.kind)},
                      {"shape", v.shape},
                      {"count", v.count()}};
  if (v.address) {
    j["address"] = *v.address;
    j["place"] = known.describe(*v.address);
  }
  if (!v.missing.empty()) {
    j["missing"] = v.missing;
  } else if (!v.members.empty()) {
    nlohmann::json members = nlohmann::json::array();
    for (const auto& [member, what] : v.members) {
      members.push_back({{"name", member}, {"value", to_json(what, known, most)}});
    }
    j["members"] = std::move(members);
  } else if (v.type.kind == element::ptr) {
    j["texts"] = pointer_texts(v, known, most);
  } else {
    value shown = v;
    const std::size_t here = v.bytes.size() / size_of(v.type.kind);
    if (here < v.count()) {
      shown.shape = {here};
    }
    j["texts"] = element_texts(shown, most);
  }
  return j;
}

nlohmann::json to_json(const captured_operation& o, const buffers& known) {
  nlohmann::json operands = nlohmann::json::array();
  for (const value& v : o.operands) {
    operands.push_back(to_json(v, known));
  }
  nlohmann::json memory = nlohmann::json::array();
  for (const captured_memory& m : o.memory) {
    memory.push_back(to_json(m, known));
  }
  nlohmann::json j = {{"number", o.number},
                      {"operation", o.name},
                      {"spelling", o.spelling},
                      {"operands", std::move(operands)},
                      {"memory", std::move(memory)}};
  if (o.result) {
    j["result"] = to_json(*o.result, known);
  }
  return j;
}

} // namespace tilesim::sim::step
