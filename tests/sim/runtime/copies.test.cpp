// Copies and fills, right and wrong.
//
// SPDX-License-Identifier: Apache-2.0
#include "fixture.hpp"

#include <array>

namespace {
int device_variable[4];
}

TEST_CASE("cudaMemcpy goes there and back", "[runtime][copy]") {
  std::array<int, 4> in{1, 2, 3, 4};
  std::array<int, 4> out{};
  int* d = nullptr;
  int* e = nullptr;
  REQUIRE(cudaMalloc(&d, sizeof in) == cudaSuccess);
  REQUIRE(cudaMalloc(&e, sizeof in) == cudaSuccess);
  expect({cudaSuccess}, [&] { return cudaMemcpy(d, in.data(), 16, cudaMemcpyHostToDevice); });
  expect({cudaSuccess}, [&] { return cudaMemcpy(e, d, 16, cudaMemcpyDeviceToDevice); });
  expect({cudaSuccess}, [&] { return cudaMemcpyAsync(out.data(), e, 16, cudaMemcpyDefault); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(out == in);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(cudaFree(e) == cudaSuccess);
}

TEST_CASE("a box goes from one device's memory to another's", "[runtime][copy]") {
  std::array<unsigned char, 64> in{};
  std::array<unsigned char, 64> out{};
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<unsigned char>(i);
  }
  unsigned char* d = nullptr;
  REQUIRE(cudaMalloc(&d, 128) == cudaSuccess);
  REQUIRE(cudaMemcpy(d, in.data(), 64, cudaMemcpyHostToDevice) == cudaSuccess);
  REQUIRE(cudaMemset(d + 64, 0, 64) == cudaSuccess);
  cudaMemcpy3DPeerParms p{};
  p.srcPtr = {.ptr = d, .pitch = 8, .xsize = 8, .ysize = 8};
  p.srcPos = {.x = 1, .y = 2, .z = 0};
  p.dstPtr = {.ptr = d + 64, .pitch = 16, .xsize = 16, .ysize = 4};
  p.dstPos = {.x = 0, .y = 1, .z = 0};
  p.extent = {.width = 3, .height = 2, .depth = 1};
  expect({cudaSuccess}, [&] { return cudaMemcpy3DPeer(&p); });
  REQUIRE(cudaMemcpy(out.data(), d + 64, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  std::array<unsigned char, 64> want{};
  for (std::size_t y = 0; y < 2; ++y) {
    for (std::size_t x = 0; x < 3; ++x) {
      want[(1 + y) * 16 + x] = in[(2 + y) * 8 + 1 + x];
    }
  }
  CHECK(out == want);
  p.dstDevice = 99;
  expect({cudaErrorInvalidDevice, "99"}, [&] { return cudaMemcpy3DPeerAsync(&p, nullptr); });
  expect({cudaErrorInvalidValue, "null pointer"}, [&] { return cudaMemcpy3DPeer(nullptr); });
  CHECK(cudaFree(d) == cudaSuccess);
}

TEST_CASE("cudaMemcpy refuses what CUDA refuses", "[runtime][copy]") {
  static int host[64];
  static int* device = nullptr;
  static int* freed = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaMalloc(&freed, 64) == cudaSuccess);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  struct row {
    const char* name;
    void* dst;
    const void* src;
    std::size_t bytes;
    int kind;
    outcome want;
  };
  const std::vector<row> rows{
      {"all of it", device, host, 64, cudaMemcpyHostToDevice, {}},
      {"nothing, to nowhere", nullptr, host, 0, cudaMemcpyHostToDevice, {}},
      {"one byte too many",
       device,
       host,
       65,
       cudaMemcpyHostToDevice,
       {cudaErrorInvalidValue, "has 64 bytes left"}},
      {"too many from within",
       host,
       device + 8,
       33,
       cudaMemcpyDeviceToHost,
       {cudaErrorInvalidValue, "has 32 bytes left"}},
      {"null destination",
       nullptr,
       host,
       4,
       cudaMemcpyHostToDevice,
       {cudaErrorInvalidValue, "the destination is a null pointer"}},
      {"null source",
       device,
       nullptr,
       4,
       cudaMemcpyHostToDevice,
       {cudaErrorInvalidValue, "the source is a null pointer"}},
      {"swapped",
       host,
       device,
       4,
       cudaMemcpyHostToDevice,
       {cudaErrorInvalidValue, "is host memory, but the direction says device"}},
      {"swapped back",
       device,
       host,
       4,
       cudaMemcpyDeviceToHost,
       {cudaErrorInvalidValue, "is host memory, but the direction says device"}},
      {"no direction",
       device,
       host,
       4,
       9,
       {cudaErrorInvalidMemcpyDirection, "9 is no cudaMemcpyKind"}},
      {"freed", freed, host, 4, cudaMemcpyHostToDevice, {cudaErrorInvalidValue, "is freed memory"}},
      // CUDA allows these: addresses tell what is what.
      {"device to device said otherwise", device, device + 4, 4, cudaMemcpyHostToHost, {}},
      {"host to host", host, host + 4, 4, cudaMemcpyHostToHost, {}},
  };
  for (const row& r : rows) {
    DYNAMIC_SECTION(r.name) {
      expect(r.want, [&] {
        return cudaMemcpy(r.dst, r.src, r.bytes, static_cast<cudaMemcpyKind>(r.kind));
      });
    }
  }
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("cudaMemcpy2D", "[runtime][copy]") {
  char in[4][8] = {"abcdefg", "hijklmn", "opqrstu", "vwxyz01"};
  char out[4][4] = {};
  char* d = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&d, &pitch, 8, 4) == cudaSuccess);
  expect({cudaSuccess},
         [&] { return cudaMemcpy2D(d, pitch, in, 8, 8, 4, cudaMemcpyHostToDevice); });
  expect({cudaSuccess},
         [&] { return cudaMemcpy2D(out, 4, d + 2, pitch, 4, 4, cudaMemcpyDeviceToHost); });
  CHECK(std::string(out[1], 4) == "jklm");
  expect({cudaErrorInvalidPitchValue, "do not fit a pitch of 2"},
         [&] { return cudaMemcpy2D(out, 2, d, pitch, 4, 4, cudaMemcpyDeviceToHost); });
  expect({cudaErrorInvalidValue, "bytes left"},
         [&] { return cudaMemcpy2D(d, pitch, in, 8, 8, 9, cudaMemcpyHostToDevice); });
  CHECK(cudaFree(d) == cudaSuccess);
}

TEST_CASE("cudaMemset", "[runtime][copy]") {
  unsigned char out[8] = {};
  unsigned char* d = nullptr;
  REQUIRE(cudaMalloc(&d, 8) == cudaSuccess);
  expect({cudaSuccess}, [&] { return cudaMemset(d, 0x5a, 8); });
  expect({cudaSuccess}, [&] { return cudaMemset2D(d, 4, 0x11, 1, 2); });
  CHECK(cudaMemcpy(out, d, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK((out[0] == 0x11 && out[1] == 0x5a && out[4] == 0x11 && out[7] == 0x5a));
  expect({cudaErrorInvalidValue, "has 8 bytes left"}, [&] { return cudaMemset(d, 0, 9); });
  expect({cudaErrorInvalidValue, "is host memory"}, [&] { return cudaMemset(out, 0, 8); });
  CHECK(cudaFree(d) == cudaSuccess);
}

TEST_CASE("symbols", "[runtime][copy]") {
  const int in[4] = {1, 2, 3, 4};
  int out[4] = {};
  std::size_t size = 0;
  expect({cudaSuccess}, [&] { return cudaMemcpyToSymbol(device_variable, in, 16); });
  expect({cudaSuccess}, [&] { return cudaMemcpyFromSymbol(out, device_variable, 8, 8); });
  CHECK((out[0] == 3 && out[1] == 4));
  expect({cudaErrorInvalidValue, "run past the end of the variable"},
         [&] { return cudaMemcpyToSymbol(device_variable, in, 8, 12); });
  expect({cudaErrorInvalidMemcpyDirection, "the direction must be"},
         [&] { return cudaMemcpyToSymbol(device_variable, in, 8, 0, cudaMemcpyDeviceToHost); });
  expect({cudaSuccess}, [&] { return cudaGetSymbolSize(&size, device_variable); });
  CHECK(size == 16);
  // The address that CUDA tells is one of device memory, for copies and fills.
  void* told = nullptr;
  expect({cudaSuccess}, [&] { return cudaGetSymbolAddress(&told, device_variable); });
  expect({cudaSuccess}, [&] { return cudaMemset(told, 0, 4); });
  expect({cudaSuccess}, [&] { return cudaMemcpy(out, told, 16, cudaMemcpyDeviceToHost); });
  CHECK((out[0] == 0 && out[3] == 4));
  int* last = static_cast<int*>(told) + 3;
  expect({cudaSuccess}, [&] { return cudaMemcpy(last, in, 4, cudaMemcpyHostToDevice); });
  CHECK(device_variable[3] == 1);
  expect({cudaErrorInvalidValue, "has 4 bytes left in its variable, but 8 are copied"},
         [&] { return cudaMemcpy(last, in, 8, cudaMemcpyHostToDevice); });
}

TEST_CASE("copies whose source and destination overlap", "[runtime][copy]") {
  // [CUDA: cudaMemcpy] "The memory areas may not overlap."
  static char* p = nullptr;
  static std::array<char, 64> host{};
  REQUIRE(cudaMalloc(&p, 1024) == cudaSuccess);
  REQUIRE(cudaMemset(p, 0, 1024) == cudaSuccess);
  struct row {
    const char* name;
    cudaError_t (*call)();
    bool overlaps;
  };
  const auto row = GENERATE(values<struct row>({
      {"forwards", [] { return cudaMemcpy(p + 4, p, 64, cudaMemcpyDeviceToDevice); }, true},
      {"backwards", [] { return cudaMemcpy(p, p + 63, 64, cudaMemcpyDefault); }, true},
      {"onto itself", [] { return cudaMemcpy(p, p, 64, cudaMemcpyDeviceToDevice); }, true},
      {"asynchronous", [] { return cudaMemcpyAsync(p + 1, p, 2, cudaMemcpyDefault); }, true},
      {"of the host", [] { return cudaMemcpy(&host[1], &host[0], 8, cudaMemcpyHostToHost); }, true},
      {"rows", [] { return cudaMemcpy2D(p + 8, 32, p, 32, 16, 4, cudaMemcpyDefault); }, true},
      {"adjacent", [] { return cudaMemcpy(p + 64, p, 64, cudaMemcpyDeviceToDevice); }, false},
      {"columns", [] { return cudaMemcpy2D(p + 16, 32, p, 32, 16, 4, cudaMemcpyDefault); }, false},
      {"nothing", [] { return cudaMemcpy(p, p, 0, cudaMemcpyDeviceToDevice); }, false},
  }));
  CAPTURE(row.name);
  expect({cudaSuccess, row.overlaps ? "source and destination overlap" : ""}, row.call);
  CHECK(cudaFree(p) == cudaSuccess);
}
