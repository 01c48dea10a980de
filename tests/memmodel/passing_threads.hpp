// The threads of a litmus test as an exploration asks for them, of which a test changes what it is
// about.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/litmus.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::memmodel {

class passing_threads : public explore::threads {
public:
  explicit passing_threads(const litmus::test& t)
      : threads_(t, 1) {}

  [[nodiscard]] std::vector<place> places() const override { return threads_.places(); }
  [[nodiscard]] std::uint64_t initial(const byte_range& b) const override {
    return threads_.initial(b);
  }
  [[nodiscard]] std::shared_ptr<const explore::instruction>
  next(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) override {
    return threads_.next(t, values, performed);
  }
  [[nodiscard]] std::optional<explore::written> modified(thread_id t,
                                                         std::span<const std::uint64_t> values,
                                                         std::size_t performed,
                                                         const explore::instruction& i,
                                                         std::size_t element,
                                                         std::uint64_t old) override {
    return threads_.modified(t, values, performed, i, element, old);
  }
  [[nodiscard]] std::vector<std::uint64_t> promises(thread_id t,
                                                    thread_id from,
                                                    const explore::instruction& i,
                                                    const explore::element& e) override {
    return threads_.promises(t, from, i, e);
  }

protected:
  /// A load that waits for a write.
  [[nodiscard]] static std::shared_ptr<const explore::instruction>
  awaiting(const explore::instruction& plain) {
    explore::instruction waits = plain;
    waits.awaits = true;
    return std::make_shared<const explore::instruction>(std::move(waits));
  }

private:
  explore::litmus_threads threads_;
};

} // namespace tilesim::memmodel
