// assert in kernels: what a program's <cassert> calls when an assertion does not hold.
//
// The C library's function of that name is found here first, since programs link this library
// before it; in host code it is called on.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/standard_error.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace tilesim::sim {
namespace {

/// An assertion as the program wrote it.
struct assertion {
  const char* expression;
  const char* file;
  unsigned line;
  const char* function;
};

std::string text(const machine::index3& i, const char* separator) {
  return fmt::format("[{}{}{}{}{}]", i.x, separator, i.y, separator, i.z);
}

/// What a device prints: of a tile kernel to standard output, where its printf goes, too; of
/// another kernel to standard error.
void print_as_device(const sim_thread& t, const assertion& a) {
  if (t.launch->kind == kernel_kind::simt) {
    print_error("{}:{}: {}: block: {}, thread: {} Assertion `{}` failed.\n",
                a.file,
                a.line,
                a.function,
                text(t.block, ","),
                text(t.thread, ","),
                a.expression);
    return;
  }
  std::error_code error;
  const auto path = std::filesystem::absolute(a.file, error);
  std::printf("%s:%u: tile block: %s, position: []: %s:%u: %s failed\n",
              error ? a.file : path.c_str(),
              a.line,
              text(t.block, ", ").c_str(),
              a.file,
              a.line,
              a.expression);
}

[[noreturn]] void fail_in_kernel(sim_thread& t, const void* site, const assertion& a) {
  const char* error =
      t.launch->kind == kernel_kind::simt ? "cudaErrorAssert" : "cudaErrorLaunchFailure";
  t.owner->found.add(
      site,
      {.kind = finding_kind::assertion_failed,
       .message = fmt::format("assertion failed: {}", a.expression),
       .details = {fmt::format("by {} of {}, which ends here", t.name(), t.launch->kernel.name),
                   fmt::format("the next call that waits for the device returns {}", error)}});
  print_as_device(t, a);
  execution::give_up();
}

using c_library_function = void (*)(const char*, const char*, unsigned, const char*);

} // namespace
} // namespace tilesim::sim

// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library's name
extern "C" TILESIM_EXPORT void __assert_fail(const char* assertion,
                                             const char* file,
                                             unsigned line,
                                             const char* function) noexcept {
  using namespace tilesim::sim;
  if (sim_thread* t = execution::current()) {
    const library_section inside;
    fail_in_kernel(*t, TILESIM_SITE, {assertion, file, line, function});
  }
  if (const auto next = reinterpret_cast<c_library_function>(dlsym(RTLD_NEXT, "__assert_fail"))) {
    next(assertion, file, line, function);
  }
  std::abort();
}
