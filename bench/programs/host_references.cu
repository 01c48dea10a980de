// Host references in the manner of NVIDIA's samples, each timed: built with hooks and without, for their ratio while there
// is nothing to judge. See docs/performance.md.
//
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>
static double now() { return double(clock()) / CLOCKS_PER_SEC; }
void matrixMulCPU(float *C, const float *A, const float *B, unsigned int hA, unsigned int wA, unsigned int wB) {
  for (unsigned int i = 0; i < hA; ++i)
    for (unsigned int j = 0; j < wB; ++j) {
      double sum = 0;
      for (unsigned int k = 0; k < wA; ++k) {
        double a = A[i * wA + k];
        double b = B[k * wB + j];
        sum += a * b;
      }
      C[i * wB + j] = (float)sum;
    }
}
static void simple_sgemm(int n, float alpha, const float *A, const float *B, float beta, float *C) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      float prod = 0;
      for (int k = 0; k < n; ++k) prod += A[k * n + i] * B[j * n + k];
      C[j * n + i] = alpha * prod + beta * C[j * n + i];
    }
}
void stencil(const float* in, float* out, int n) {
  for (int y = 1; y < n - 1; ++y)
    for (int x = 1; x < n - 1; ++x)
      out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}
extern "C" void convolutionRowCPU(float *h_Dst, float *h_Src, float *h_Kernel, int imageW, int imageH, int kernelR) {
  for (int y = 0; y < imageH; y++)
    for (int x = 0; x < imageW; x++) {
      float sum = 0;
      for (int k = -kernelR; k <= kernelR; k++) {
        int d = x + k;
        if (d >= 0 && d < imageW) sum += h_Src[y * imageW + d] * h_Kernel[kernelR - k];
      }
      h_Dst[y * imageW + x] = sum;
    }
}
void histogram64CPU(unsigned* h, const unsigned char* data, size_t n) {
  for (int i = 0; i < 64; ++i) h[i] = 0;
  for (size_t i = 0; i < n; ++i) h[data[i] >> 2]++;
}
template <class T> T reduceCPU(T *data, int size) {
  T sum = data[0]; T c = (T)0.0;
  for (int i = 1; i < size; i++) { T y = data[i] - c; T t = sum + y; c = (t - sum) - y; sum = t; }
  return sum;
}
static float CND(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f, RSQRT2PI = 0.39894228040143267793994605993438f;
  float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float cnd = RSQRT2PI * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  return d > 0 ? 1.0f - cnd : cnd;
}
void BlackScholesCPU(float* call, float* S, float* X, float* T, int n) {
  for (int i = 0; i < n; ++i) {
    float sqrtT = sqrtf(T[i]);
    float d1 = (logf(S[i] / X[i]) + (0.02f + 0.5f * 0.09f) * T[i]) / (0.3f * sqrtT);
    float d2 = d1 - 0.3f * sqrtT;
    call[i] = S[i] * CND(d1) - X[i] * expf(-0.02f * T[i]) * CND(d2);
  }
}
void vector_matmul(std::vector<float>& C, const std::vector<float>& A, const std::vector<float>& B, int n) {
  for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) { float s = 0; for (int k = 0; k < n; ++k) s += A[i * n + k] * B[k * n + j]; C[i * n + j] = s; }
}
int main() {
  const int n = 300;
  std::vector<float> A(n * n), B(n * n), C(n * n), big(1 << 20), big2(1 << 20), k17(17, .1f), T(1 << 18, 1.f), S(1 << 18, 20.f), X(1 << 18, 21.f);
  std::vector<unsigned char> bytes(1 << 22);
  double t0 = now();
  for (auto& x : A) x = (float)rand() / RAND_MAX; for (auto& x : B) x = (float)rand() / RAND_MAX;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = (unsigned char)(i * 7);
  for (size_t i = 0; i < big.size(); ++i) big[i] = float(i % 100);
  auto row = [&](const char* name, auto f, int times) { double best = 1e9; for (int i = 0; i < times; ++i) { double t = now(); f(); t = now() - t; if (t < best) best = t; } printf("host %s seconds %.5f\n", name, best); };
  row("init", [&] { for (size_t i = 0; i < big.size(); ++i) big[i] = float(i % 100) * .5f; }, 3);
  row("matrixMul", [&] { matrixMulCPU(C.data(), A.data(), B.data(), n, n, n); }, 3);
  row("sgemm", [&] { simple_sgemm(n, 1, A.data(), B.data(), 0, C.data()); }, 3);
  row("stencil", [&] { stencil(big.data(), big2.data(), 1024); }, 5);
  row("convolution", [&] { convolutionRowCPU(big2.data(), big.data(), k17.data(), 1024, 256, 8); }, 3);
  unsigned h[64]; row("histogram", [&] { histogram64CPU(h, bytes.data(), bytes.size()); }, 3);
  float r = 0; row("reduce", [&] { r = reduceCPU(big.data(), 1 << 20); }, 3);
  row("blackscholes", [&] { BlackScholesCPU(big2.data(), S.data(), X.data(), T.data(), 1 << 18); }, 3);
  row("vectors", [&] { vector_matmul(C, A, B, n); }, 3);
  printf("%f %u\n", r, h[3]);
}
