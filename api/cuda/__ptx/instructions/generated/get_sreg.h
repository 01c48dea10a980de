// Special registers of threads, by libcu++'s names, where they stand for indices and lanes; the others
// are libcu++'s own, whose PTX is told. [PTX: special registers]
//
// Included inside of namespace cuda::ptx.
//
// SPDX-License-Identifier: Apache-2.0

#define get_sreg_tid_x get_sreg_tid_x_by_ptx
#define get_sreg_tid_y get_sreg_tid_y_by_ptx
#define get_sreg_tid_z get_sreg_tid_z_by_ptx
#define get_sreg_ntid_x get_sreg_ntid_x_by_ptx
#define get_sreg_ntid_y get_sreg_ntid_y_by_ptx
#define get_sreg_ntid_z get_sreg_ntid_z_by_ptx
#define get_sreg_ctaid_x get_sreg_ctaid_x_by_ptx
#define get_sreg_ctaid_y get_sreg_ctaid_y_by_ptx
#define get_sreg_ctaid_z get_sreg_ctaid_z_by_ptx
#define get_sreg_nctaid_x get_sreg_nctaid_x_by_ptx
#define get_sreg_nctaid_y get_sreg_nctaid_y_by_ptx
#define get_sreg_nctaid_z get_sreg_nctaid_z_by_ptx
#define get_sreg_laneid get_sreg_laneid_by_ptx
#define get_sreg_lanemask_eq get_sreg_lanemask_eq_by_ptx
#define get_sreg_lanemask_le get_sreg_lanemask_le_by_ptx
#define get_sreg_lanemask_lt get_sreg_lanemask_lt_by_ptx
#define get_sreg_lanemask_ge get_sreg_lanemask_ge_by_ptx
#define get_sreg_lanemask_gt get_sreg_lanemask_gt_by_ptx
#if __has_include_next(<cuda/__ptx/instructions/generated/get_sreg.h>)
#include_next <cuda/__ptx/instructions/generated/get_sreg.h>
#endif
#undef get_sreg_tid_x
#undef get_sreg_tid_y
#undef get_sreg_tid_z
#undef get_sreg_ntid_x
#undef get_sreg_ntid_y
#undef get_sreg_ntid_z
#undef get_sreg_ctaid_x
#undef get_sreg_ctaid_y
#undef get_sreg_ctaid_z
#undef get_sreg_nctaid_x
#undef get_sreg_nctaid_y
#undef get_sreg_nctaid_z
#undef get_sreg_laneid
#undef get_sreg_lanemask_eq
#undef get_sreg_lanemask_le
#undef get_sreg_lanemask_lt
#undef get_sreg_lanemask_ge
#undef get_sreg_lanemask_gt

template <class = void>
TILESIM_API ::std::uint32_t get_sreg_tid_x() {
  return ::threadIdx.x;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_tid_y() {
  return ::threadIdx.y;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_tid_z() {
  return ::threadIdx.z;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ntid_x() {
  return ::blockDim.x;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ntid_y() {
  return ::blockDim.y;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ntid_z() {
  return ::blockDim.z;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ctaid_x() {
  return ::blockIdx.x;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ctaid_y() {
  return ::blockIdx.y;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_ctaid_z() {
  return ::blockIdx.z;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_nctaid_x() {
  return ::gridDim.x;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_nctaid_y() {
  return ::gridDim.y;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_nctaid_z() {
  return ::gridDim.z;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_laneid() {
  return (::threadIdx.x + ::blockDim.x * (::threadIdx.y + ::blockDim.y * ::threadIdx.z)) % 32;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_lanemask_eq() {
  return 1U << get_sreg_laneid();
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_lanemask_lt() {
  return (1U << get_sreg_laneid()) - 1;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_lanemask_le() {
  return (2U << get_sreg_laneid()) - 1;
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_lanemask_ge() {
  return ~((1U << get_sreg_laneid()) - 1);
}
template <class = void>
TILESIM_API ::std::uint32_t get_sreg_lanemask_gt() {
  return ~((2U << get_sreg_laneid()) - 1);
}
