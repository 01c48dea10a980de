// Signal handlers of the program's that arrive while kernels run: what they access is not the tile block's.
//
// Each block of `work` updates an element of its own a few thousand times, and with -DRACY one that all share. A timer's
// handler writes to all of them meanwhile. The first argument says how the handler is installed.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>
#include <sys/time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // sigset
extern "C" void (*bsd_signal(int, void (*)(int)))(int);
extern "C" void (*__sysv_signal(int, void (*)(int)))(int);

namespace {

constexpr int blocks = 4;
int* values = nullptr; // managed: one a block
volatile std::sig_atomic_t arrivals = 0;

__tile_global__ void work(int* own, int* shared, int times, int raised) {
  int* const p = own + cuda::tiles::bid().x;
  for (int i = 0; i < times; ++i) {
    *p += 1;
    asm volatile("" ::: "memory"); // each time
    if (raised != 0 && i == times / 2 && cuda::tiles::bid().x == 1)
      raise(raised);
    if (shared != nullptr && i + 1 == times)
      *shared += 1; // @race
  }
}

void touch() {
  for (int i = 0; i < blocks; ++i)
    values[i] += 0; // others' elements: as the block's, a race
  arrivals = arrivals + 1;
}

void plain(int) {
  touch();
}

void with_details(int number, siginfo_t* info, void* context) {
  if (number != SIGALRM || info->si_signo != SIGALRM || context == nullptr)
    std::abort();
  touch();
}

sigjmp_buf back;

void jumps_within(int) {
  if (volatile int twice = 0; sigsetjmp(back, 0) == 0)
    siglongjmp(back, 1);
  else if (twice == 0)
    touch();
}

void jumps_out(int) {
  touch();
  siglongjmp(back, 1); // @out
}

void throws(int number) {
  touch();
  throw number;
}

volatile bool left = false;

/// Takes longer than a turn without operations: no other block is to run meanwhile.
void takes_its_time(int) {
  const volatile int& who = values[blocks];
  const int interrupted = who;
  for (int i = 0; i < 30'000'000; ++i) {
    if (who != interrupted)
      left = true;
  }
  arrivals = arrivals + 1;
}

__tile_global__ void spin(volatile int* who) {
  const int self = cuda::tiles::bid().x;
  for (int i = 0; i < 200'000'000; ++i)
    *who = self;
}

void leaves(int) {
  touch();
  _exit(arrivals == 1 ? 0 : 9);
}

void check(bool holds, int line) {
  if (!holds) {
    std::printf("signals.cu:%d: does not hold\n", line);
    std::exit(9);
  }
}
#define CHECK(...) check((__VA_ARGS__), __LINE__)

/// Kernels until the handler has come in some of them.
void kernels() {
  const auto begun = std::time(nullptr);
  while (arrivals < 5 && std::time(nullptr) - begun < 60) {
    work<<<blocks, 1>>>(values, nullptr, 2000, 0);
    cudaDeviceSynchronize();
  }
}

void every(int milliseconds) {
  const itimerval time{{0, milliseconds * 1000}, {0, milliseconds * 1000}};
  setitimer(ITIMER_REAL, &time, nullptr);
}

void no_more() {
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
}

/// Who asks for a handler gets the program's own, by whatever function it has been installed.
void handlers_come_back() {
  struct sigaction now {};
  struct sigaction before {};
  CHECK(signal(SIGUSR1, plain) == SIG_DFL);
  CHECK(signal(SIGUSR1, jumps_out) == plain);
  CHECK(bsd_signal(SIGUSR1, SIG_IGN) == jumps_out);
  CHECK(__sysv_signal(SIGUSR1, plain) == SIG_IGN);
  CHECK(sigset(SIGUSR1, plain) == plain);
  CHECK(sigset(SIGUSR1, SIG_HOLD) == plain);
  CHECK(sigset(SIGUSR1, jumps_out) == SIG_HOLD);
  now.sa_sigaction = with_details;
  now.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESETHAND;
  sigaddset(&now.sa_mask, SIGUSR2);
  CHECK(sigaction(SIGUSR1, &now, &before) == 0 && before.sa_handler == jumps_out);
  CHECK(sigaction(SIGUSR1, nullptr, &before) == 0 && before.sa_sigaction == with_details);
  CHECK((before.sa_flags & (SA_SIGINFO | SA_NODEFER | SA_RESETHAND)) == now.sa_flags);
  CHECK(sigismember(&before.sa_mask, SIGUSR2) == 1 && sigismember(&before.sa_mask, SIGHUP) == 0);
  CHECK(sigaction(SIGUSR1, &before, nullptr) == 0);
  CHECK(signal(SIGUSR1, SIG_DFL) == reinterpret_cast<void (*)(int)>(with_details));
  CHECK(signal(SIGUSR1, plain) == SIG_DFL);
  raise(SIGUSR1);
  CHECK(arrivals == 1);
  now.sa_flags = SA_RESETHAND;
  now.sa_handler = plain;
  CHECK(sigaction(SIGUSR1, &now, nullptr) == 0);
  raise(SIGUSR1);
  CHECK(sigaction(SIGUSR1, nullptr, &before) == 0 && before.sa_handler == SIG_DFL && arrivals == 2);
  CHECK(signal(SIGKILL, plain) == SIG_ERR && signal(1000, plain) == SIG_ERR && signal(-1, plain) == SIG_ERR);
  CHECK(sigaction(SIGKILL, &now, nullptr) == -1);
  std::signal(SIGALRM, throws);
  sigset_t alone;
  sigset_t none;
  sigemptyset(&none);
  sigemptyset(&alone);
  sigaddset(&alone, SIGALRM);
  sigprocmask(SIG_BLOCK, &alone, nullptr);
  raise(SIGALRM);
  try {
    sigsuspend(&none); // it comes in there, through which exceptions pass
    CHECK(false);
  } catch (int number) {
    CHECK(number == SIGALRM);
  }
  sigprocmask(SIG_UNBLOCK, &alone, nullptr);
  std::signal(SIGUSR1, jumps_out);
  if (sigsetjmp(back, 1) == 0) {
    raise(SIGUSR1);
    CHECK(false);
  }
  CHECK(arrivals >= 4);
}

} // namespace

