// Reading DWARF: a function's parameters as libffi describes them.
//
// Base types, enumerations, pointers and references are themselves; a class is the flat list of its
// scalar members, which is all that the calling convention looks at.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/parameter_types.hpp"

#include "sim/debug_info/debug_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <map>
#include <optional>
#include <string_view>

namespace tilesim::sim {

namespace {

/// The entry's type without names and qualifiers.
bool plain_type(Dwarf_Die* of, Dwarf_Die* result) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(of, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, result) == nullptr) {
    return false;
  }
  Dwarf_Die peeled;
  if (dwarf_peel_type(result, &peeled) == 0) {
    *result = peeled;
  }
  return true;
}

unsigned number(Dwarf_Die* die, unsigned name, unsigned otherwise) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  return dwarf_attr_integrate(die, name, &attribute) != nullptr &&
                 dwarf_formudata(&attribute, &value) == 0
             ? static_cast<unsigned>(value)
             : otherwise;
}

ffi_type* integer_type(unsigned size, bool is_signed) {
  switch (size) {
  case 1:
    return is_signed ? &ffi_type_sint8 : &ffi_type_uint8;
  case 2:
    return is_signed ? &ffi_type_sint16 : &ffi_type_uint16;
  case 4:
    return is_signed ? &ffi_type_sint32 : &ffi_type_uint32;
  case 8:
    return is_signed ? &ffi_type_sint64 : &ffi_type_uint64;
  default:
    return nullptr;
  }
}

ffi_type* scalar_type(Dwarf_Die* type) {
  const auto size = static_cast<unsigned>(std::max(0, dwarf_bytesize(type)));
  switch (dwarf_tag(type)) {
  case DW_TAG_pointer_type:
  case DW_TAG_reference_type:
  case DW_TAG_rvalue_reference_type:
  case DW_TAG_unspecified_type: // nullptr_t
    return &ffi_type_pointer;
  case DW_TAG_enumeration_type:
    return integer_type(size, false);
  case DW_TAG_base_type: {
    const unsigned encoding = number(type, DW_AT_encoding, 0);
    if (encoding == DW_ATE_float) {
      return size == 4 ? &ffi_type_float : size == 8 ? &ffi_type_double : nullptr;
    }
    return integer_type(size, encoding == DW_ATE_signed || encoding == DW_ATE_signed_char);
  }
  default:
    return nullptr;
  }
}

/// Appends the scalars of a member or base class. False for what cannot be described.
bool flatten(Dwarf_Die* type, std::vector<ffi_type*>& into);

bool flatten_class(Dwarf_Die* type, std::vector<ffi_type*>& into) {
  Dwarf_Die child;
  if (dwarf_child(type, &child) != 0) {
    return true;
  }
  do {
    const int tag = dwarf_tag(&child);
    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        dwarf_hasattr(&child, DW_AT_external) != 0) {
      continue;
    }
    Dwarf_Die member;
    if (dwarf_hasattr(&child, DW_AT_bit_size) != 0 || !plain_type(&child, &member) ||
        !flatten(&member, into)) {
      return false;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return true;
}

bool flatten(Dwarf_Die* type, std::vector<ffi_type*>& into) {
  switch (dwarf_tag(type)) {
  case DW_TAG_structure_type:
  case DW_TAG_class_type:
    return flatten_class(type, into);
  case DW_TAG_array_type: {
    Dwarf_Word bytes = 0;
    Dwarf_Die element;
    if (!plain_type(type, &element) || dwarf_aggregate_size(type, &bytes) != 0) {
      return false;
    }
    Dwarf_Word each = 0;
    if (dwarf_aggregate_size(&element, &each) != 0 || each == 0) {
      return false;
    }
    for (Dwarf_Word i = 0; i < bytes / each; ++i) {
      if (!flatten(&element, into)) {
        return false;
      }
    }
    return true;
  }
  default:
    ffi_type* scalar = scalar_type(type);
    into.push_back(scalar);
    return scalar != nullptr;
  }
}

/// A class as libffi takes it; kept for ever. nullptr for what cannot be described.
ffi_type* class_type(Dwarf_Die* type, std::size_t size) {
  struct kept {
    ffi_type type{};
    std::vector<ffi_type*> elements;
  };
  static std::deque<kept> all;
  std::vector<ffi_type*> elements;
  if (!flatten(type, elements) || elements.empty()) {
    return nullptr;
  }
  std::size_t at = 0;
  unsigned alignment = number(type, DW_AT_alignment, 1);
  for (const ffi_type* e : elements) {
    at = (at + e->alignment - 1) / e->alignment * e->alignment + e->size;
    alignment = std::max<unsigned>(alignment, e->alignment);
  }
  if (at > size || size - at >= alignment) {
    return nullptr; // not laid out one member after another
  }
  kept& k = all.emplace_back();
  k.elements = std::move(elements);
  k.elements.push_back(nullptr);
  k.type.size = size;
  k.type.alignment = static_cast<unsigned short>(alignment);
  k.type.type = FFI_TYPE_STRUCT;
  k.type.elements = k.elements.data();
  return &k.type;
}

/// True for a function that the class's author wrote (rather than defaulted) and that makes the
/// class's copies more than their bytes: destructor, copy and move constructor, virtual functions.
bool makes_nontrivial(Dwarf_Die* function, Dwarf_Die* owner) {
  const char* name = dwarf_diename(function);
  const char* class_name = dwarf_diename(owner);
  if (dwarf_hasattr(function, DW_AT_virtuality) != 0) {
    return true;
  }
  if (name == nullptr || class_name == nullptr || number(function, DW_AT_defaulted, 0) == 1) {
    return false;
  }
  if (name[0] == '~') {
    return true;
  }
  const std::string_view whole = class_name;
  if (whole.substr(0, whole.find('<')) != std::string_view(name)) {
    return false;
  }
  // A constructor: does it take a reference to its own class?
  Dwarf_Die child;
  for (int more = dwarf_child(function, &child); more == 0;
       more = dwarf_siblingof(&child, &child)) {
    Dwarf_Die type;
    if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
        dwarf_hasattr(&child, DW_AT_artificial) != 0 || !plain_type(&child, &type)) {
      continue;
    }
    Dwarf_Die referred;
    const int tag = dwarf_tag(&type);
    return (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) &&
           plain_type(&type, &referred) && dwarf_dieoffset(&referred) == dwarf_dieoffset(owner);
  }
  return false;
}

