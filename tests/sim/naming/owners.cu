// Buffers in the forms of public code, each allocated on one line: one of them is accessed out of bounds, and the report has
// to tell its name, its element and that line. The first argument says which.
//
// SPDX-License-Identifier: Apache-2.0
#include "owners.h"

#include <array>
#include <functional>
#include <map>
#include <string_view>

namespace ct = cuda::tiles;

/// Stores one element behind the end.
__tile_global__ void spoil(float* victim, int n) {
  ct::store(victim + n, 1.0f);
}

void bad(float* p, int n) {
  spoil<<<1, 1>>>(p, n);
  cudaDeviceSynchronize();
}

namespace app { float* scratch; std::vector<float*> many; static std::unique_ptr<float, deleter> kept; namespace { float* hidden; } }
float* __restrict__ global_restrict;
cudaStream_t stream;
struct registry { static float* scratch; };
float* registry::scratch = nullptr;
thread_local float* mine;

int main(int, char** words) {
  const std::string_view way = words[1];
  const int n = 4;
#define WAY(name) else if (way == name)
  if (way == "template") { float* x = alloc<float>(n); bad(x, n); }
  WAY("template_void") { float* x = alloc_void<float>(n); bad(x, n); }
  WAY("into") { float* x; alloc_into(&x, n); bad(x, n); }
  WAY("ref") { float* x; alloc_ref(x, n); bad(x, n); }
  WAY("shared_raw") { float* raw; cudaMalloc(&raw, n * 4); std::shared_ptr<float> x(raw, cudaFree); bad(x.get(), n); }
  WAY("shared_alloc") { std::shared_ptr<float> x(alloc<float>(n), cudaFree); bad(x.get(), n); }
  WAY("shared_lambda") { std::shared_ptr<float> x(alloc<float>(n), [](float* p) { cudaFree(p); }); bad(x.get(), n); }
  WAY("shared_iife") { std::shared_ptr<float> x([&] { float* p; cudaMalloc(&p, n * 4); return p; }(), cudaFree); bad(x.get(), n); }
  WAY("make_shared") { auto x = make_shared_device<float>(n); bad(x.get(), n); }
  WAY("make_shared_void") { auto x = make_shared_void<float>(n); bad(x.get(), n); }
  WAY("adopt") { auto x = adopt(alloc<float>(n)); bad(x.get(), n); }
  WAY("unique_raw") { float* raw; cudaMalloc(&raw, n * 4); std::unique_ptr<float, deleter> x(raw); bad(x.get(), n); }
  WAY("unique_released") { std::unique_ptr<float, deleter> x; { float* raw; cudaMalloc(&raw, n * 4); x.reset(raw); } bad(x.get(), n); }
  WAY("make_unique") { auto x = make_unique_device<float>(n); bad(x.get(), n); }
  WAY("make_device") { auto x = make_device<float>(n); bad(x.get(), n); }
  WAY("lambda") { auto get = [&](std::size_t k) { float* p = nullptr; CHECK(cudaMalloc(&p, k * 4)); return p; }; float* x = get(n); float* y = get(n + 1); bad(x, n); (void)y; }
  WAY("lambda_void") { auto get = [&](std::size_t k) { void* p = nullptr; CHECK(cudaMalloc(&p, k * 4)); return (float*)p; }; float* x = get(n); bad(x, n); }
  WAY("lambda_ref") { auto get = [&](float*& p, std::size_t k) { CHECK(cudaMalloc(&p, k * 4)); }; float* x; get(x, n); bad(x, n); }
  WAY("lambda_capture") { float* x; auto get = [&] { CHECK(cudaMalloc(&x, n * 4)); }; get(); bad(x, n); }
  WAY("function") { std::function<float*(int)> get = [](int k) { float* p; cudaMalloc(&p, k * 4); return p; }; float* x = get(n); bad(x, n); }
  WAY("timed") { float* x = timed([&] { float* p; cudaMalloc(&p, n * 4); return p; }); bad(x, n); }
  WAY("vector") { std::vector<float*> v(3); for (auto& p : v) CHECK(cudaMalloc(&p, n * 4)); bad(v[1], n); }
  WAY("vector_push") { std::vector<float*> v; for (int i = 0; i < 3; ++i) { float* p; CHECK(cudaMalloc(&p, n * 4)); v.push_back(p); } bad(v[1], n); }
  WAY("vector_alloc") { std::vector<float*> v; for (int i = 0; i < 3; ++i) v.push_back(alloc<float>(n)); bad(v[1], n); }
  WAY("vector_shared") { std::vector<std::shared_ptr<float>> v; for (int i = 0; i < 3; ++i) v.push_back(make_shared_device<float>(n)); bad(v[1].get(), n); }
  WAY("vector_unique") { std::vector<device_ptr<float>> v; for (int i = 0; i < 3; ++i) v.emplace_back(make_device<float>(n)); bad(v[1].get(), n); }
  WAY("array") { std::array<float*, 3> a; for (auto& p : a) GPU(cudaMalloc(&p, n * 4)); bad(a[1], n); }
  WAY("member") { model m; m.init(n); bad(m.bias, n); }
  WAY("member_ptr") { auto m = std::make_unique<model>(); m->init(n); bad(m->bias, n); }
  WAY("device_vector") { device_vector<float> x(n); bad(x.data(), n); }
  WAY("device_vector_zeros") { auto x = device_vector<float>::zeros(n); bad(x.data(), n); }
  WAY("device_vector_resize") { device_vector<float> x; x.resize(n); bad(x.data(), n); }
  WAY("device_vector_assign") { device_vector<float> x; x = device_vector<float>(n); bad(x.data(), n); }
  WAY("allocator") { vec<float> x(n); bad(x.data(), n); }
  WAY("raw_buffer") { raw_buffer x(n * 4); bad(x.as<float>(), n); }
  WAY("pool") { pool memory; float* x = (float*)memory.get(n * 4); float* y = (float*)memory.get(n * 4); bad(x, n); (void)y; }
  WAY("layer") { auto l = layer::create(n); bad(l.b.data(), n); }
  WAY("layer_make") { auto l = layer::make(n); bad(l->b.data(), n); }
  WAY("ns") { CHECK(cudaMalloc(&app::scratch, n * 4)); bad(app::scratch, n); }
  WAY("ns_alloc") { app::scratch = alloc<float>(n); bad(app::scratch, n); }
  WAY("ns_vector") { app::many.push_back(alloc<float>(n)); bad(app::many[0], n); }
  WAY("ns_unique") { app::kept.reset(alloc<float>(n)); bad(app::kept.get(), n); }
  WAY("ns_anon") { CHECK(cudaMalloc((void**)&app::hidden, n * 4)); bad(app::hidden, n); }
  WAY("global_restrict") { CHECK(cudaMalloc((void**)&global_restrict, n * 4)); bad(global_restrict, n); }
  WAY("singleton") { singleton::get().ensure(n); bad(singleton::get().buffer, n); }
  WAY("check") { float* x; CHECK(cudaMalloc(&x, n * 4)); bad(x, n); }
  WAY("gpu") { float* x; GPU(cudaMalloc((void**)&x, n * 4)); bad(x, n); }
  WAY("voidpp") { void* p; CHECK(cudaMalloc(&p, n * 4)); float* x = static_cast<float*>(p); bad(x, n); }
  WAY("async") { cudaStreamCreate(&stream); float* x; CHECK(cudaMallocAsync(&x, n * 4, stream)); cudaStreamSynchronize(stream); bad(x, n); }
  WAY("async_void") { cudaStreamCreate(&stream); void* v; CHECK(cudaMallocAsync(&v, n * 4, stream)); auto* x = reinterpret_cast<float*>(v); bad(x, n); }
  WAY("managed") { float* x; CHECK(cudaMallocManaged(&x, n * 4)); bad(x, n); }
  WAY("host") { float* x; CHECK(cudaMallocHost(&x, n * 4)); bad(x, n); }
  WAY("result") { auto r = try_alloc(n); bad(r.p, n); }
  WAY("two") { auto [x, y] = alloc_two<float>(n); bad(x, n); (void)y; }
  WAY("map") { std::map<int, float*> m; m[3] = alloc<float>(n); bad(m[3], n); }
  WAY("ternary") { float* x = n > 3 ? alloc<float>(n) : nullptr; bad(x, n); }
  WAY("argument") { bad(alloc<float>(n), n); }
  WAY("static_lambda") { auto get = [&]() -> float* { static float* cache = nullptr; if (!cache) CHECK(cudaMalloc(&cache, n * 4)); return cache; }; bad(get(), n); }
  WAY("static_local") { struct local { static float* get(int k) { static float* kept = nullptr; if (!kept) CHECK(cudaMalloc(&kept, k * 4)); return kept; } }; bad(local::get(n), n); }
  WAY("static_member") { registry::scratch = alloc<float>(n); bad(registry::scratch, n); }
  WAY("tls") { mine = alloc<float>(n); bad(mine, n); }
  WAY("ctor_local") { temp_buffer x(n); bad(x.data_, n); }
  WAY("heap_new") { auto* x = new device_vector<float>(n); bad(x->data(), n); }
  WAY("heap_shared") { auto x = std::make_shared<device_vector<float>>(n); bad(x->data(), n); }
  WAY("offset") { float* base = alloc<float>(2 * n); float* second = base + n; bad(second, n); }
  else return 3;
}
