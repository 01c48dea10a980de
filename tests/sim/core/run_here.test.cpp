// Runs in this process: whatever ends one, the next begins with a clean context, and the thread
// stands where it stood.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/run_here.hpp"

#include "sim/core/ends.hpp"
#include "sim/core/floating_modes.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/memory/judging.hpp"
#include "sim/process/sections.hpp"

#include <array>
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <support/catch.hpp>
#include <tests/sim/kernel_fixture.hpp>
#include <thread>
#include <unistd.h>

using namespace tilesim;
using namespace tilesim::sim;

namespace {

options quiet_checks() {
  options o;
  o.races = true;
  o.quiet = true;
  return o;
}

/// What is the same before and after a run, whatever ended it.
struct outside_of_runs {
  context* current = context::existing();
  unsigned sections = current_sections();
  unsigned reasons = judging::reasons;
  unsigned device_allocations = judging::device_allocations;
  const waiting_host* waits = waiting_host::current();
  int uncaught = std::uncaught_exceptions();
  std::exception_ptr handled = std::current_exception();
  struct sigaction segv = action_of(SIGSEGV);
  struct sigaction abort = action_of(SIGABRT);
  struct sigaction fpe = action_of(SIGFPE);
  sigset_t mask = mask_now();
  floating_modes modes = current_floating_modes();

