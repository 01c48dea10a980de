// SPDX-License-Identifier: Apache-2.0
static unsigned umin(unsigned a, unsigned b) {
  return a <= b ? a : b;
}

unsigned smaller(unsigned a, unsigned b);

unsigned smaller(unsigned a, unsigned b) {
  return umin(a, b);
}
