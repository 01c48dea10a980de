// Recorded kernels with arrays of a run of their own.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/interpreter/launch.hpp"
#include "tests/tileir/recorded_file.hpp"

#include <cstring>
#include <deque>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace tilesim::test {

/// The number of the line of kernels.py that has this text, once.
inline unsigned line_of(const std::string& text) {
  std::ifstream in(tileir_folder / "kernels.py");
  unsigned found = 0;
  std::string line;
  for (unsigned n = 1; std::getline(in, line); ++n) {
    if (line.find(text) != std::string::npos) {
      REQUIRE(found == 0);
      found = n;
    }
  }
  REQUIRE(found != 0);
  return found;
}

/// The lines of kernels.py that a finding is about.
inline std::set<unsigned> lines_of(const finding& f) {
  std::set<unsigned> lines;
  for (const auto& frames : {f.where, f.other}) {
    if (!frames.empty()) {
      CHECK(frames.front().file == "tests/tileir/kernels.py");
      lines.insert(frames.front().line);
    }
  }
  return lines;
}

class device {
public:
  explicit device(sim::options o = {}, bool loud = false)
      : context_(std::move(o)) {
    context_.found.quiet = !loud;
  }

  template <class T>
  T* array(const std::vector<T>& values) {
    auto* const p = static_cast<T*>(
        context_.mem.allocate(sim::memory_kind::managed, values.size() * sizeof(T), nullptr));
    std::memcpy(static_cast<void*>(p), values.data(), values.size() * sizeof(T));
    return p;
  }

  // A launch's parameters, in order.
  template <class T>
  device& scalar(T value) {
    std::memcpy(&parameters_.emplace_back(), &value, sizeof value);
    return *this;
  }
  /// As cuTile passes one: pointer, extents, strides in elements.
  device& tensor(const void* p, const std::vector<int>& extents) {
    scalar(p);
    for (const int e : extents) {
      scalar(e);
    }
    for (std::size_t d = 0; d < extents.size(); ++d) {
      int stride = 1;
      for (std::size_t k = d + 1; k < extents.size(); ++k) {
        stride *= extents[k];
      }
      scalar(stride);
    }
    return *this;
  }

  /// Runs the recorded file's entry (its first, or the one whose name has that in it).
  void run(const std::string& name, dim3 grid, const std::string& entry = "") {
    interpreter::program& p = interpreter::load(recorded(name));
    const tileir::entry* found = nullptr;
    for (const tileir::entry& e : p.module().entries) {
      if (found == nullptr && e.name.find(entry) != std::string::npos) {
        found = &e;
      }
    }
    REQUIRE(found != nullptr);
    REQUIRE(found->body.arguments.size() == parameters_.size());
    std::vector<const void*> pointers;
    for (const std::uint64_t& value : parameters_) {
      pointers.push_back(&value);
    }
    interpreter::show_globals(p, context_);
    const auto id = context_.exec->submit({grid, dim3(1), 0, nullptr},
                                          kernel_kind::tile,
                                          interpreter::bind(p, *found, pointers.data()),
                                          nullptr);
    context_.exec->finish(id);
    parameters_.clear();
  }

  [[nodiscard]] const std::vector<finding>& findings() const {
    return context_.found.all().findings;
  }

private:
  sim::context context_;
  std::deque<std::uint64_t> parameters_;
};

} // namespace tilesim::test
