// Which variables hold a pointer: of the host's frames, and outside of functions.
//
// A variable is told as a person writes it: "bins", "parts[3]", "model.weights", "views->data".
// What a class holds as its only pointer goes by the object's name: of `dbuf<float> x` whose member
// is `float* p`, "x".
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/pointed_element.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim::step {

struct holder {
  std::string name;
  std::uintptr_t pointer = 0; ///< that it holds
  pointed_element element;
  std::uintptr_t frame = 0;    ///< its frame's canonical address; 0: a variable that is in none
  std::uintptr_t function = 0; ///< whose frame it is: another's may have stood there before
  std::size_t depth = 0;       ///< of the frame: 0 is the innermost
  bool parameter = false;
};

/// All holders of pointers for which `wanted` is true; the frames' own, outermost frame first, then
/// the program's. Where one name would stand for two pointers of a frame it is left out.
[[nodiscard]] std::vector<holder>
pointer_holders(std::span<const host_frame> frames,
                const std::function<bool(std::uintptr_t)>& wanted);

/// The variable whose part is at the address that an allocating call filled.
struct owner {
  std::string name;      ///< empty: only that it is there is known
  std::size_t frame = 0; ///< among all frames of the chain, those of inlined functions counted
  std::uintptr_t cfa = 0;
  std::uintptr_t function = 0; ///< whose frame that is
  pointed_element element;
  /// A function's own, which returns it, or a constructor's: the name says nothing outside.
  bool handed_on = false;
};
[[nodiscard]] std::optional<owner> owner_of(const allocating_call& call);

} // namespace tilesim::sim::step
