// Runs litmus tests on a GPU: what is the same for every test. `tilesim litmus --gpu-build` puts the
// tests behind it: a kernel and a row of a table each.
//
// An instance of a test has cells of its own, one for each variable, and a thread for each thread of
// the test. A launch has as many instances as threads fit; blocks that are left hammer scratch
// memory. Then `collect` reads registers and memory of every instance, counts the outcomes, and
// sets the cells anew.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include <cuda_runtime.h>

namespace {

using u64 = unsigned long long;

constexpr unsigned block_threads = 256;
constexpr unsigned max_locations = 8;
constexpr unsigned max_roles = 64;
constexpr unsigned loop_bound = 200; ///< backward branches of a thread; then the instance is cut
constexpr unsigned table_slots = 4096;
constexpr unsigned scratch_words = 1u << 20;
constexpr unsigned permutations = 16;
constexpr unsigned tile_turns = 32; ///< instances that a block of a tile kernel takes part in

struct launch_args {
  unsigned char* base[max_locations]; ///< cell of instance i: base + (i * mul + off) % n * stride
  u64 mul[max_locations], off[max_locations];
  u64 stride, instances;
  unsigned groups, slots, width, test_units, cluster, shift, lane_mul, lane_off;
  const unsigned* unit_of; ///< what a unit of the launch is: of the test, or beyond these, stress
  signed char role[max_roles];
  u64* regs;
  unsigned *meet, *cut, *scratch;
  unsigned stress_rounds, stress_pattern, pre_stress, spins, jitter, seed;
  bool warps; ///< a thread of the test is a warp, one instance a block: barriers count warps
};

struct seat {
  int role = -1;
  u64 instance = 0;
  bool ghost = false; ///< another lane of a warp that is a thread: it only comes to the barriers
};

__device__ unsigned mixed(unsigned x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

__device__ __noinline__ void stress(const launch_args& a, unsigned rounds) {
  unsigned at = mixed(a.seed ^ (blockIdx.x * block_threads + threadIdx.x));
  volatile unsigned* const words = a.scratch;
  unsigned seen = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    unsigned* const word = a.scratch + at % scratch_words;
    switch (a.stress_pattern) {
    case 0:
      words[at % scratch_words] = i;
      seen += words[(at + 64) % scratch_words];
      break;
    case 1:
      words[at % scratch_words] = i;
      words[(at + 64) % scratch_words] = i;
      break;
    case 2:
      seen += words[at % scratch_words] + words[(at + 64) % scratch_words];
      break;
    default:
      atomicAdd(word, 1);
      break;
    }
    at = a.stress_pattern % 2 == 0 ? mixed(at) : at + 4096;
  }
  if (seen == 0xdeadbeefu) {
    words[0] = seen; // so that the reads stay
  }
}

/// Which thread of which instance this one is.
[[maybe_unused]] __device__ seat take_seat(const launch_args& a) {
  const unsigned unit = a.unit_of[blockIdx.x / a.cluster];
  seat s;
  if (unit >= a.groups * a.test_units) {
    stress(a, a.stress_rounds);
    return s;
  }
  const unsigned part = unit / a.groups;
  const unsigned q = a.warps ? threadIdx.x / 32
                             : (threadIdx.x * a.lane_mul + a.lane_off) % block_threads;
  const unsigned thread = q / a.slots;
  const unsigned slot = q % a.slots;
  if (thread >= a.width) {
    return s;
  }
  const unsigned turn = slot * part * a.shift % a.groups;
  const unsigned group = (unit % a.groups + a.groups - turn) % a.groups;
  s.instance = static_cast<u64>(group) * a.slots + slot;
  s.role = a.role[(part * a.cluster + blockIdx.x % a.cluster) * a.width + thread];
  s.ghost = a.warps && threadIdx.x % 32 != 0;
  return s;
}

__device__ u64 cell(const launch_args& a, unsigned location, u64 instance) {
  const u64 at = (instance * a.mul[location] + a.off[location]) % a.instances;
  return reinterpret_cast<u64>(a.base[location] + at * a.stride);
}

/// The same; of a ghost's, scratch memory, in which nobody looks for anything.
[[maybe_unused]] __device__ u64 cell_of(const launch_args& a, unsigned location, const seat& s) {
  const unsigned own = (blockIdx.x * block_threads + threadIdx.x) * 128 % scratch_words;
  return s.ghost ? reinterpret_cast<u64>(a.scratch + own) : cell(a, location, s.instance);
}

/// An instance's threads wait for each other, for a while: nothing depends on it that they meet.
[[maybe_unused]] __device__ void meet(const launch_args& a, const seat& s, unsigned threads) {
  if (a.pre_stress != 0) {
    stress(a, a.pre_stress);
  }
  unsigned* const here = a.meet + s.instance;
  unsigned come = 0;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(come) : "l"(here) : "memory");
  for (unsigned i = 0; i < a.spins && come < threads; ++i) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(come) : "l"(here) : "memory");
  }
  if (a.jitter != 0) {
    const unsigned long long begin = clock64();
    const unsigned wait = mixed(a.seed ^ (threadIdx.x + blockIdx.x * block_threads)) % a.jitter;
    while (clock64() - begin < wait) {
    }
  }
}

