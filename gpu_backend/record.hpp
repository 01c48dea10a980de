// The recorder: writes what a program copies from the device to the host to a file, a recording.
//
// Give it to the compiler with `-include gpu_backend/record.hpp`; the program's source stays as it
// is. It works with NVIDIA's compiler and with tilesim alike, so that what hardware and simulator
// gave are two files of one kind. README.md beside this file describes the file and the macros
// TILESIM_RECORD_SOURCE and TILESIM_RECORD_FLAGS.
//
//   $TILESIM_RECORD         the file to write; PROGRAM.rec in the current folder unless set
//   $TILESIM_RECORD_VALUES  how many first values of a copy to keep, `all`, or `spread:N`: at most
//   N,
//                           spread evenly over the copy; 16 unless set
//
// The runtime's copying functions become macros of the same names, so that the destination's
// expression is the copy's label and its type the values' type. C++20;
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cells.hpp"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <deque>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define TILESIM_RECORDER 1

#ifndef TILESIM_RECORD_SOURCE
#  define TILESIM_RECORD_SOURCE "unknown"
#endif
#ifndef TILESIM_RECORD_FLAGS
#  define TILESIM_RECORD_FLAGS "unknown"
#endif

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_tf32;

namespace tilesim::recording {

// ------------------------------------------------------------------------- the type of a cell

/// The name in cells.hpp for an element type of C++ or CUDA; `byte` for any other.
template <class T>
constexpr std::string_view cell_name() noexcept {
  if constexpr (std::is_same_v<T, bool>) {
    return "bool";
  } else if constexpr (std::is_pointer_v<T>) {
    return "pointer";
  } else if constexpr (std::is_same_v<T, float>) {
    return "float";
  } else if constexpr (std::is_same_v<T, double>) {
    return "double";
  } else if constexpr (std::is_same_v<T, __half>) {
    return "half";
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return "bf16";
  } else if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) {
    return "e4m3";
  } else if constexpr (std::is_same_v<T, __nv_fp8_e5m2>) {
    return "e5m2";
  } else if constexpr (std::is_same_v<T, __nv_tf32>) {
    return "tf32";
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    constexpr std::string_view names[2][4] = {{"uint8", "uint16", "uint32", "uint64"},
                                              {"int8", "int16", "int32", "int64"}};
    constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return names[std::is_signed_v<T> ? 1 : 0][log2];
  } else {
    return "byte";
  }
}

/// What float2 … double4, int3 … are made of: members x, y, z, w of one type and nothing else. Of
/// any other type, the type itself.
template <class T, class = void>
struct component {
  using type = T;
};
template <class T>
struct component<T, std::void_t<decltype(std::declval<T>().x)>> {
  using x = decltype(std::declval<T>().x);
  template <class V>
  static constexpr int members() {
    int n = 1;
    if constexpr (requires(V v) { requires std::is_same_v<decltype(v.y), x>; }) {
      n = 2;
      if constexpr (requires(V v) { requires std::is_same_v<decltype(v.z), x>; }) {
        n = 3;
        if constexpr (requires(V v) { requires std::is_same_v<decltype(v.w), x>; }) {
          n = 4;
        }
      }
    }
    return n;
  }
  static constexpr bool uniform = std::is_arithmetic_v<x> && sizeof(T) == members<T>() * sizeof(x);
  using type = std::conditional_t<uniform, x, T>;
};

/// The cell type of what `Destination` points to: of T* and T[n] the type T, else bytes.
template <class Destination>
cell_type pointed_to() noexcept {
  using pointer = std::decay_t<Destination>;
  if constexpr (std::is_pointer_v<pointer>) {
    using element = std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<pointer>>>;
    if constexpr (std::is_void_v<element>) {
      return *find_cell_type("byte");
    } else if constexpr (std::is_class_v<element> && cell_name<element>() == "byte") {
      return *find_cell_type(cell_name<typename component<element>::type>());
    } else {
      return *find_cell_type(cell_name<element>());
    }
  } else {
    return *find_cell_type("byte");
  }
}

// ----------------------------------------------------------------------------- the recording

/// Where a copy stands in the source, and what it is called.
struct place {
  const char* label; ///< the destination's expression
  const char* file;
  int line;
};

/// A copy whose data is or will be there: `rows` rows of `width` bytes, `pitch` bytes apart.
struct pending_copy {
  std::string label, where;
  cell_type type;
  const unsigned char* data;
  std::size_t width, rows, pitch;
  std::string text; ///< the copy's lines, once the data is there
  bool ready = false;
};

/// The file, one for the program, however many sources it has.
class recorder {
public:
  static recorder& get() {
    static recorder only;
    return only;
  }

