// Loaded values that are used in another shape after their block has overwritten where they came
// from: compilers are known that load them again there, behind the store
// [docs/compiler-findings.md].
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"

#include <functional>
#include <memory>

namespace tilesim::sim {

class context;

struct reload {
  const void* load = nullptr;
  const void* store = nullptr;
  const void* use = nullptr;
};

/// Tells each one, once for each of its places.
[[nodiscard]] std::unique_ptr<watcher>
make_reloads(std::function<void(const sim_thread& t, const reload& r)> tell);

/// Tells them as notes.
[[nodiscard]] std::unique_ptr<watcher> make_reload_notes(context& c);

} // namespace tilesim::sim
