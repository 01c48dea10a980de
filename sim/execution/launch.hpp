// The launch's way through the simulator.
//
//   kernel<<<g, b>>>(args)            the user's source, rewritten by the tool
//   tilesim::detail::launching        api/tilesim/launch.hpp: the configuration; then the kernel is
//                                     called, and its body begins by binding its parameters
//   tilesim::detail::bind_launch(…)   sim/runtime/: checks the configuration as CUDA would, orders
//   the
//                                     launch in its stream, reports what CUDA would report
//   execution::submit(), run()        sim/core/execution.hpp: blocks, fibers, scheduler
//
// sim/runtime defines bind_launch(): a tile kernel with more than one thread per block, an empty or
// too large grid, a bad stream and the like become CUDA's error and a finding; everything else is
// submitted and run eagerly, unless its stream holds work that waits (execution::done() tells).
// A synchronising call submits what is queued and calls execution::finish().
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"

#include <tilesim/launch.hpp>
