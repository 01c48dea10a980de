// A simulator of its own for each test, and the findings that a call adds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"

#include <cuda_runtime.h>
#include <ostream>
#include <string>
#include <support/catch.hpp>
#include <vector>

inline std::ostream& operator<<(std::ostream& out, cudaError e) {
  return out << cudaGetErrorName(e);
}

/// What a right or wrong call gives: the error, and a word of the finding's message ("" for none).
struct outcome {
  cudaError_t error = cudaSuccess;
  std::string finding = {};
};

/// Checks one call: its error, and that it adds one finding with that word, or none.
template <class Call>
void expect(const outcome& want, Call&& call) {
  tilesim::sim::findings& found = tilesim::sim::context::current().found;
  found = {}; // findings are grouped by place: rows of a table share theirs
  CHECK(call() == want.error);
  const auto& all = found.all().findings;
  REQUIRE(all.size() == (want.finding.empty() ? 0U : 1U));
  if (!want.finding.empty()) {
    CAPTURE(all[0].message, want.finding);
    CHECK(all[0].message.find(want.finding) != std::string::npos);
  }
  found = {};
  (void)cudaGetLastError();
}

/// A launch of a kernel whose body the tool has not seen: what the tool makes of one, by hand.
template <class Call>
struct launcher {
  ::tilesim::detail::launch_config config;
  ::tilesim::kernel_kind kind;
  const char* name;
  Call call;

  template <class... Args>
  TILESIM_API void operator()(Args... args) const {
    auto bound = ::tilesim::detail::bind_closure([call = call, args...] { call(args...); });
    bound.name = name;
    ::tilesim::detail::enqueue(config, kind, bound);
  }
};
template <class Call>
launcher<Call> launch(const ::tilesim::detail::launch_config& config,
                      ::tilesim::kernel_kind kind,
                      const char* name,
                      Call call) {
  return {config, kind, name, call};
}
#define LAUNCH(kind, kernel, ...)                                                                  \
  launch(::tilesim::detail::configure(__VA_ARGS__),                                                \
         ::tilesim::kernel_kind::kind,                                                             \
         #kernel,                                                                                  \
         [=](auto... a) { kernel(a...); })
