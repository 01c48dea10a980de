// From an address to a call: libdw finds the parameters' types, libffi makes the call.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/erased_call.hpp"

#include "sim/process/sections.hpp"
#include "sim/runtime/functions.hpp"
#include "sim/runtime/parameter_types.hpp"

#include <fmt/format.h>

#include <cstring>

namespace tilesim::sim {

std::unique_ptr<erased_call>
erased_call::prepare(const void* function, void** arguments, std::string& why_not) {
  const signature* s = find_signature(function);
  const char* name = kernel_name(function);
  if (s == nullptr) {
    why_not = fmt::format("no debug information tells the parameters of the kernel at {}",
                          fmt::ptr(function));
    return nullptr;
  }
  if (!s->problem.empty()) {
    why_not = fmt::format("{}: {}", name, s->problem);
    return nullptr;
  }
  const std::size_t count = s->parameters.size();
  if (arguments == nullptr && count != 0) {
    why_not = fmt::format("{} takes {} arguments, but none are given", name, count);
    return nullptr;
  }
  auto made = std::make_unique<erased_call>();
  made->function_ = reinterpret_cast<void (*)()>(const_cast<void*>(function));
  made->by_reference_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const parameter& p = s->parameters[i];
    // Aligned as operator new aligns: enough for every vector type but the 32-byte ones.
    auto value = std::make_unique<unsigned char[]>(p.size);
    std::memcpy(value.get(), arguments[i], p.size);
    made->by_reference_[i] = value.get();
    made->types_.push_back(p.indirect ? &ffi_type_pointer : p.type);
    made->arguments_.push_back(p.indirect ? static_cast<void*>(&made->by_reference_[i])
                                          : static_cast<void*>(value.get()));
    made->values_.push_back(std::move(value));
  }
  if (ffi_prep_cif(&made->cif_,
                   FFI_DEFAULT_ABI,
                   static_cast<unsigned>(made->types_.size()),
                   &ffi_type_void,
                   made->types_.data()) != FFI_OK) {
    why_not = fmt::format("{}: its parameters cannot be passed", name);
    return nullptr;
  }
  return made;
}

void erased_call::call() {
  const program_section called;
  ffi_call(&cif_, function_, nullptr, arguments_.data());
}

} // namespace tilesim::sim
