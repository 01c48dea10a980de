// How much of what there is to explore has been: an estimate that takes what is to be chosen from
// at each step for equally large.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace tilesim::memmodel::explore {

/// While one lives, what is visited is one of several parts of what is left.
class part_of_all {
public:
  part_of_all(double& weight, double& covered, std::size_t parts)
      : weight_(weight)
      , covered_(covered)
      , whole_(weight)
      , before_(covered)
      , each_(weight / static_cast<double>(std::max(parts, std::size_t{1}))) {
    weight_ = each_;
  }
  ~part_of_all() { weight_ = whole_; }
  part_of_all(const part_of_all&) = delete;
  part_of_all& operator=(const part_of_all&) = delete;

  void one_done() const { covered_ = before_ + each_ * ++done_; }
  /// The ones before are done.
  void one_begun() const { covered_ = before_ + each_ * begun_++; }

private:
  double& weight_;
  double& covered_;
  double whole_;
  double before_;
  double each_;
  mutable double done_ = 0;
  mutable double begun_ = 0;
};

} // namespace tilesim::memmodel::explore