  [[nodiscard]] static struct sigaction action_of(int signal) {
    struct sigaction now {};
    sigaction(signal, nullptr, &now);
    return now;
  }
  [[nodiscard]] static sigset_t mask_now() {
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    return now;
  }
};

void check_nothing_left(const outside_of_runs& before) {
  const outside_of_runs now;
  CHECK(now.current == before.current);
  CHECK(now.sections == before.sections);
  CHECK(now.reasons == before.reasons);
  CHECK(now.device_allocations == before.device_allocations);
  CHECK(now.waits == before.waits);
  CHECK(now.uncaught == before.uncaught);
  CHECK(now.handled == before.handled);
  CHECK(now.segv.sa_sigaction == before.segv.sa_sigaction);
  CHECK(now.abort.sa_sigaction == before.abort.sa_sigaction);
  CHECK(now.fpe.sa_sigaction == before.fpe.sa_sigaction);
  for (int signal = 1; signal < NSIG; ++signal) {
    CHECK(sigismember(&now.mask, signal) == sigismember(&before.mask, signal));
  }
  CHECK(now.modes == before.modes);
  CHECK(execution::current() == nullptr);
}

/// Runs a kernel of two blocks: each stores its number; gives their sum.
int small_program() {
  int* p = nullptr;
  cudaMalloc(&p, 2 * sizeof(int));
  context& c = context::current();
  c.current_work.number = 1; // as the runtime's streams would
  const launch_id id = submit(c, dim3(2), dim3(1), kernel_kind::tile, [p] {
    const int block = static_cast<int>(machine::get_tile_block_id().x);
    store(p + block, block + 1);
  });
  c.exec->finish(id);
  int got[2] = {};
  cudaMemcpy(got, p, sizeof got, cudaMemcpyDeviceToHost);
  cudaFree(p);
  return got[0] + got[1];
}

/// Code that ends in some way, and what the run's outcome then is.
struct ending {
  const char* what;
  std::function<int()> body;
  run_end how;
  int status;
  int signal = 0;
  const char* finding = nullptr;
};

/// As plain integers of a kernel do.
[[maybe_unused]] __attribute__((no_sanitize("undefined"))) void divide_by_zero() {
  volatile int zero = 0;
  volatile int result = 10 / zero;
  static_cast<void>(result);
}

template <class Kernel>
void run_kernel(Kernel kernel) {
  context& c = context::current();
  run_block(c, std::move(kernel));
}

// One function in spite of its length: a table.
const std::vector<ending>& endings() {
  static const std::vector<ending> all{
      {"it returns", [] { return 3; }, run_end::ended, 3},
      {"exit",
       [] {
         std::exit(4);
         return 0;
       },
       run_end::ended,
       4},
      {"_exit",
       [] {
         _exit(5);
         return 0;
       },
       run_end::ended,
       5},
      {"quick_exit",
       [] {
         std::quick_exit(6);
         return 0;
       },
       run_end::ended,
       6},
      {"it exits while it rounds in its own way",
       [] {
         std::fesetround(FE_UPWARD);
         std::exit(4);
         return 0;
       },
       run_end::ended,
       4},
      {"abort",
       [] {
         std::abort();
         return 0;
       },
       run_end::ended,
       134,
       SIGABRT},
      {"terminate while an exception is handled",
       [] {
         try {
           throw std::runtime_error("handled");
         } catch (...) {
           std::terminate();
         }
         return 0;
       },
       run_end::ended,
       134,
       SIGABRT},
      {"a finding of host code that stops",
       [] {
         context::current().found.stop(nullptr, {.kind = finding_kind::limit, .message = "stop"});
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "limit"},
      {"host code reads device memory",
       [] {
         int* p = nullptr;
         cudaMalloc(&p, sizeof(int));
         return *static_cast<volatile int*>(p);
       },
       run_end::stopped,
       101,
       0,
       "host-access"},
      {"host code reads device memory, with variables around it",
       [] {
         const std::array<std::string, 64> variables{"a"};
         int* p = nullptr;
         cudaMalloc(&p, sizeof(int));
         return *static_cast<volatile int*>(p) + static_cast<int>(variables[63].size());
       },
       run_end::stopped,
       101,
       0,
       "host-access"},
      {"a kernel loads from nowhere",
       [] {
         run_kernel([] { static_cast<void>(load(nullptr)); });
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "null-pointer"},
      {"a kernel's own access faults",
       [] {
         run_kernel([] {
           volatile int* volatile p = reinterpret_cast<int*>(64);
           *p = 1;
         });
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "null-pointer"},
#ifndef __aarch64__ // there it gives 0, and no signal
      {"a kernel divides by zero",
       [] {
         run_kernel(divide_by_zero);
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "crash"},
#endif
      {"a kernel aborts",
       [] {
         run_kernel([] { std::abort(); });
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "crash"},
      {"blocks that poll for ever", // without hooks nobody knows that nothing else changes
       [] {
         context& c = context::current();
         auto* p = static_cast<int*>(c.mem.allocate(memory_kind::managed, sizeof(int), nullptr));
         c.exec->finish(submit(c, dim3(3), dim3(1), kernel_kind::tile, [p] {
           while (load(p) == 0) {
           }
         }));
         return 0;
       },
       run_end::stopped,
       101,
       0,
       "limit"},
  };
  return all;
}

/// Where frames lay that were left.
[[gnu::noinline]] void write_down_the_stack() {
  std::array<char, 65536> whole;
  std::memset(whole.data(), 1, whole.size());
  asm volatile("" : : "r"(whole.data()) : "memory");
}

long resident_kib() {
  std::ifstream statm("/proc/self/statm");
  long size = 0;
  long resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE) / 1024;
}

} // namespace

TEST_CASE("whatever ends a run in this process, the next one finds everything as it was") {
  for (const ending& e : endings()) {
    DYNAMIC_SECTION(e.what) {
      const int rounded = std::fegetround();
      std::fesetround(FE_DOWNWARD); // handlers of signals begin with other modes
      const outside_of_runs before;
      for (int i = 0; i < 3; ++i) {
        context c(quiet_checks());
        const run_outcome got = runs_here().run(c, e.body);
        CHECK(got.how == e.how);
        CHECK(got.status == e.status);
        CHECK(got.signal == e.signal);
        REQUIRE(c.found.all().findings.size() == (e.finding != nullptr ? 1U : 0U));
        if (e.finding != nullptr) {
          CHECK(code(c.found.all().findings[0].kind) == std::string(e.finding));
        }
      }
      write_down_the_stack();
      check_nothing_left(before);
      std::fesetround(rounded);
      context c(quiet_checks());
      CHECK(runs_here().run(c, small_program).status == 3);
      CHECK(c.found.all().findings.empty());
    }
  }
}

TEST_CASE("Ctrl-C while a kernel runs ends the run in this process") {
  struct sigaction before {};
  struct sigaction none {};
  none.sa_handler = SIG_DFL; // a program that handles it itself keeps doing so: Catch2, say
  sigaction(SIGINT, &none, &before);
  const outside_of_runs outside;
  for (int i = 0; i < 2; ++i) {
    context c(quiet_checks());
    const run_outcome got = runs_here().run(c, [] {
      auto* p = static_cast<int*>(
          context::current().mem.allocate(memory_kind::managed, sizeof(int), nullptr));
      run_kernel([p] {
        raise(SIGINT);
        for (int n = 0;; ++n) {
          store(p, n);
        }
      });
      return 0;
    });
    CHECK(got.how == run_end::interrupted);
    CHECK(got.status == 130);
  }
  check_nothing_left(outside);
  struct sigaction now {};
  sigaction(SIGINT, &before, &now);
  CHECK(now.sa_handler == SIG_DFL);
}

TEST_CASE("an exception that leaves a run goes on to the caller") {
  const outside_of_runs before;
  context c(quiet_checks());
  CHECK_THROWS_AS(runs_here().run(c, []() -> int { throw std::runtime_error("of the body"); }),
                  std::runtime_error);
  check_nothing_left(before);
}

TEST_CASE("a run within a run has a context of its own, and its end is not the outer one's") {
  context outer(quiet_checks());
  const run_outcome got = runs_here().run(outer, [&] {
    context inner(quiet_checks());
    const run_outcome of_inner = runs_here().run(inner, []() -> int { std::exit(7); });
    CHECK(of_inner.status == 7);
    CHECK(context::existing() == &outer);
    return small_program();
  });
  CHECK(got.status == 3);
}

TEST_CASE("very many runs in one process neither leak nor slow down") {
  runs_here series;
  const auto run = [&series](int times) {
    for (int i = 0; i < times; ++i) {
      context c(quiet_checks());
      if (series.run(c, small_program).status != 3) {
        FAIL("a run has failed");
      }
    }
  };
  run(200);
  const long before = resident_kib();
  run(2000);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  SUCCEED(before); // a sanitizer keeps freed memory for a while
#else
  CHECK(resident_kib() - before < 1024);
#endif
}
