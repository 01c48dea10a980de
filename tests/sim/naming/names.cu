// Buffers that are allocated in many ways; one of them is accessed out of bounds, and the report has to
// name it. The first argument says which way, the second how far behind the others the buffer lies.
//
// SPDX-License-Identifier: Apache-2.0
#include "helpers.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace ct = cuda::tiles;

using number = int;

/// Stores one element behind the end.
__tile_global__ void spoil(number* victim, int n) {
  ct::store(victim + n, 1);
}

void spoil_it(number* pointer, int n) {
  spoil<<<1, 1>>>(pointer, n);
  cudaDeviceSynchronize();
}

struct model {
  number* weights = nullptr;
  number* bias = nullptr;
  model() {
    cudaMalloc(&weights, 32);
    cudaMalloc(&bias, 16);
  }
};

number* global_buffer = nullptr;
namespace app {
dbuf<number>* shared = nullptr;
}

void one_line(int which) {
  dbuf<number> tail(1), head(2), ready(3), slots{4}; dbuf<number> dx(std::vector<number>(5)), dy(6);
  number* const all[] = {tail.p, head.p, ready.p, slots.p, dx.p, dy.p};
  spoil_it(all[which], which + 1);
}

void members(int which) {
  model m;
  auto behind = std::make_unique<model>();
  number* const all[] = {m.weights, m.bias, behind->weights, behind->bias};
  spoil_it(all[which], which % 2 == 0 ? 8 : 4);
}

void arrays(int which) {
  number* parts[3];
  for (int i = 0; i < 3; ++i) {
    cudaMalloc(&parts[i], 16);
  }
  std::array<number*, 2> more{};
  for (auto& one : more) {
    cudaMalloc(&one, 16);
  }
  number* const all[] = {parts[0], parts[2], more[1]};
  spoil_it(all[which], 4);
}

void vectors(int which) {
  std::vector<dbuf<number>> objects;
  std::vector<number*> pointers;
  for (int i = 0; i < 3; ++i) {
    objects.emplace_back(4);
    pointers.push_back(make<number>(4));
  }
  spoil_it(which < 3 ? objects[static_cast<std::size_t>(which)].p : pointers[static_cast<std::size_t>(which) - 3], 4);
}

void swapped(int which) {
  number* a = nullptr;
  number* b = nullptr;
  cudaMalloc(&a, 16);
  cudaMalloc(&b, 16);
  std::swap(a, b);
  spoil<<<1, 1>>>(which == 0 ? a : b, 4);
  cudaDeviceSynchronize();
}

void again(int which) {
  number* p = nullptr;
  cudaMalloc(&p, 16);
  const auto old = reinterpret_cast<std::uintptr_t>(p);
  cudaFree(p);
  cudaMalloc(&p, 16);
  spoil<<<1, 1>>>(which == 0 ? p : reinterpret_cast<number*>(old), 4);
  cudaDeviceSynchronize();
}

void returned(int which) {
  auto* first = make<number>(4); auto* second = make<number>(4);
  number* third = nullptr;
  make_into(third, 4);
  const std::unique_ptr<number, device_delete> owned(make<number>(4));
  spoil_it(which == 0 ? first : which == 1 ? second : which == 2 ? third : owned.get(), 4);
}

/// Nobody's: no variable leads there.
void hidden(int /*which*/) {
  std::map<std::string, number*> by_name;
  by_name["x"] = make<number>(4);
  spoil_it(by_name.at("x"), 4);
}

void outside(int which) {
  cudaMalloc(&global_buffer, 16);
  static dbuf<number> local(4);
  app::shared = &local;
  spoil_it(which == 0 ? global_buffer : local.p, 4);
}

int main(int argc, char** argv) {
  using way = void (*)(int);
  const std::map<std::string, way> ways = {{"one_line", one_line},
                                           {"members", members},
                                           {"arrays", arrays},
                                           {"vectors", vectors},
                                           {"swapped", swapped},
                                           {"again", again},
                                           {"returned", returned},
                                           {"hidden", hidden},
                                           {"outside", outside}};
  if (argc != 3) {
    return 2;
  }
  ways.at(argv[1])(std::atoi(argv[2]));
  return 0;
}