[[maybe_unused]] __device__ void keep(const launch_args& a, const seat& s, unsigned reg, u64 v) {
  a.regs[reg * a.instances + s.instance] = v;
}

/// A variable of the final state.
struct variable {
  const char* name;
  int reg; ///< -1: an element of memory
  unsigned location, offset, size;
  bool is_signed;
};

/// What a cell holds before the test.
struct initial {
  unsigned location, offset, size;
  u64 value;
  int pointee; ///< a location whose address it is, or -1
};

struct test_info {
  const char *name, *file, *mutant;
  u64 hash;
  const void* kernel;
  unsigned units, cluster, width, threads, locations, registers, variables, initials, span;
  const signed char* roles;
  const variable* of;
  const initial* init;
  const u64* model_address; ///< by location: what stands for its address; null: no pointers
  const u64* sc_states;     ///< hashes of the states that an interleaving gives
  unsigned sc_count;
  bool marked;   ///< sc_states is known
  bool has_weak; ///< the model allows a state that no interleaving gives
  bool tile;     ///< the kernel is a tile kernel
  bool warps;    ///< a thread of the test is a warp
};

struct outcome_table {
  u64 *keys, *counts, *values, *lost, *cut;
};

struct collect_args {
  launch_args a;
  unsigned variables, initials, locations, span;
  const variable* of;
  const initial* init;
  const u64* model_address;
  outcome_table table;
  bool count;
};

__device__ __host__ u64 step_hash(u64 h, u64 v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15ull;
  return h ^ (h >> 29);
}

__device__ u64 load_element(u64 at, unsigned size, bool is_signed) {
  switch (size) {
  case 1:
    return is_signed ? static_cast<u64>(*reinterpret_cast<const signed char*>(at))
                     : *reinterpret_cast<const unsigned char*>(at);
  case 2:
    return is_signed ? static_cast<u64>(*reinterpret_cast<const short*>(at))
                     : *reinterpret_cast<const unsigned short*>(at);
  case 4:
    return is_signed ? static_cast<u64>(*reinterpret_cast<const int*>(at))
                     : *reinterpret_cast<const unsigned*>(at);
  default:
    return *reinterpret_cast<const u64*>(at);
  }
}

__device__ void store_element(u64 at, unsigned size, u64 value) {
  switch (size) {
  case 1:
    *reinterpret_cast<unsigned char*>(at) = static_cast<unsigned char>(value);
    break;
  case 2:
    *reinterpret_cast<unsigned short*>(at) = static_cast<unsigned short>(value);
    break;
  case 4:
    *reinterpret_cast<unsigned*>(at) = static_cast<unsigned>(value);
    break;
  default:
    *reinterpret_cast<u64*>(at) = value;
    break;
  }
}

__device__ u64 final_value(const collect_args& c, unsigned k, u64 i) {
  const variable& v = c.of[k];
  u64 x = v.reg >= 0 ? c.a.regs[v.reg * c.a.instances + i]
                     : load_element(cell(c.a, v.location, i) + v.offset, v.size, v.is_signed);
  for (unsigned l = 0; c.model_address != nullptr && l < c.locations; ++l) {
    const u64 begin = cell(c.a, l, i);
    if (x >= begin && x < begin + c.span) {
      x = c.model_address[l] + (x - begin);
      break;
    }
  }
  return x;
}

__device__ void reset(const collect_args& c, u64 i) {
  for (unsigned k = 0; k < c.initials; ++k) {
    const initial& n = c.init[k];
    const u64 value = n.pointee >= 0 ? cell(c.a, n.pointee, i) : n.value;
    store_element(cell(c.a, n.location, i) + n.offset, n.size, value);
  }
  c.a.meet[i] = 0;
  c.a.cut[i] = 0;
}

__device__ void count_outcome(const collect_args& c, u64 i) {
  u64 h = 1;
  for (unsigned k = 0; k < c.variables; ++k) {
    h = step_hash(h, final_value(c, k, i));
  }
  h = h == 0 ? 1 : h;
  const unsigned peers = __match_any_sync(__activemask(), h);
  if (__ffs(peers) - 1 != static_cast<int>(threadIdx.x % 32)) {
    return;
  }
  for (unsigned n = 0, at = h % table_slots; n < 64; ++n, at = (at + 1) % table_slots) {
    const u64 before = atomicCAS(c.table.keys + at, 0ull, h);
    if (before == 0) {
      for (unsigned k = 0; k < c.variables; ++k) {
        c.table.values[static_cast<u64>(at) * c.variables + k] = final_value(c, k, i);
      }
    }
    if (before == 0 || before == h) {
      atomicAdd(c.table.counts + at, static_cast<u64>(__popc(peers)));
      return;
    }
  }
  atomicAdd(c.table.lost, static_cast<u64>(__popc(peers)));
}

/// Counts the outcomes of a launch.
__global__ void collect(const collect_args c) {
  const u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= c.a.instances) {
    return;
  }
  if (c.a.cut[i] != 0) {
    atomicAdd(c.table.cut, 1ull);
  } else {
    count_outcome(c, i);
  }
}

/// Sets the cells for the next launch, which may have them elsewhere.
__global__ void prepare(const collect_args c) {
  const u64 i = static_cast<u64>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < c.a.instances) {
    reset(c, i);
  }
}

} // namespace
