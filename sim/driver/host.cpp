// What the host program tells besides the driver's calls. Called by api/python through ctypes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/host.hpp"

#include "sim/core/context.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/process/sections.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <sys/mman.h>
#include <tuple>

namespace tilesim::driver_stand_in {
namespace {

/// Lines of host programs, as places: an address each, of a range that nobody may read.
class host_lines final : public sim::place_resolver {
public:
  host_lines()
      : begin_(static_cast<std::byte*>(
            mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)))
      , places_(begin_, most, *this) {}
  ~host_lines() = default;

  const void* place(const char* file, unsigned line, const char* function) {
    const auto [at, is_new] = numbers_.try_emplace({file, line, function}, known_.size());
    if (is_new) {
      if (known_.size() == most) {
        return nullptr;
      }
      known_.push_back({.file = file, .line = line, .column = 0, .function = function});
    }
    return begin_ + at->second;
  }

  [[nodiscard]] std::vector<source_frame> frames(const void* place) const override {
    const auto i = static_cast<std::size_t>(static_cast<const std::byte*>(place) - begin_);
    return i < known_.size() ? std::vector{known_[i]} : std::vector<source_frame>{};
  }

private:
  static constexpr std::size_t most = std::size_t{1} << 20U;

  std::byte* begin_;
  std::deque<source_frame> known_;
  std::map<std::tuple<std::string, unsigned, std::string>, std::size_t> numbers_;
  sim::registered_places places_;
};

host_lines& lines() {
  static auto& all = *new host_lines; // until the last report
  return all;
}

thread_local const void* standing = nullptr;

} // namespace

const void* launch_site() noexcept {
  return standing;
}

} // namespace tilesim::driver_stand_in

extern "C" {

/// The host program is about to launch, there.
TILESIM_EXPORT void tilesim_host_at(const char* file, unsigned line, const char* function) {
  using namespace tilesim;
  const sim::library_section inside;
  driver_stand_in::standing = driver_stand_in::lines().place(file, line, function);
}

/// Kernels may use these bytes from now on. 0: they overlap others, of which some may be wanted.
TILESIM_EXPORT int tilesim_host_lends(void* address, std::size_t bytes) {
  using namespace tilesim;
  const sim::library_section inside;
  return sim::context::current().mem.register_range(address, bytes, driver_stand_in::standing) ? 1
                                                                                               : 0;
}

/// The end of that.
TILESIM_EXPORT void tilesim_host_takes_back(void* address) {
  using namespace tilesim;
  const sim::library_section inside;
  sim::context::current().mem.release(address, driver_stand_in::standing);
}
}
