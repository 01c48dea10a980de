// Variables of shared memory by the descriptions that their declarations left.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/shared_report.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/source_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace tilesim::sim {

namespace {

/// The type in "constexpr const char* name_of_type() [with T = float]", "… [T = float]".
std::string_view type_in(std::string_view signature) {
  const auto at = signature.find("T = ");
  if (at == std::string_view::npos) {
    return "?";
  }
  signature.remove_prefix(at + 4);
  const auto end = signature.find_first_of(";]"); // an array's extents are not in it
  return signature.substr(0, end);
}

std::size_t elements_of(const shared_object& o) {
  return o.declared->element_bytes == 0 ? 0 : o.size / o.declared->element_bytes;
}

std::string whose(const block_memory& m, const shared_object& o) {
  return fmt::format(
      "{} bytes of shared memory of {}, declared at {}", o.size, m.owner, place(o.site));
}

/// How many bytes lie between.
std::size_t distance(const shared_object& o, std::uintptr_t address) {
  return address < o.begin             ? o.begin - address
         : address >= o.begin + o.size ? address - (o.begin + o.size) + 1
                                       : 0;
}

/// The variable that an address lies in, or else the one that is nearest.
const shared_object* nearest(const block_memory& m, std::uintptr_t address) {
  const auto found = std::ranges::min_element(
      m.objects, {}, [&](const shared_object& o) { return distance(o, address); });
  return found == m.objects.end() ? nullptr : &*found;
}

} // namespace

bool shared_accessible(const block_memories& m,
                       const sim_thread* thread,
                       std::uintptr_t address,
                       std::size_t bytes) {
  const block_memory* const r = m.region(address);
  if (r == nullptr || r->block == 0 ||
      (thread != nullptr && (thread->team == nullptr || thread->team->serial != r->block))) {
    return false;
  }
  const shared_object* const o = m.find(address);
  return o != nullptr && o->contains(address, bytes);
}

std::string shared_element_type(const shared_object& o) {
  return std::string(type_in(o.declared->type));
}

std::string shared_type(const shared_object& o) {
  const detail::shared_variable& v = *o.declared;
  std::string text(type_in(v.type));
  for (unsigned i = 0; i < std::min<unsigned>(v.rank, detail::shared_variable::most_extents); ++i) {
    const std::size_t inner = v.rank == 1 ? 1 : std::max<std::size_t>(v.extents[1], 1);
    text +=
        fmt::format("[{}]", i == 0 && v.extents[0] == 0 ? elements_of(o) / inner : v.extents[i]);
  }
  return text;
}

std::string shared_element(const shared_object& o, std::uintptr_t address) {
  const detail::shared_variable& v = *o.declared;
  if (v.rank == 0 || v.element_bytes == 0) {
    return v.name;
  }
  const bool below = address < o.begin;
  const std::uintptr_t by = below ? o.begin - address : address - o.begin;
  const std::size_t element = (by + (below ? v.element_bytes - 1 : 0)) / v.element_bytes;
  std::string text = v.name;
  if (below || v.rank == 1) {
    return text + fmt::format("[{}{}]", below ? "-" : "", element);
  }
  std::size_t rest = element;
  const unsigned rank = std::min<unsigned>(v.rank, detail::shared_variable::most_extents);
  for (unsigned i = 0; i < rank; ++i) {
    std::size_t below_it = 1;
    for (unsigned j = i + 1; j < rank; ++j) {
      below_it *= v.extents[j];
    }
    text += fmt::format("[{}]", rest / below_it);
    rest %= below_it;
  }
  return text;
}

std::string describe_shared_address(const block_memories& m, std::uintptr_t address) {
  const block_memory* const r = m.region(address);
  const shared_object* const o = r == nullptr ? nullptr : nearest(*r, address);
  if (o == nullptr) {
    return fmt::format("address {:#x} of shared memory", address);
  }
  if (!o->contains(address)) {
    return address < o->begin
               ? fmt::format("{} before {}", counted(o->begin - address, "byte"), whose(*r, *o))
               : fmt::format("{} past the end of {} ({})",
                             counted(address - (o->begin + o->size), "byte"),
                             o->declared->name,
                             whose(*r, *o));
  }
  return fmt::format("{} of {}, byte {} of {}",
                     shared_element(*o, address),
                     shared_type(*o),
                     address - o->begin,
                     whose(*r, *o));
}

std::string describe_shared_element(const block_memories& m, std::uintptr_t address) {
  const shared_object* const o = m.find(address);
  return o == nullptr ? "shared memory" : shared_element(*o, address);
}

finding_text explain_shared(const block_memories& m,
                            const sim_thread* thread,
                            const bad_access& access,
                            std::vector<std::string> who) {
  const std::uintptr_t at = access.address;
  const std::string what =
      access.bytes == 0 ? fmt::format("raw {}", name(access.kind))
                        : fmt::format("{} of {}", name(access.kind), counted(access.bytes, "byte"));
  const block_memory* const r = m.region(at);
  const shared_object* const o = r == nullptr ? nullptr : nearest(*r, at);
  if (o == nullptr) {
    return {.kind = finding_kind::wild_pointer,
            .message = fmt::format("{} at an address of shared memory that no variable has", what),
            .details = who,
            .remedy = "correct the pointer arithmetic"};
  }
  if (r->block == 0) {
    who.push_back(fmt::format("it was {} of {}", shared_element(*o, at), whose(*r, *o)));
    return {.kind = finding_kind::use_after_free,
            .message = fmt::format("{} of shared memory of a block that has ended", what),
            .details = who,
            .remedy = "shared memory lives as long as its block: keep no pointer to it"};
  }
  if (thread != nullptr && (thread->team == nullptr || thread->team->serial != r->block)) {
    who.push_back(fmt::format("it is {} of {}", shared_element(*o, at), whose(*r, *o)));
    return {.kind = finding_kind::out_of_bounds,
            .message = fmt::format("{} of another block's shared memory", what),
            .details = who,
            .remedy = "a block can access its own alone: hand values on in device memory"};
  }
  const std::uintptr_t end = o->begin + o->size;
  who.push_back(at < o->begin ? fmt::format("it lies {} before {} ({})",
                                            counted(o->begin - at, "byte"),
                                            o->declared->name,
                                            whose(*r, *o))
                : at < end ? fmt::format("it begins at byte {} and runs {} past the end of {} ({})",
                                         at - o->begin,
                                         counted(at + access.bytes - end, "byte"),
                                         o->declared->name,
                                         whose(*r, *o))
                           : fmt::format("it lies {} past the end of {} ({})",
                                         counted(at - end, "byte"),
                                         o->declared->name,
                                         whose(*r, *o)));
  who.push_back(fmt::format("it is {} of {}", shared_element(*o, at), shared_type(*o)));
  return {.kind = finding_kind::out_of_bounds,
          .message = fmt::format("{} out of bounds of shared memory", what),
          .details = who,
          .remedy = o->dynamic ? "correct the index, or launch with more dynamic shared memory"
                               : "correct the index, or declare more"};
}

} // namespace tilesim::sim
