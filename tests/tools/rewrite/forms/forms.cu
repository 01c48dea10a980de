// Every form of a launch, run: each prints its kind, its name, its configuration and its arguments.
//
// forms.expected holds what must come out, with g++ and with clang++.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <vector>

__tile_global__ void plain_kernel(int a) {
  std::printf("plain %d\n", a);
}
__global__ void simt_kernel(int a, int b) {
  std::printf("simt %d %d\n", a, b);
}
__tile_global__ void nothing() {
  std::printf("nothing\n");
}
template <class T, int N = 1>
__tile_global__ void typed(T a) {
  std::printf("typed size %zu, N %d, %g\n", sizeof(T), N, static_cast<double>(a));
}
__global__ void __launch_bounds__(256) bounded(const int* p, int n) {
  std::printf("bounded %s %d\n", p ? "pointer" : "null", n);
}
static __tile_global__ void two(float* x, float* y) {
  std::printf("two %s %s\n", x ? "pointer" : "null", y ? "pointer" : "null");
}
__tile_global__ void both(int) {
  std::printf("both int\n");
}
__global__ void both(int*) {
  std::printf("both int*\n");
}
#define KERNEL static __tile_global__ void
KERNEL by_macro(int a) {
  std::printf("by_macro %d\n", a);
}

namespace ns::inner {
template <int N>
__tile_global__ void kernel(int a) {
  std::printf("ns %d %d\n", N, a);
}
} // namespace ns::inner

template <class T>
struct list {
  static constexpr int size = 3;
};
template <class T>
int f() {
  return 5;
}
constexpr int eight() {
  return 8;
}

struct holder {
  int value = 7;
  static __tile_global__ void k(int a) { std::printf("holder::k %d\n", a); }
  template <int N>
  static __tile_global__ void nk(int a) {
    std::printf("holder::nk %d %d\n", N, a);
  }
  void (*fp)(int) = k;
  void member() {
    k<<<1, 1>>>(value);
    this->k<<<2, 1>>>(this->value + 1);
    this->nk<4><<<3>>>(value + 2);
    this->fp<<<4>>>(value + 3);
    fp<<<5>>>(value + 4);
    (*this).k<<<6>>>(0);
  }
};

template <class C>
void dependent(C object, int a) {
  C::template nk<9><<<1, 2>>>(a);
  object.template nk<10><<<1, 2>>>(a + 1);
  object.k<<<1>>>(a);
  typed<int, C{}.value><<<1>>>(a);
}

template <class T>
struct derived : T {
  void go() {
    this->template nk<2><<<1>>>(11);
    this->k<<<1>>>(0);
    T::k<<<1>>>(12);
  }
};

template <class... Ts>
void variadic(Ts... args) {
  simt_kernel<<<1, 1>>>(args...);
}

#define LAUNCH(kernel, n, ...) kernel<<<(n) + 1, 2>>>(__VA_ARGS__)
#define LAUNCH_MANY(n) \
  plain_kernel<<<n, \
                 3>>>(n); /* and one more */ \
  typed<short> \
      <<<n, 4>>>(0)
#define CHECK(...) (__VA_ARGS__)
#define CONFIG(grid, block) <<< grid, block >>>
#define ONE_BLOCK <<<1>>>
#define ON_TWO(kernel) kernel<<<2, 1>>>
#define ONCE(call) do { call; } while (0)

int counter = 0;
int next() {
  return ++counter;
}
void (*table[2])(int) = {plain_kernel, by_macro};
void (*choose(int i))(int) {
  return table[i];
}

// At namespace scope a lambda may capture nothing.
int at_namespace_scope = (plain_kernel<<<77>>>(77), 1);
namespace {
int in_unnamed_namespace = (nothing<<<78>>>(), 1);
}
auto in_a_lambda = [](int n) { plain_kernel<<<n>>>(n); };