int main(int, char** words) {
  const std::string_view how = words[1];
  cudaMallocManaged(&values, (blocks + 1) * sizeof(int));
  for (int i = 0; i <= blocks; ++i)
    values[i] = 0;
  struct sigaction now {};
  if (how == "back") {
    handlers_come_back();
    arrivals = 0;
    std::signal(SIGALRM, plain);
  } else if (how == "signal") {
    std::signal(SIGALRM, plain);
  } else if (how == "sigaction") {
    now.sa_handler = plain;
    sigaction(SIGALRM, &now, nullptr);
  } else if (how == "siginfo") {
    now.sa_sigaction = with_details;
    now.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGALRM, &now, nullptr);
  } else if (how == "stack") {
    static char stack[65536];
    stack_t own{};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
    now.sa_handler = jumps_within;
    now.sa_flags = SA_ONSTACK;
    sigaction(SIGALRM, &now, nullptr);
  } else if (how == "within") {
    std::signal(SIGALRM, jumps_within);
  } else if (how == "long") {
    std::signal(SIGVTALRM, takes_its_time);
    const itimerval time{{0, 200'000}, {0, 200'000}}; // of the processor: the handler takes less, however busy that is
    setitimer(ITIMER_VIRTUAL, &time, nullptr);
    for (int launch = 0; launch < 1000 && arrivals == 0; ++launch) { // a fast machine needs more than one
      spin<<<blocks, 1>>>(values + blocks);
      cudaDeviceSynchronize();
    }
    CHECK(arrivals != 0 && !left);
    std::printf("fine\n");
    return 0;
  } else if (how == "out" || how == "leaves") { // of a kernel
    std::signal(SIGUSR1, how == "out" ? jumps_out : leaves);
    if (sigsetjmp(back, 1) == 0)
      work<<<blocks, 1>>>(values, nullptr, 100, SIGUSR1);
    cudaDeviceSynchronize();
    return 1;
  }
  every(1);
#ifdef RACY
  work<<<blocks, 1>>>(values, values + blocks, 20000, 0);
#endif
  kernels();
  no_more();
  CHECK(arrivals >= 5);
  cudaFree(values);
  std::printf("fine\n");
}