/// True for classes that C++ passes by invisible reference. Compilers may say so; g++ 12 does not.
bool passed_by_reference(Dwarf_Die* type) {
  const int tag = dwarf_tag(type);
  if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type) {
    return false;
  }
  if (const unsigned told = number(type, DW_AT_calling_convention, 0)) {
    return told == DW_CC_pass_by_reference;
  }
  Dwarf_Die child;
  for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    Dwarf_Die member;
    switch (dwarf_tag(&child)) {
    case DW_TAG_subprogram:
      if (makes_nontrivial(&child, type)) {
        return true;
      }
      break;
    case DW_TAG_member:
    case DW_TAG_inheritance:
      if (plain_type(&child, &member) && passed_by_reference(&member)) {
        return true;
      }
      break;
    default:
      break;
    }
  }
  return false;
}

std::optional<parameter> describe_parameter(Dwarf_Die* die, std::string& problem) {
  Dwarf_Die type;
  if (!plain_type(die, &type)) {
    problem = "a parameter has no type in the debug information";
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(std::max(0, dwarf_bytesize(&type)));
  if (ffi_type* scalar = scalar_type(&type)) {
    return parameter{scalar, scalar->size, false};
  }
  if (passed_by_reference(&type)) {
    return parameter{&ffi_type_pointer, size, true};
  }
  if (ffi_type* aggregate = class_type(&type, size)) {
    return parameter{aggregate, size, false};
  }
  const char* name = dwarf_diename(&type);
  problem = fmt::format("a parameter of type '{}' cannot be passed through a pointer to void",
                        name != nullptr ? name : "?");
  return std::nullopt;
}

/// The entry of the function that begins at `pc`.
bool find_function(Dwarf_Die* unit, Dwarf_Addr pc, Dwarf_Die* result) {
  struct search {
    Dwarf_Addr pc;
    Dwarf_Die* result;
    bool found;
  } s{pc, result, false};
  dwarf_getfuncs(
      unit,
      [](Dwarf_Die* function, void* out) {
        auto& wanted = *static_cast<search*>(out);
        Dwarf_Addr low = 0;
        if (dwarf_lowpc(function, &low) == 0 && low == wanted.pc) {
          *wanted.result = *function;
          wanted.found = true;
          return static_cast<int>(DWARF_CB_ABORT);
        }
        return static_cast<int>(DWARF_CB_OK);
      },
      &s,
      0);
  return s.found;
}

std::optional<signature> read_signature(const void* function) {
  Dwarf_Addr pc = 0;
  Dwarf_Die* unit = unit_of(reinterpret_cast<Dwarf_Addr>(function), pc);
  Dwarf_Die die;
  if (unit == nullptr || !find_function(unit, pc, &die)) {
    return std::nullopt;
  }
  signature result;
  Dwarf_Die child;
  for (int more = dwarf_child(&die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) {
      continue;
    }
    const auto p = describe_parameter(&child, result.problem);
    if (!p) {
      break;
    }
    result.parameters.push_back(*p);
  }
  return result;
}

} // namespace

const signature* find_signature(const void* function) {
  static std::map<const void*, std::optional<signature>> cache;
  const auto [it, fresh] = cache.try_emplace(function);
  if (fresh) {
    it->second = read_signature(function);
  }
  return it->second ? &*it->second : nullptr;
}

} // namespace tilesim::sim