  /// A name for the next copy, instead of its destination's expression.
  void name_next(std::string label) {
    const std::lock_guard<std::mutex> hold(lock_);
    next_label_ = std::move(label);
  }

  /// Takes a place for a copy, in the order of the program's calls.
  pending_copy* expect(const place& at,
                       const cell_type& type,
                       const void* data,
                       std::size_t width,
                       std::size_t rows,
                       std::size_t pitch) {
    const std::lock_guard<std::mutex> hold(lock_);
    std::string label = next_label_.empty() ? at.label : std::move(next_label_);
    next_label_.clear();
    std::string file = at.file;
    file.erase(0, file.find_last_of('/') + 1);
    // A length that is no number of cells of that type is a number of bytes.
    const cell_type whole = width % type.size == 0 ? type : *find_cell_type("byte");
    copies_.push_back({one_line(label),
                       file + ":" + std::to_string(at.line),
                       whole,
                       static_cast<const unsigned char*>(data),
                       width,
                       rows,
                       pitch,
                       {},
                       false});
    return &copies_.back();
  }

  /// The copy's data has arrived: keeps its hash and first values.
  void arrived(pending_copy* copy) {
    std::string text = describe(*copy, values_, spread_);
    const std::lock_guard<std::mutex> hold(lock_);
    copy->text = std::move(text);
    copy->ready = true;
    // In the order of the calls: what comes later waits for what came before.
    while (written_ < copies_.size() && copies_[written_].ready) {
      std::fputs(copies_[written_].text.c_str(), file_);
      copies_[written_++].text.clear();
    }
    std::fflush(file_);
  }

  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

private:
  recorder() {
    const char* values = std::getenv("TILESIM_RECORD_VALUES");
    if (values != nullptr && *values != '\0') {
      constexpr std::string_view spread = "spread:";
      spread_ = std::string_view(values).substr(0, spread.size()) == spread;
      const char* number = spread_ ? values + spread.size() : values;
      char* end = nullptr;
      values_ = std::string_view(values) == "all" ? SIZE_MAX : std::strtoull(number, &end, 10);
      if (end != nullptr &&
          (end == number || *end != '\0' || *number == '-' || (spread_ && values_ == 0))) {
        stop("TILESIM_RECORD_VALUES is to hold a number, all, or spread:NUMBER, not", values);
      }
    }
    const char* wanted = std::getenv("TILESIM_RECORD");
    const std::string path = wanted != nullptr && *wanted != '\0'
                                 ? std::string(wanted)
                                 : std::string(program_invocation_short_name) + ".rec";
    file_ = std::fopen(path.c_str(), "w");
    if (file_ == nullptr) {
      stop("cannot write the recording; set TILESIM_RECORD to a file that can be written, not",
           path.c_str());
    }
    write_header();
  }

  ~recorder() {
    std::fprintf(file_, "end %zu\n", copies_.size());
    std::fclose(file_);
  }

  [[noreturn]] static void stop(const char* why, const char* value) {
    std::fprintf(stderr, "tilesim recorder: error: %s '%s'\n", why, value);
    std::_Exit(64);
  }

  static std::string one_line(std::string text) {
    for (char& c : text) {
      c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    }
    return text;
  }

