// Buffers and bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/formats.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/expressions/element_word.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/step/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace tilesim::sim::step {

protocol::buffer_list requests::buffer_list(const protocol::buffers& /*request*/) const {
  protocol::buffer_list list;
  for (const buffer* b : run_.known.all()) {
    list.buffers.push_back({.name = b->name,
                            .address = b->memory->begin,
                            .bytes = b->memory->size,
                            .count = b->count(),
                            .type = b->element ? element_word(*b->element) : "",
                            .kind = sim::name(b->memory->kind),
                            .live = b->memory->live,
                            .place = place_and_helper(b->memory->site)});
  }
  return list;
}

namespace {

/// Each whole unit of bytes in the form that a letter names.
std::vector<std::string>
texts_of_units(const std::vector<std::uint8_t>& bytes, std::size_t unit, char format) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
    texts.push_back(formatted(std::span(bytes).subspan(at, unit), format));
  }
  return texts;
}

/// Where memory is looked at that a value leads to.
std::uintptr_t address_in(const value& v) {
  std::uintptr_t address = 0;
  if (v.shape.empty() && !v.bytes.empty() &&
      (v.type.kind == element::ptr || (!v.address && is_integer(v.type.kind)))) {
    std::memcpy(&address, v.bytes.data(), std::min(v.bytes.size(), sizeof address));
    return address;
  }
  if (!v.address) {
    refuse("that is no place in memory: a pointer, a buffer or a variable is wanted");
  }
  return *v.address;
}

} // namespace

protocol::memory_piece requests::memory_bytes(const protocol::memory& request) {
  names_.use_frame(request.frame);
  const value v = expression(request.expression).evaluate(names_);
  if (!v.missing.empty()) {
    throw expression_error(fmt::format("{} is {}", request.expression, v.missing), 0);
  }
  protocol::memory_piece piece;
  piece.address = address_in(v);
  for (std::size_t i = 0; i < request.bytes; ++i) {
    std::uint8_t cell = 0;
    if (!names_.read(piece.address + i, 1, &cell)) {
      break;
    }
    if (run_.written.first_unwritten(piece.address + i, 1)) {
      piece.unwritten.push_back(i);
    }
    piece.bytes.push_back(cell);
  }
  if (piece.bytes.empty()) {
    refuse(fmt::format("the program has no memory at {:#x}", piece.address));
  }
  if (!request.format.empty() && request.unit != 0) {
    piece.texts = texts_of_units(piece.bytes, request.unit, request.format.front());
  }
  return piece;
}

} // namespace tilesim::sim::step
