// Parts of an exploration on a Dask cluster: the process that hands them on, and the command that a
// worker explores one with. [api/python/tilesim/_cluster.py]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/exploration.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/files.hpp"

#include <memory>
#include <string>

namespace tilesim::tools {

/// Hands parts on, as long as it is there.
class part_bridge {
public:
  /// `program`, `order`: what workers are to run, and how.
  /// @throws failure: there is no cluster, or no package for it
  part_bridge(const std::string& address,
              const run_request& program,
              const sim::exploration_order& order);
  ~part_bridge();
  part_bridge(const part_bridge&) = delete;
  part_bridge& operator=(const part_bridge&) = delete;

  /// The socket that it listens at.
  [[nodiscard]] const std::string& socket() const noexcept { return socket_; }

private:
  temporary_folder folder_; ///< the socket's
  std::string socket_;
  int input_ = -1; ///< of the process: it ends with that
  int process_ = -1;
};

/// A worker's part, as a file tells it.
int explore_task(const std::string& file);

} // namespace tilesim::tools