  /// The driver's version as it says itself; CUDA's number for it where it does not.
  static std::string driver() {
    int number = 0;
    (void)cudaDriverGetVersion(&number);
    const std::string cuda =
        "CUDA " + std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
    std::FILE* f = std::fopen("/proc/driver/nvidia/version", "r");
    if (f == nullptr) {
      return cuda;
    }
    char line[512] = {};
    const bool got = std::fgets(line, sizeof line, f) != nullptr;
    std::fclose(f);
    // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue …": the word with two dots
    const std::string text = got ? line : "";
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = text.find_first_of(" \n", begin);
      end = end == std::string::npos ? text.size() : end;
      const std::string word = text.substr(begin, end - begin);
      if (word.find('.') != std::string::npos &&
          word.find_first_not_of("0123456789.") == std::string::npos) {
        return word + ", " + cuda;
      }
      begin = end + 1;
    }
    return cuda;
  }

  void write_header() {
    int device = 0;
    cudaDeviceProp properties{};
    const bool found = cudaGetDevice(&device) == cudaSuccess &&
                       cudaGetDeviceProperties(&properties, device) == cudaSuccess;
    std::fprintf(file_, "tilesim-recording 1\n");
    std::fprintf(file_, "source %s\n", TILESIM_RECORD_SOURCE);
#ifdef TILESIM
    std::fprintf(file_, "device %s, simulated by tilesim\n", found ? properties.name : "unknown");
    std::fprintf(file_, "driver none\n");
    std::fprintf(file_, "compiler %s\n", one_line(__VERSION__).c_str());
#else
    std::fprintf(file_,
                 "device %s, compute capability %d.%d\n",
                 found ? properties.name : "unknown",
                 properties.major,
                 properties.minor);
    std::fprintf(file_, "driver %s\n", driver().c_str());
    std::fprintf(file_,
                 "compiler nvcc %d.%d.%d, host compiler %s\n",
                 __CUDACC_VER_MAJOR__,
                 __CUDACC_VER_MINOR__,
                 __CUDACC_VER_BUILD__,
                 one_line(__VERSION__).c_str());
#endif
    std::fprintf(file_, "flags %s\n", TILESIM_RECORD_FLAGS);
  }

  /// How far apart the values are of which at most `keep` are spread over `count`: a prime number,
  /// so that a matrix of another width is met in all its columns; or 1.
  static std::size_t distance(std::size_t count, std::size_t keep) {
    const auto is_prime = [](std::size_t n) {
      for (std::size_t i = 2; i * i <= n; ++i) {
        if (n % i == 0) {
          return false;
        }
      }
      return true;
    };
    std::size_t found = count > keep ? (count + keep - 1) / keep : 1;
    while (found > 1 && !is_prime(found)) {
      ++found;
    }
    return found;
  }

  /// `copy TYPE COUNT HASH at PLACE: LABEL`, then lines of values.
  static std::string describe(const pending_copy& copy, std::size_t keep, bool spread) {
    const std::size_t per_row = copy.width / copy.type.size;
    const std::size_t count = per_row * copy.rows;
    const std::size_t every = spread ? distance(count, keep) : 1;
    const std::size_t kept = spread ? (count + every - 1) / every : keep;
    cell_hash hash;
    std::string values = every > 1 ? "\n every " + std::to_string(every) : "";
    std::size_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned char* cell =
          copy.data + i / per_row * copy.pitch + i % per_row * copy.type.size;
      const std::uint64_t bits = normalised(copy.type, read_cell(copy.type, cell));
      hash.add(copy.type, bits);
      if (i % every == 0 && number < kept) {
        char hex[32];
        std::snprintf(hex,
                      sizeof hex,
                      "%s%0*llx",
                      number % 16 == 0 ? "\n " : " ",
                      static_cast<int>(2 * copy.type.size),
                      static_cast<unsigned long long>(bits));
        values += hex;
        ++number;
      }
    }
    char line[128];
    std::snprintf(line,
                  sizeof line,
                  "copy %s %zu %016llx at ",
                  std::string(copy.type.name).c_str(),
                  count,
                  static_cast<unsigned long long>(hash.value()));
    return line + copy.where + ": " + copy.label + values + "\n";
  }

  std::mutex lock_;
  std::FILE* file_ = nullptr;
  std::size_t values_ = 16;
  bool spread_ = false;
  std::string next_label_;
  std::deque<pending_copy> copies_; // addresses stay
  std::size_t written_ = 0;
};

inline void CUDART_CB has_arrived(void* copy) {
  recorder::get().arrived(static_cast<pending_copy*>(copy));
}

/// Names the next copy: for programs that make many copies in one place.
inline void name_next_copy(std::string label) {
  recorder::get().name_next(std::move(label));
}

/// True if data goes from device memory to the host's.
inline bool
reaches_host(const void* destination, const void* source, cudaMemcpyKind kind) noexcept {
  if (kind != cudaMemcpyDefault) {
    return kind == cudaMemcpyDeviceToHost;
  }
  cudaPointerAttributes to{};
  cudaPointerAttributes from{};
  const bool known = cudaPointerGetAttributes(&to, destination) == cudaSuccess &&
                     cudaPointerGetAttributes(&from, source) == cudaSuccess;
  return known && from.type == cudaMemoryTypeDevice &&
         (to.type == cudaMemoryTypeHost || to.type == cudaMemoryTypeUnregistered);
}

/// A copy that the host waits for: its data is there.
template <class Destination>
void record_now(const place& at,
                const void* data,
                std::size_t width,
                std::size_t rows = 1,
                std::size_t pitch = 0) {
  recorder& r = recorder::get();
  r.arrived(r.expect(at, pointed_to<Destination>(), data, width, rows, pitch));
}

/// A copy that the stream will perform: its data is there when the stream gets to the callback, and
/// the program may overwrite it only after that.
template <class Destination>
cudaError_t record_later(const place& at,
                         cudaStream_t stream,
                         const void* data,
                         std::size_t width,
                         std::size_t rows = 1,
                         std::size_t pitch = 0) {
  pending_copy* copy =
      recorder::get().expect(at, pointed_to<Destination>(), data, width, rows, pitch);
  return cudaLaunchHostFunc(stream, has_arrived, copy);
}

} // namespace tilesim::recording

