// From an address to a call: libdw finds the parameters' types, libffi makes the call.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/erased_call.hpp"

#include "sim/process/sections.hpp"
#include "sim/runtime/functions.hpp"
#include "sim/runtime/parameter_types.hpp"

#include <fmt/format.h>

#include <cstring>
#include <ffi.h>
#include <memory>
#include <vector>

namespace tilesim::sim {

namespace {

/// A call with its arguments' values.
struct erased_call {
  void (*function)() = nullptr;
  ffi_cif cif{};
  std::vector<ffi_type*> types; ///< what the calling convention passes
  std::vector<std::unique_ptr<unsigned char[]>> values;
  std::vector<void*> by_reference; ///< for arguments passed by invisible reference
  std::vector<void*> arguments;
};

void invoke(const void* closure) {
  const library_section inside;
  auto& call = *static_cast<erased_call*>(const_cast<void*>(closure));
  const program_section called;
  ffi_call(&call.cif, call.function, nullptr, call.arguments.data());
}

void destroy(void* closure) noexcept {
  const library_section inside;
  delete static_cast<erased_call*>(closure);
}

} // namespace

std::optional<detail::bound_kernel>
bind_erased(const void* function, void** arguments, std::string& why_not) {
  const signature* s = find_signature(function);
  const char* name = kernel_name(function);
  if (s == nullptr) {
    why_not = fmt::format("no debug information tells the parameters of the kernel at {}",
                          fmt::ptr(function));
    return std::nullopt;
  }
  if (!s->problem.empty()) {
    why_not = fmt::format("{}: {}", name, s->problem);
    return std::nullopt;
  }
  if (arguments == nullptr && !s->parameters.empty()) {
    why_not = fmt::format("{} takes {} arguments, but none are given", name, s->parameters.size());
    return std::nullopt;
  }
  auto call = std::make_unique<erased_call>();
  call->function = reinterpret_cast<void (*)()>(const_cast<void*>(function));
  call->by_reference.resize(s->parameters.size());
  for (std::size_t i = 0; i < s->parameters.size(); ++i) {
    const parameter& p = s->parameters[i];
    // Aligned as operator new aligns: enough for every vector type but the 32-byte ones.
    auto value = std::make_unique<unsigned char[]>(p.size);
    std::memcpy(value.get(), arguments[i], p.size);
    call->by_reference[i] = value.get();
    call->types.push_back(p.indirect ? &ffi_type_pointer : p.type);
    call->arguments.push_back(p.indirect ? static_cast<void*>(&call->by_reference[i])
                                         : static_cast<void*>(value.get()));
    call->values.push_back(std::move(value));
  }
  if (ffi_prep_cif(&call->cif,
                   FFI_DEFAULT_ABI,
                   static_cast<unsigned>(call->types.size()),
                   &ffi_type_void,
                   call->types.data()) != FFI_OK) {
    why_not = fmt::format("{}: its parameters cannot be passed", name);
    return std::nullopt;
  }
  return detail::bound_kernel{name, call.release(), invoke, destroy};
}

} // namespace tilesim::sim
