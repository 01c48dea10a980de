// Host code that waits for kernels without a call of the runtime.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

/// What has been launched goes on, as on a device it would be running: host code polls at `site`.
void let_work_go_on(const void* site);

} // namespace tilesim::sim
