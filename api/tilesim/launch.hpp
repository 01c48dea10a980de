// Kernel launches: what `kernel<<<grid, block>>>(args)` becomes, and a kernel's body.
//
// As NVIDIA's compiler does, the tool makes an ordinary call of a launch,
//     (::tilesim::detail::launching(::tilesim::detail::configure(grid, block), "kernel")
//          ? void() : kernel(args))
// so that overloads, deduction, conversions and default arguments are C++'s own, at the launch and
// once. A kernel's body begins with
//     if (!::tilesim::detail::enter_kernel())
//       return ::tilesim::detail::bind_kernel<kind>(__func__, &kernel, parameters...);
// which keeps the parameters' values for the launch; the simulator calls the kernel again, once per
// block (and thread). cudaLaunchKernel and its kin call the kernel just so, for it alone knows its kind.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector_types.h>

struct CUstream_st; // the CUDA runtime's own name of a stream's type

// Classes that are elements of tiles.
struct __half;
struct __nv_bfloat16;
struct __nv_tf32;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;

namespace tilesim::detail {

/// Where a kernel's arguments are kept: <new> is not included for a placement.
struct closure_place {
  void* at;
};

} // namespace tilesim::detail

[[gnu::always_inline]] inline void* operator new(::std::size_t /*bytes*/,
                                                 ::tilesim::detail::closure_place place) noexcept {
  return place.at;
}
[[gnu::always_inline]] inline void operator delete(void* /*at*/,
                                                   ::tilesim::detail::closure_place /*place*/) noexcept {}

