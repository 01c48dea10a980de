// One way of polling for each mode: polls MODE BLOCKS [MOST]. As a rule nobody writes what is
// polled. SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda/atomic>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ct = cuda::tiles;
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;

__tile_global__ void load(int* p) {
  while (ct::atomic_load<ct::memory_order::acquire, device>(p) == 0) {
  }
}
// Writes back what is there: 0.
__tile_global__ void cas_same(int* p) {
  while (ct::atomic_compare_exchange<relaxed, device>(p, 0, 0) == 0) {
  }
}
__tile_global__ void cas_fails(int* p) {
  while (ct::atomic_compare_exchange<relaxed, device>(p, 7, 9) != 7) {
  }
}
__tile_global__ void add_zero(int* p) {
  while (ct::atomic_add<relaxed, device>(p, 0) == 0) {
  }
}
__tile_global__ void or_zero(int* p) {
  while (ct::atomic_or<relaxed, device>(p, 0) == 0) {
  }
}
__tile_global__ void exchange(int* p) {
  while (ct::atomic_xchg<relaxed, device>(p, 0) == 0) {
  }
}
__tile_global__ void store_same(int* p) {
  do {
    ct::atomic_store<relaxed, device>(p + 1, 0);
  } while (ct::atomic_load<relaxed, device>(p) == 0);
}
__tile_global__ void weak(int* p) {
  while (ct::load(p) == 0) {
  }
}
__tile_global__ void tile(int* p) {
  auto where = p + ct::iota<ct::tile<int, ct::shape<64>>>();
  while (ct::sum(ct::load(where), ct::integral_constant<0>{}) == 0) {
  }
}
__tile_global__ void several(int* p) {
  for (;;) {
    for (int i = 0; i < 40; ++i) {
      if (ct::atomic_load<relaxed, device>(p + i) != 0) {
        return;
      }
    }
  }
}
__tile_global__ void two(int* p) {
  while (ct::atomic_load<relaxed, device>(p) == 0 && ct::atomic_load<relaxed, device>(p + 1) == 0) {
  }
}
// Settles down after ten rounds.
__tile_global__ void back_off(int* p) {
  for (int wait = 1; ct::atomic_load<relaxed, device>(p) == 0;) {
    wait = wait < 1024 ? wait * 2 : wait;
    for (int i = 0; i < wait; i += 64) {
    }
  }
}
// Ends by itself.
__tile_global__ void bounded(int* p, int most) {
  int tries = 0;
  while (ct::atomic_load<relaxed, device>(p) == 0 && tries < most) {
    ++tries;
  }
  ct::atomic_add<relaxed, device>(p + 63, 1);
}
// Never does, and nobody can tell.
__tile_global__ void counted(int* p) {
  unsigned long long tries = 0;
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    ++tries;
  }
  p[1] = int(tries);
}
__tile_global__ void raw(volatile int* p) {
  while (*p == 0) {
  }
}
__global__ void raw_thread(volatile int* p) {
  while (*p == 0) {
  }
}
// Computes without an operation.
__tile_global__ void arithmetic(int* p, int most) {
  unsigned x = ct::bid().x;
  for (int i = 0; i < most; ++i) {
    x = x * 1664525U + 1013904223U;
  }
  p[64 + ct::bid().x] = int(x);
}
// The others poll until the last one has computed.
__global__ void raw_for(volatile int* p, int most) {
  if (blockIdx.x + 1 != gridDim.x) {
    while (p[0] == 0) {
    }
    return;
  }
  unsigned x = 1;
  for (int i = 0; i < most; ++i) {
    x = x * 1664525U + 1013904223U;
  }
  p[1] = int(x);
  p[0] = 1;
}
// A token goes round, against the order of turns, and all that changes is memory.
__global__ void hands_on(volatile int* p, int most) {
  const int blocks = int(gridDim.x);
  const int me = int(blockIdx.x);
  while (p[1] < most) {
    if (p[0] == me) {
      p[1] = p[1] + 1;
      p[0] = (me + blocks - 1) % blocks;
    }
  }
}
__global__ void reference(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
  while (flag.load(cuda::memory_order_acquire) == 0) {
  }
}
__global__ void reference_cas(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
  for (int expected = 0; flag.compare_exchange_weak(expected, 0); expected = 0) {
  }
}
// Sleeps, twice as long each time, up to a limit.
__global__ void naps(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
  for (unsigned ns = 8; flag.load(cuda::memory_order_acquire) == 0; ns = ns < 256 ? ns * 2 : ns) {
    __nanosleep(ns);
  }
}
// The first block has nothing to hand on, and ends without a word.
__global__ void ends_early(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
  if (blockIdx.x != 0) {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
  } else if (p[1] != 0) {
    flag.store(1, cuda::memory_order_release);
  }
}
__global__ void standard(int* p) {
  std::atomic_ref<int> flag(*p);
  while (flag.load() == 0) {
  }
}
__global__ void standard_set(int* p) {
  std::atomic_ref<int> flag(*p);
  while (flag.fetch_and(0) == 0) {
  }
}
// A loop of compare-exchanges in the library, in one that changes nothing.
__global__ void standard_float(int* p) {
  std::atomic_ref<float> flag(*reinterpret_cast<float*>(p));
  while (flag.fetch_add(0) == 0) {
  }
}
// Writes the memory that it does not poll.
__tile_global__ void notes(int* p) {
  for (int tries = 0; ct::atomic_load<relaxed, device>(p) == 0; ++tries) {
    ct::atomic_store<relaxed, device>(p + 1, tries);
  }
}
// Each changes memory for ever.
__tile_global__ void tickets(int* p) {
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    ct::atomic_add<relaxed, device>(p + 1, 1);
  }
}
// Two groups hand a token round.
__tile_global__ void token(int* p) {
  const int me = int(ct::bid().x & 1);
  for (;;) {
    while (ct::atomic_load<ct::memory_order::acquire, device>(p) != me) {
    }
    ct::atomic_store<ct::memory_order::release, device>(p, 1 - me);
  }
}
// Each takes the lock, looks, and gives it back: memory changes, and changes back.
__tile_global__ void look(int* p) {
  for (bool done = false; !done;) {
    while (ct::atomic_compare_exchange<ct::memory_order::acquire, device>(p + 1, 0, 1) != 0) {
    }
    done = ct::load(p) != 0;
    ct::atomic_store<ct::memory_order::release, device>(p + 1, 0);
  }
}
__tile_global__ void look_exchange(int* p) {
  for (bool done = false; !done;) {
    while (ct::atomic_xchg<ct::memory_order::acquire, device>(p + 1, 1) != 0) {
    }
    done = ct::load(p) != 0;
    ct::atomic_xchg<ct::memory_order::release, device>(p + 1, 0);
  }
}
// With back-off; its own state is one of several where it polls.
__tile_global__ void test_and_set(int* p) {
  for (bool done = false; !done;) {
    int wait = 1;
    while (ct::atomic_xchg<ct::memory_order::acquire, device>(p + 1, 1) != 0) {
      wait = wait < 64 ? wait * 2 : wait;
      for (volatile int i = 0; i < wait; i = i + 1) {
      }
    }
    done = ct::load(p) != 0;
    ct::atomic_store<ct::memory_order::release, device>(p + 1, 0);
  }
}
// Each counts up and down while it polls: as many values as blocks.
__tile_global__ void up_and_down(int* p) {
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    ct::atomic_add<relaxed, device>(p + 1, 1);
    ct::atomic_add<relaxed, device>(p + 1, -1);
  }
}
// What is polled is what all change.
__tile_global__ void down_and_up(int* p) {
  while (ct::atomic_add<relaxed, device>(p + 1, -1) <= 0) {
    ct::atomic_add<relaxed, device>(p + 1, 1);
  }
}
__tile_global__ void exchanges(int* p) {
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    ct::atomic_xchg<relaxed, device>(p + 1, 1);
    ct::atomic_xchg<relaxed, device>(p + 1, 0);
  }
}
__global__ void look_reference(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(p[1]);
  for (bool done = false; !done;) {
    int expected = 0;
    while (!lock.compare_exchange_strong(expected, 1, cuda::memory_order_acquire)) {
      expected = 0;
    }
    done = p[0] != 0;
    lock.store(0, cuda::memory_order_release);
  }
}
// Likewise, until the last one has had the lock often enough.
__tile_global__ void look_for_last(int* p, int most) {
  const bool last = ct::bid().x + 1 == ct::num_blocks().x;
  int turns = 0;
  for (bool done = false; !done;) {
    while (ct::atomic_compare_exchange<ct::memory_order::acquire, device>(p + 1, 0, 1) != 0) {
    }
    if (last && ++turns == most) {
      ct::store(p, 1);
    }
    done = ct::load(p) != 0;
    ct::atomic_store<ct::memory_order::release, device>(p + 1, 0);
  }
}
// Likewise, each so often.
__tile_global__ void look_at_most(int* p, int most) {
  bool done = false;
  for (int turns = 0; !done && turns < most; ++turns) {
    while (ct::atomic_compare_exchange<ct::memory_order::acquire, device>(p + 1, 0, 1) != 0) {
    }
    done = ct::load(p) != 0;
    ct::atomic_store<ct::memory_order::release, device>(p + 1, 0);
  }
}
// The last one computes, by operations that access no memory, by weak ones, or both; the others
// take tickets while they wait for it.
__tile_global__ void tickets_for(int* p, int most) {
  if (ct::bid().x + 1 != ct::num_blocks().x) {
    while (ct::atomic_load<ct::memory_order::acquire, device>(p) == 0) {
      ct::atomic_add<relaxed, device>(p + 1, 1);
    }
    return;
  }
  auto t = ct::full<ct::tile<float, ct::shape<2>>>(1.0F);
  for (int i = 0; i < most; ++i) {
    t = t * 0.5F + 1.0F;
    if (i % 16 == 0) {
      t = t + float(ct::load(p + 2));
    }
  }
  ct::atomic_store<ct::memory_order::release, device>(p, 1);
}
// A grid barrier for each step of a computation that looks whether it is to stop.
__tile_global__ void steps(int* p, int most) {
  const int blocks = int(ct::num_blocks().x);
  int* const own = p + 64 + ct::bid().x;
  for (int k = 1; k <= most && ct::atomic_load<relaxed, device>(p) == 0; ++k) {
    ct::store(own, ct::load(own) * 5 + k);
    if (ct::atomic_add<ct::memory_order::acq_rel, device>(p + 1, 1) == blocks * k - 1) {
      ct::atomic_store<ct::memory_order::release, device>(p + 2, k);
    }
    while (ct::atomic_load<ct::memory_order::acquire, device>(p + 2) < k) {
    }
  }
}
// Blocks that take their work from a queue until it is empty, or they are told to stop.
__tile_global__ void queue(int* p, int most) {
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    const int item = ct::atomic_add<relaxed, device>(p + 1, 1);
    if (item >= most) {
      break;
    }
    ct::atomic_xor<relaxed, device>(p + 64 + (item & 127), item * item);
  }
}
// Each waits for a place of its own.
__tile_global__ void own_place(int* p) {
  while (ct::atomic_load<relaxed, device>(p + ct::bid().x) == 0) {
  }
}
// Gives up when enough time has passed.
__global__ void timed(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(*p);
  for (const long long begin = clock64(); flag.load() == 0 && clock64() - begin < 300'000'000;) {
  }
  cuda::atomic_ref<int, cuda::thread_scope_device>(p[63]).fetch_add(1);
}
// Computes for long with a value that it reads again and again.
__tile_global__ void computes(int* p, int most) {
  int sum = 1;
  for (int i = 0; i < most; ++i) {
    sum = sum * 5 + ct::load(p) + i;
  }
  ct::store(p + 1 + ct::bid().x, sum);
}
// Counts in memory by raw accesses, and ends by itself.
__tile_global__ void bounded_raw(int* p, int most) {
  while (ct::atomic_load<relaxed, device>(p) == 0) {
    if (++p[1] > most) {
      break;
    }
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  const unsigned blocks = argc > 2 ? unsigned(std::atoi(argv[2])) : 1;
  const int most = argc > 3 ? std::atoi(argv[3]) : 1000;
  int* p = nullptr;
  const std::size_t bytes = 4 * (64 + (blocks < 128 ? 128 : blocks));
  cudaMalloc(&p, bytes);
  cudaMemset(p, 0, bytes);
#define MODE(name, ...)                                                                            \
  if (std::strcmp(mode, #name) == 0) {                                                             \
    name<<<blocks, 1>>>(p __VA_OPT__(, ) __VA_ARGS__);                                             \
  }
  MODE(load)
  MODE(cas_same)
  MODE(cas_fails)
  MODE(add_zero)
  MODE(or_zero)
  MODE(exchange)
  MODE(store_same)
  MODE(weak)
  MODE(tile)
  MODE(several)
  MODE(two)
  MODE(back_off)
  MODE(bounded, most)
  MODE(counted)
  MODE(raw)
  MODE(raw_thread)
  MODE(arithmetic, most)
  MODE(raw_for, most)
  MODE(hands_on, most)
  MODE(reference)
  MODE(reference_cas)
  MODE(naps)
  MODE(ends_early)
  MODE(standard)
  MODE(standard_set)
  MODE(standard_float)
  MODE(notes)
  MODE(tickets)
  MODE(token)
  MODE(look)
  MODE(look_exchange)
  MODE(test_and_set)
  MODE(up_and_down)
  MODE(down_and_up)
  MODE(exchanges)
  MODE(look_reference)
  MODE(look_for_last, most)
  MODE(look_at_most, most)
  MODE(tickets_for, most)
  MODE(steps, most)
  MODE(queue, most)
  MODE(own_place)
  MODE(timed)
  MODE(computes, most)
  MODE(bounded_raw, most)
  if (std::strcmp(mode, "look_for_copy") == 0) {
    const int one = 1;
    cudaStream_t stream{};
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    look<<<blocks, 1>>>(p);
    cudaMemcpyAsync(p, &one, sizeof one, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  cudaDeviceSynchronize();
  int ended = 0;
  cudaMemcpy(&ended, p + 63, sizeof ended, cudaMemcpyDeviceToHost);
  cudaFree(p);
  std::printf("%d ended\n", ended);
}
