// Statistics: how many operations of which kind, how many of them approximate, how many bytes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/watch/statistics.hpp"

#include "sim/contract/standard_error.hpp"
#include "sim/ops/opcode_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

class statistics final : public watcher {
public:
  explicit statistics(std::function<std::string()> engine)
      : engine_(std::move(engine)) {}

  void operation(const operation_event& e) override {
    ++counts_[static_cast<std::size_t>(e.op)];
    approximate_[static_cast<std::size_t>(e.op)] += e.accuracy().approximate() ? 1U : 0U;
    by_order_[static_cast<std::size_t>(e.op)] += e.depends_on_order() ? 1U : 0U;
  }

  void memory(const memory_event& e) override {
    const std::uint64_t active =
        e.mask == nullptr ? e.count
                          : static_cast<std::uint64_t>(std::count_if(
                                e.mask, e.mask + e.count, [](std::uint8_t m) { return m != 0; }));
    read_ += e.reads ? active * e.bytes : 0;
    written_ += e.writes ? active * e.bytes : 0;
  }

  void run_ends(run_end how, int /*status*/) override {
    if (how != run_end::ended) {
      return;
    }
    std::vector<std::size_t> order(counts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return counts_[a] > counts_[b];
    });
    print_error("statistics: {} tile operations, {} bytes read, {} bytes written\n",
                std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}),
                read_,
                written_);
    if (const std::string more = engine_(); !more.empty()) {
      print_error("  {}\n", more);
    }
    for (const std::size_t i : order) {
      if (counts_[i] != 0) {
        print_error("  {:>12}  {}{}{}\n",
                    counts_[i],
                    opcode_name(static_cast<machine::opcode>(i)),
                    remark(approximate_[i], "approximate"),
                    remark(by_order_[i], "dependent on the order"));
      }
    }
  }

private:
  static std::string remark(std::uint64_t count, const char* what) {
    return count == 0 ? "" : fmt::format(", {} of them {}", count, what);
  }
  std::function<std::string()> engine_;
  std::array<std::uint64_t, opcode_count> counts_{};
  std::array<std::uint64_t, opcode_count> approximate_{};
  std::array<std::uint64_t, opcode_count> by_order_{};
  std::uint64_t read_ = 0;
  std::uint64_t written_ = 0;
};

} // namespace

std::unique_ptr<watcher> make_statistics(std::function<std::string()> engine) {
  return std::make_unique<statistics>(std::move(engine));
}

} // namespace tilesim::sim
