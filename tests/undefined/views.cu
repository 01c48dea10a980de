// The pages on views, and data races inside one store: an index outside the index space, a tile that
// lies partly outside without a mask, elements stored to one place. Each beside neighbours that are
// right.
//
// check.py reads the comments, see arithmetic.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;
using relaxed = ct::memory_order_relaxed_t;
using device = ct::thread_scope_device_t;

template <class T> __tile__ void use(const T&) {}

// 6 rows of 10 in tiles of 4x4: index space 2 x 3.
__tile_global__ void partitions(int* x) {
  ct::partition_view v{ct::tensor_span{x, ct::extents{6, 10}}, ct::shape<4, 4>{}};
  auto t = ct::iota<ct::tile<int, ct::shape<4, 4>>>();
  use(v.load(0, 1));
  use(v.load_masked(1, 2));
  v.store(t, 0, 1);
  v.store_masked(t, 1, 2);
  v.atomic_add(t, relaxed{}, device{}, 0, 0);
  use(v.load(1, 0)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
                     // | by tile block (0,0,0) of partitions
                     // | element (2,0) of an i32 tile [4x4], element (6,0) of the tensor [6x10]
                     // | 8 of its 16 elements lie outside
                     // | to fix: load_masked gives such elements a padding
  use(v.load(0, 2)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
  use(v.atomic_load(relaxed{}, 1, 2)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
  v.store(t, 1, 1); // error: unmasked store of a tile that lies partly outside its tensor [view-bounds]
                    // | by tile block (0,0,0) of partitions
                    // | element (2,0) of an i32 tile [4x4], element (6,4) of the tensor [6x10]
                    // | 8 of its 16 elements lie outside
                    // | to fix: store_masked leaves such elements out
  v.atomic_store(t, relaxed{}, 0, 2); // error: unmasked store of a tile that lies partly outside its tensor [view-bounds]
  v.atomic_max(t, relaxed{}, device{}, 1, 2); // error: unmasked atomic update of a tile that lies partly outside its tensor [view-bounds]
                                              // | by tile block (0,0,0) of partitions
                                              // | element (0,2) of an i32 tile [4x4], element (4,10) of the tensor [6x10]
                                              // | 12 of its 16 elements lie outside
                                              // | to fix: use atomics through a tile of pointers with a mask
  use(v.load_masked(2, 0)); // error: index 2 along dimension 0 of a partition view with 2 tiles there [view-index]
                            // | by tile block (0,0,0) of partitions
                            // | it takes an i32 tile [4x4] of a tensor [6x10]
                            // | to fix: indices of this view count tiles, not elements; masks do not make an index outside the index space good
  use(v.load_masked<ct::view_padding::zero>(0, 3)); // error: index 3 along dimension 1 of a partition view with 3 tiles there [view-index]
  v.store_masked(t, 0, -1); // error: index -1 (read as 4294967295) along dimension 1 of a partition view with 3 tiles there [view-index]
                            // | by tile block (0,0,0) of partitions
                            // | it takes an i32 tile [4x4] of a tensor [6x10]
                            // | to fix: indices of this view count tiles, not elements; masks do not make an index outside the index space good
  v.store(t, 2, 0); // error: index 2 along dimension 0 of a partition view with 2 tiles there [view-index]
  v.atomic_sub(t, relaxed{}, device{}, 0, 3); // error: index 3 along dimension 1 of a partition view with 3 tiles there [view-index]
}

// 2x2 tiles at every third row and every fourth column: index space 2 x 3.
__tile_global__ void strided(int* x) {
  ct::strided_view v{ct::tensor_span{x, ct::extents{6, 10}}, ct::shape<2, 2>{}, ct::strides{3_ic, 4_ic}};
  auto t = ct::iota<ct::tile<int, ct::shape<2, 2>>>();
  use(v.load(1, 2));
  v.store(t, 1, 2);
  v.atomic_or(t, relaxed{}, device{}, 0, 1);
  use(v.load(2, 0)); // error: index 2 along dimension 0 of a strided view with 2 tiles there [view-index]
                     // | by tile block (0,0,0) of strided
                     // | it takes an i32 tile [2x2] of a tensor [6x10]
                     // | to fix: indices of this view count tiles, not elements; masks do not make an index outside the index space good
  use(v.load_masked(0, 3)); // error: index 3 along dimension 1 of a strided view with 3 tiles there [view-index]
  ct::strided_view dense{ct::tensor_span{x, ct::extents{6, 10}}, ct::shape<2, 2>{}, ct::strides{1_ic, 1_ic}};
  use(dense.load(4, 8));
  use(dense.load(5, 8)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
  dense.store(t, 4, 9); // error: unmasked store of a tile that lies partly outside its tensor [view-bounds]
  dense.store_masked(t, 5, 9);
}

// Rows by a list, columns from a first one.
__tile_global__ void gathered(int* x) {
  ct::gather_scatter_view v{ct::tensor_span{x, ct::extents{6, 10}}, ct::shape<4, 4>{}, 0_ic};
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  auto t = ct::iota<ct::tile<int, ct::shape<4, 4>>>();
  use(v.load(i + 2, 6));
  use(v.load(i / 2, 6));
  v.store(t, 5 - i, 0);
  v.store_masked(t, i + 4, 8);
  v.atomic_store(t, relaxed{}, i / 2, 0);
  use(v.load(i + 3, 6)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
  use(v.load(i, 7)); // error: unmasked load of a tile that lies partly outside its tensor [view-bounds]
  use(v.load_masked(i, 10)); // error: index 10 along dimension 1 of a gather-scatter view with 10 elements there [view-index]
                             // | by tile block (0,0,0) of gathered
                             // | it takes an i32 tile [4x4] of a tensor [6x10]
                             // | to fix: the tile must begin inside the tensor, with masks, too
  use(v.load_masked(i - 1, 0));
  v.store(t, i / 2, 0); // error: one store writes two elements of its tile to the same place [overlapping-store]
                        // | by tile block (0,0,0) of gathered
                        // | element (0,0) of an i32 tile [4x4], element (0,0) of the tensor [6x10]
                        // | element (1,0) of an i32 tile [4x4], element (0,0) of the tensor [6x10]
                        // | strides of the tensor: [10x1]
                        // | to fix: list every element once, or use atomic_store
  v.store_masked(t, i / 3 * 3 + 3, 0); // error: one store writes two elements of its tile to the same place [overlapping-store]
}

// Strides of the tensor that let elements share their places.
__tile_global__ void overlapping(int* x) {
  ct::partition_view windows{ct::tensor_span{x, ct::layout_strided_mapping{ct::extents{4, 4}, ct::strides{1, 1}}}, ct::shape<2, 2>{}};
  ct::partition_view apart{ct::tensor_span{x, ct::layout_strided_mapping{ct::extents{4, 4}, ct::strides{3, 2}}}, ct::shape<2, 2>{}};
  auto t = ct::iota<ct::tile<int, ct::shape<2, 2>>>();
  use(windows.load(1, 1));
  apart.store(t, 0, 0);
  windows.atomic_store(t, relaxed{}, 0, 0);
  windows.atomic_add(t, relaxed{}, device{}, 0, 0);
  windows.store(t, 0, 0); // error: one store writes two elements of its tile to the same place [overlapping-store]
  windows.store(ct::zeros<ct::tile<int, ct::shape<2, 2>>>(), 1, 0); // error: one store writes two elements of its tile to the same place [overlapping-store]
  windows.store_masked(t, 1, 1); // error: one store writes two elements of its tile to the same place [overlapping-store]
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 60 * sizeof(int));
  cudaMemset(x, 0, 60 * sizeof(int));
  partitions<<<1, 1>>>(x);
  strided<<<1, 1>>>(x);
  gathered<<<1, 1>>>(x);
  overlapping<<<1, 1>>>(x);
  cudaDeviceSynchronize();
}