int main() {
  std::printf("-- configurations\n");
  plain_kernel<<<1>>>(1);
  plain_kernel<<<dim3(2), dim3(3)>>>(2);
  plain_kernel<<<1, 2, 3, nullptr>>>(3);
  plain_kernel <<< 4 , 5 , 6 >>> (4);
  plain_kernel<<<dim3{7, 1, 1}, {8}>>>(5);
  int n = 100;
  plain_kernel<<<(n >> 3), 1>>>(n);
  plain_kernel<<<n >> 3, 1>>>(n);
  plain_kernel<<<n < 4 ? 1 : 2, 1>>>(n);
  plain_kernel<<<f<list<list<int>>>(), 1>>>(6);
  plain_kernel<<<f<list<list<list<int>>>>(), 2>>>(7);
  plain_kernel<<<1, list<int>::size>>>(8);
  plain_kernel<<<f<int>(), f<list<int>>()>>>(9);
  plain_kernel<<<(1 << 2), 1>>>(10);
  plain_kernel<<<1, sizeof(list<list<int>>)>>>(11);
  plain_kernel<<<1'0, 0x1F>>>(12);
  plain_kernel<<<[] { return 3; }(), 1>>>(13);

  std::printf("-- callees\n");
  nothing<<<1, 1>>>();
  ::nothing<<<1, 1>>>();
  typed<<<1, 1>>>(2.5);
  typed<float><<<1, 1>>>(3);
  typed<float, 4><<<1, 1>>>(3);
  typed<float, (8 > 4) ? 2 : 3><<<1, 1>>>(3);
  typed<float, eight()><<<1, 1>>>(3);
  typed<float, (1 << 2)><<<1, 1>>>(3);
  typed<float, list<list<int>>::size><<<1, 1>>>(3);
  ns::inner::kernel<3><<<1>>>(4);
  ::ns::inner::kernel<4><<<1>>>(4);
  by_macro<<<1>>>(1);
  both<<<1>>>(1);
  both<<<1>>>(&n);
  auto* fp = &plain_kernel;
  fp<<<1>>>(2);
  (*fp)<<<1>>>(3);
  (&simt_kernel)<<<1>>>(3, 4);
  table[1]<<<1>>>(5);
  choose(1)<<<1>>>(6);
  choose(next())<<<1>>>(7);
  std::printf("evaluated %d time\n", counter);
  counter = 0;
  constexpr int local = 6;
  typed<int, local><<<1>>>(7);
  const int also_local = 3;
  typed<int, also_local><<<1>>>(7);
  holder h;
  h.k<<<1>>>(1);
  holder* hp = &h;
  hp->k<<<1>>>(2);
  holder{}.k<<<1>>>(3);
  holder::k<<<1>>>(4);
  h.member();
  dependent(h, 20);
  derived<holder>{}.go();
  (void)n, plain_kernel<<<1>>>(8);
  if (n)
    ::plain_kernel<<<1>>>(9);
  else
    plain_kernel<<<1>>>(10);

  std::printf("-- arguments\n");
  variadic(1, 2);
  bounded<<<1>>>(0, 1);
  bounded<<<1>>>(NULL, 0);
  bounded<<<1>>>(nullptr, 0);
  bounded<<<1>>>(&n, 0);
  two<<<1>>>(0, (0));
  typed<<<1>>>(0);
  typed<<<1>>>(0.0);
  simt_kernel<<<1>>>(0, f<int>() > 0);
  simt_kernel<<<1>>>(f<int>(), list<int>::size);
  plain_kernel<<<1>>>(static_cast<int>(sizeof("a,b>>>(\"" R"(c",)<<<>>>)")));
  plain_kernel<<<1>>>(')' + ',' + '\'' + '"');
  plain_kernel<<<next(), 1>>>(next());
  std::printf("evaluated %d times\n", counter);
  int arrays[2] = {1, 2};
  bounded<<<1>>>(arrays, arrays[1]);
  plain_kernel
      <<<1, // the grid is >>> (one)
         2  /* and the block >>>( */
         >>>(
          // the argument
          3  /* three */
      );
  plain_kernel<<<1>>>([] {
    nothing<<<2>>>();
    return 5;
  }());
  plain_kernel<<<(nothing<<<3>>>(), 4)>>>((nothing<<<5>>>(), 6));

  std::printf("-- macros\n");
  LAUNCH(plain_kernel, 1, 2);
  LAUNCH(typed<float>, 2, 3);
  LAUNCH(nothing, 3);
  LAUNCH_MANY(4);
  CHECK(plain_kernel<<<1, 1>>>(1), nothing<<<1, 1>>>());
  ONCE(plain_kernel<<<1,
                      2>>>(
      __LINE__));
  ONCE(ONCE(LAUNCH(plain_kernel, 5, __LINE__)));
  plain_kernel<<<1>>>(__LINE__), plain_kernel<<<__LINE__>>>(__LINE__);

  plain_kernel CONFIG(n, 2)(3);
  typed<float, 2> CONFIG(1, f<list<int>>())(0);
  bounded ONE_BLOCK(NULL, 1);
  ON_TWO(plain_kernel)(4);
  ON_TWO((&simt_kernel))(4, 5);

  std::printf("-- no launches\n");
  std::vector<std::vector<std::vector<int>>> nested(1 << 2);
  std::printf("%s %zu\n", "a<<<1>>>(b)", nested.size() >> 1);
  // plain_kernel<<<1>>>(1);
  /* plain_kernel<<<1>>>(1); */
#if 0
  do not plain_kernel<<<1>>>(1
#endif
  in_a_lambda(3);
  auto generic = [&](auto a) { typed<decltype(a), 3><<<1>>>(a + n); };
  generic(1);
  generic(1.0F);
  [=] { fp<<<1>>>(local); }();
}
