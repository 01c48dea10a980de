// Kernels that end the program, each in its own way, and programs that have signals of their own.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace ct = cuda::tiles;

__tile_global__ void quiet(int* p) {
  ct::store(p, 1);
}

__tile_global__ void ends(int* p, int how, int zero) {
  ct::store(p + ct::bid().x, 1);
  if (ct::bid().x != 1)
    return;
  switch (how) {
  case 0: __builtin_trap();
  case 1: throw 7;
  case 2: std::abort();
  case 3: raise(SIGSEGV);
  case 4: exit(7);
  case 5: _exit(7);
  case 6: std::terminate();
  case 7: *p = 7 / zero; break;
  case 8: std::quick_exit(7);
  case 9: if (fork() == 0) _exit(0); break;
  case 10: std::thread([] {}).join(); break;
  case 11: *reinterpret_cast<volatile int*>(8) = 1; break;
  case 12: raise(SIGTRAP);
  case 13: raise(SIGTERM); break;
  case 14: kill(getpid(), SIGKILL); break;
  case 15: pthread_kill(pthread_self(), SIGUSR2); break;
  case 16: pthread_exit(nullptr);
  case 17: reinterpret_cast<void (*)()>(static_cast<long>(zero))(); break;
  case 18: reinterpret_cast<void (*)()>(p)(); break;
  case 19: __trap();
  case 20: raise(SIGINT); break;
  case 21: raise(SIGWINCH); raise(SIGUSR1); kill(getpid(), SIGUSR1); break; // ignored, handled
  }
}

const char* const ways[] = {"trap", "throw", "abort", "raise", "exit", "_exit", "terminate", "divide",
                            "quick_exit", "fork", "thread", "null", "sigtrap", "sigterm", "sigkill", "pthread_kill",
                            "pthread_exit", "null_call", "data_call", "device_trap",
                            "sigint", "harmless"};

void own(int signal) {
  std::printf("own handler of %d\n", signal);
  std::fflush(stdout);
  _exit(9);
}

int main(int, char** words) {
  int* p;
  cudaMalloc(&p, 8);
  const char* how = words[1];
  static volatile int none = 0; // the compiler is not to know
  if (std::strncmp(how, "own-", 4) == 0) { // with handlers, and a small stack for them
    static char small[16384];
    stack_t stack{};
    stack.ss_sp = small;
    stack.ss_size = sizeof small;
    sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = own;
    action.sa_flags = SA_ONSTACK;
    for (int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGILL, SIGINT})
      sigaction(signal, &action, nullptr);
    how += 4;
  }
  std::signal(SIGUSR1, [](int) {});
  quiet<<<1, 1>>>(p);
  if (std::strcmp(how, "alarm") == 0) {
    alarm(1);
    for (;;) pause();
  } else if (std::strcmp(how, "timer") == 0) {
    static volatile std::sig_atomic_t ticks = 0;
    std::signal(SIGVTALRM, [](int) { ticks = ticks + 1; });
    const itimerval every{{0, 1000}, {0, 1000}};
    setitimer(ITIMER_VIRTUAL, &every, nullptr);
    quiet<<<1, 1>>>(p);
    while (ticks < 3) {}
    std::printf("ticks\n");
    return 0;
  } else if (std::strcmp(how, "interrupt") == 0) { // its own handler, outside kernels
    raise(SIGINT);
  } else if (std::strcmp(how, "host") == 0) { // the host's own fault is its own handler's
    raise(SIGFPE);
  }
  for (int i = 0; i < int(sizeof ways / sizeof *ways); ++i)
    if (std::strcmp(how, ways[i]) == 0)
      ends<<<2, 1>>>(p, i, none);
  cudaDeviceSynchronize();
  std::printf("done\n");
}