// ------------------------------------------------------------------- the runtime's functions
//
// Parentheses around a name keep its macro away. Global, so that `::cudaMemcpy(…)` works too.

template <class Destination>
[[gnu::always_inline]] inline cudaError_t tilesim_record_copy(const tilesim::recording::place& at,
                                                              Destination&& destination,
                                                              const void* source,
                                                              std::size_t count,
                                                              cudaMemcpyKind kind) {
  const cudaError_t status = (cudaMemcpy)(destination, source, count, kind);
  if (status == cudaSuccess && tilesim::recording::reaches_host(destination, source, kind)) {
    tilesim::recording::record_now<Destination>(at, destination, count);
  }
  return status;
}

template <class Destination>
[[gnu::always_inline]] inline cudaError_t
tilesim_record_copy_async(const tilesim::recording::place& at,
                          Destination&& destination,
                          const void* source,
                          std::size_t count,
                          cudaMemcpyKind kind,
                          cudaStream_t stream = nullptr) {
  const cudaError_t status = (cudaMemcpyAsync)(destination, source, count, kind, stream);
  if (status != cudaSuccess || !tilesim::recording::reaches_host(destination, source, kind)) {
    return status;
  }
  return tilesim::recording::record_later<Destination>(at, stream, destination, count);
}

template <class Destination>
[[gnu::always_inline]] inline cudaError_t
tilesim_record_copy_2d(const tilesim::recording::place& at,
                       Destination&& destination,
                       std::size_t pitch,
                       const void* source,
                       std::size_t source_pitch,
                       std::size_t width,
                       std::size_t height,
                       cudaMemcpyKind kind) {
  const cudaError_t status =
      (cudaMemcpy2D)(destination, pitch, source, source_pitch, width, height, kind);
  if (status == cudaSuccess && tilesim::recording::reaches_host(destination, source, kind)) {
    tilesim::recording::record_now<Destination>(at, destination, width, height, pitch);
  }
  return status;
}

template <class Destination>
[[gnu::always_inline]] inline cudaError_t
tilesim_record_copy_2d_async(const tilesim::recording::place& at,
                             Destination&& destination,
                             std::size_t pitch,
                             const void* source,
                             std::size_t source_pitch,
                             std::size_t width,
                             std::size_t height,
                             cudaMemcpyKind kind,
                             cudaStream_t stream = nullptr) {
  const cudaError_t status =
      (cudaMemcpy2DAsync)(destination, pitch, source, source_pitch, width, height, kind, stream);
  if (status != cudaSuccess || !tilesim::recording::reaches_host(destination, source, kind)) {
    return status;
  }
  return tilesim::recording::record_later<Destination>(
      at, stream, destination, width, height, pitch);
}

template <class Destination, class Symbol>
[[gnu::always_inline]] inline cudaError_t
tilesim_record_symbol(const tilesim::recording::place& at,
                      Destination&& destination,
                      const Symbol& symbol,
                      std::size_t count,
                      std::size_t offset = 0,
                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const cudaError_t status = (cudaMemcpyFromSymbol)(destination, symbol, count, offset, kind);
  if (status == cudaSuccess && kind != cudaMemcpyDeviceToDevice) {
    tilesim::recording::record_now<Destination>(at, destination, count);
  }
  return status;
}

template <class Destination, class Symbol>
[[gnu::always_inline]] inline cudaError_t
tilesim_record_symbol_async(const tilesim::recording::place& at,
                            Destination&& destination,
                            const Symbol& symbol,
                            std::size_t count,
                            std::size_t offset = 0,
                            cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                            cudaStream_t stream = nullptr) {
  const cudaError_t status =
      (cudaMemcpyFromSymbolAsync)(destination, symbol, count, offset, kind, stream);
  if (status != cudaSuccess || kind == cudaMemcpyDeviceToDevice) {
    return status;
  }
  return tilesim::recording::record_later<Destination>(at, stream, destination, count);
}

#define TILESIM_RECORD_PLACE(destination)                                                          \
  tilesim::recording::place {                                                                      \
#    destination, __FILE__, __LINE__                                                               \
  }
#define cudaMemcpy(destination, ...)                                                               \
  tilesim_record_copy(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
#define cudaMemcpyAsync(destination, ...)                                                          \
  tilesim_record_copy_async(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
#define cudaMemcpy2D(destination, ...)                                                             \
  tilesim_record_copy_2d(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
#define cudaMemcpy2DAsync(destination, ...)                                                        \
  tilesim_record_copy_2d_async(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
#define cudaMemcpyFromSymbol(destination, ...)                                                     \
  tilesim_record_symbol(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
#define cudaMemcpyFromSymbolAsync(destination, ...)                                                \
  tilesim_record_symbol_async(TILESIM_RECORD_PLACE(destination), destination, __VA_ARGS__)
