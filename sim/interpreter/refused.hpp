// What an interpreter of Tile IR does not run.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tilesim::interpreter {

/// What cannot run, and where it stands in the source.
class refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace tilesim::interpreter
