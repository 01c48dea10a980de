// The loops of checked.cu for Oclgrind, an OpenCL simulator with a race detector: the yardstick of what exists.
// SPDX-License-Identifier: Apache-2.0
kernel void saxpy(global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[i] = 2.0f * x[i] + y[i];
}

kernel void histogram(global const int* data, global int* bins) {
  size_t i = get_global_id(0);
  atomic_inc(&bins[data[i] & 255]);
}

kernel void scatter(global const float* x, global float* y) {
  size_t i = get_global_id(0);
  y[(i * 7919) % get_global_size(0)] = x[i];
}
