// Hashing copies to the host.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/host_copy_hashes.hpp"

namespace tilesim::sim {

namespace {

class host_copy_hashes final : public watcher {
public:
  explicit host_copy_hashes(host_copies& to)
      : to_(to) {}

  [[nodiscard]] wanted_events wants() const override { return nothing; }
  void copied(const copy_event& e) override {
    if (!e.to_host) {
      return;
    }
    to_.begin(e.by, e.site);
    e.each_row([&](const unsigned char* to, const unsigned char* /*from*/) {
      to_.add({to, e.width});
    });
  }

private:
  host_copies& to_;
};

} // namespace

std::unique_ptr<watcher> make_host_copy_hashes(host_copies& to) {
  return std::make_unique<host_copy_hashes>(to);
}

} // namespace tilesim::sim
