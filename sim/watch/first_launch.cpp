// Looking for the first launch.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/first_launch.hpp"

#include <utility>

namespace tilesim::sim {

namespace {

class first_launch final : public watcher {
public:
  explicit first_launch(std::function<void()> action)
      : action_(std::move(action)) {}

  [[nodiscard]] wanted_events wants() const override { return nothing; }
  void launch_begins(const launch_state& /*l*/) override {
    if (const auto action = std::exchange(action_, nullptr)) {
      action();
    }
  }

private:
  std::function<void()> action_;
};

} // namespace

std::unique_ptr<watcher> make_first_launch(std::function<void()> action) {
  return std::make_unique<first_launch>(std::move(action));
}

} // namespace tilesim::sim