namespace tilesim {

/// What kind of kernel a launch names, as far as the source shows it.
enum class kernel_kind : ::std::uint8_t { unknown, tile, simt };

namespace detail {

/// The four operands between <<< and >>>.
struct launch_config {
  dim3 grid;
  dim3 block;
  ::std::size_t shared_bytes;
  CUstream_st* stream;
  bool cooperative = false;          ///< its blocks may wait for one another
  ::std::size_t most_shared = 0;     ///< what the kernel may ask for; the runtime says so
};

TILESIM_API launch_config configure(dim3 grid,
                                    dim3 block = 1,
                                    ::std::size_t shared_bytes = 0,
                                    CUstream_st* stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

/// A kernel with its arguments bound, as the simulator stores it until the launch runs.
struct bound_kernel {
  const char* name;                ///< the kernel's own, without namespaces and template arguments
  void* closure;                   ///< owned by the launch
  void (*invoke)(const void*);     ///< runs the kernel for the current block and thread
  void (*destroy)(void*) noexcept; ///< frees the closure
  ::std::size_t closure_bytes;       ///< its size: the kernel's arguments, private to each thread
  const void* function = nullptr;    ///< the kernel's address, where its body can tell it
};

/// Enqueues a launch. Errors are the CUDA runtime's: see cudaGetLastError.
TILESIM_EXPORT void
enqueue(const launch_config& config, kernel_kind kind, const bound_kernel& kernel) noexcept;

class launching;
TILESIM_EXPORT void begin_launch(launching& l) noexcept;
TILESIM_EXPORT void end_launch(launching& l) noexcept;

/// A launch from its configuration to the end of the whole expression. The kernel that is called
/// meanwhile takes it. They nest: arguments may launch kernels of their own.
class launching {
public:
  TILESIM_API launching(const launch_config& c, const char* kernel) noexcept
      : config(c)
      , name(kernel) {
    begin_launch(*this);
  }
  TILESIM_API ~launching() { end_launch(*this); }
  launching(const launching&) = delete;
  launching& operator=(const launching&) = delete;

  /// False: the other branch, the call of the kernel, is what is wanted.
  TILESIM_API explicit operator bool() const noexcept { return false; }

  launch_config config;
  const char* name;             ///< as the launch writes it: the kernel's, or any expression; nullptr: none
  const void* site = nullptr;   ///< the launch's return address
  launching* around = nullptr;  ///< the launch whose arguments are being evaluated
  bool taken = false;           ///< by its kernel
  int error = 0;                ///< a cudaError_t: what the launch by its kernel came to
  const void* function = nullptr; ///< the kernel's address, where the launch is by one
};

/// True in the call that runs a kernel for a block and a thread; false where host code calls it.
TILESIM_EXPORT bool enter_kernel() noexcept;

/// A kernel was called by host code, from `site`: enqueues the launch that is under way.
TILESIM_EXPORT void
bind_launch(kernel_kind kind, const bound_kernel& kernel, const void* site) noexcept;

/// What no two threads can have: nobody may copy it.
template <class P>
inline constexpr bool unique_parameter = [] {
  if constexpr (::std::is_reference_v<P>) {
    return false;
  } else {
    return !::std::is_move_constructible_v<P>;
  }
}();

/// A parameter's value, or what a reference refers to.
template <class P>
struct held_argument {
  P value;
};

/// A copy for one thread. A class that can only be moved is moved out of a copy of its bytes, for
/// that is what a launch copies.
template <class P>
struct passed_argument {
  alignas(P) unsigned char bytes[sizeof(P)];

  TILESIM_API explicit passed_argument(const P& from) noexcept {
    __builtin_memcpy(bytes, static_cast<const void*>(&from), sizeof(P));
  }
  TILESIM_API P&& value() noexcept { return static_cast<P&&>(*reinterpret_cast<P*>(bytes)); }
};

template <class P>
TILESIM_API decltype(auto) pass_argument(const held_argument<P>& argument) noexcept {
  if constexpr (::std::is_reference_v<P>) {
    return static_cast<P>(argument.value);
  } else if constexpr (::std::is_copy_constructible_v<P>) {
    return static_cast<const P&>(argument.value);
  } else {
    return passed_argument<P>(argument.value);
  }
}
template <class P>
TILESIM_API decltype(auto) unwrap(P&& argument) noexcept {
  return static_cast<P&&>(argument);
}
template <class P>
TILESIM_API P&& unwrap(passed_argument<P>&& argument) noexcept {
  return argument.value();
}

/// The call of a kernel with values of its parameters' types.
template <class... P>
TILESIM_API auto call_with(void (*kernel)(P...), held_argument<P>... values) {
  return [kernel, ... values = static_cast<held_argument<P>&&>(values)] {
    kernel(unwrap(pass_argument<P>(values))...);
  };
}

/// The library's own memory: the program's operator new has nothing to do with a launch.
TILESIM_EXPORT void* allocate_closure(::std::size_t bytes, ::std::size_t alignment) noexcept;
TILESIM_EXPORT void free_closure(void* closure) noexcept;

template <class Closure>
TILESIM_API bound_kernel bind_closure(Closure closure) {
  return {nullptr,
          ::new (closure_place{allocate_closure(sizeof(Closure), alignof(Closure))})
              Closure(static_cast<Closure&&>(closure)),
          [](const void* c) { (*static_cast<const Closure*>(c))(); },
          [](void* c) noexcept {
            static_cast<Closure*>(c)->~Closure();
            free_closure(c);
          },
          sizeof(Closure),
          nullptr};
}

template <class Closure>
TILESIM_API bound_kernel bind_closure(const char* name, const void* function, Closure closure) {
  bound_kernel bound = bind_closure(static_cast<Closure&&>(closure));
  bound.name = name;
  bound.function = function;
  return bound;
}

/// What is kept of a parameter: a class is moved, for host code has no more use for it.
template <class P, class V>
TILESIM_API held_argument<P> keep_argument(V& parameter) {
  if constexpr (::std::is_reference_v<P>) {
    return {static_cast<P>(parameter)};
  } else {
    return {static_cast<V&&>(parameter)};
  }
}

/// Keeps the parameters of a kernel that host code has called for its launch. `name`: the kernel's __func__.
template <kernel_kind Kind, class... P, class... V>
TILESIM_API void bind_kernel(const char* name, void (*kernel)(P...), V&... parameters) {
  if constexpr ((!unique_parameter<P> && ...)) // the tool says so where one is
    bind_launch(Kind,
                bind_closure(name,
                             reinterpret_cast<const void*>(kernel),
                             call_with<P...>(kernel, keep_argument<P>(parameters)...)),
                __builtin_extract_return_addr(__builtin_return_address(0)));
}

/// The type of a parameter as the kernel's type has it: without the `__restrict__` of its declaration,
/// by which g++ does not find a template's function.
template <class T>
struct unrestricted {
  using type = T;
};
template <class T>
struct unrestricted<T* __restrict__> {
  using type = T*;
};
template <class T>
struct unrestricted<T* const __restrict__> {
  using type = T*;
};
template <class T>
using parameter_type = typename unrestricted<T>::type;

/// The same for a kernel whose parameters the tool cannot name: its body copies what it uses.
template <kernel_kind Kind, class Body>
TILESIM_API void run_or_bind(const char* name, Body body) {
  if (enter_kernel()) {
    return body();
  }
  bind_launch(Kind,
              bind_closure(name,
                           nullptr,
                           [body] {
                             enter_kernel();
                             auto own = body;
                             own();
                           }),
              __builtin_extract_return_addr(__builtin_return_address(0)));
}

// By value: `T* __restrict__` is a pointer, too.
template <class T>
::std::true_type points(T*);
::std::false_type points(...);

template <class T, class... Us>
inline constexpr bool is_one_of = (::std::is_same_v<T, Us> || ...);

/// What NVIDIA's compiler refuses for a parameter of a __tile_global__ function: all but scalars,
/// pointers (none to members) and references.
template <class P, class T = ::std::remove_cv_t<P>>
inline constexpr bool unsupported_parameter = [] {
  if constexpr (::std::is_reference_v<P> || ::std::is_enum_v<P> || ::std::is_null_pointer_v<P> ||
                ::std::is_floating_point_v<P>) {
    return false;
  } else if constexpr (::std::is_integral_v<P>) {
    return sizeof(P) > 8;
  } else if constexpr (is_one_of<T, __half, __nv_bfloat16, __nv_tf32, __nv_fp8_e4m3, __nv_fp8_e5m2>) {
    return false;
  } else if constexpr (::std::is_class_v<P> || ::std::is_union_v<P>) {
    return true;
  } else {
    return !decltype(points(::std::declval<P>()))::value;
  }
}();

} // namespace detail
} // namespace tilesim
