// Looking through variables for pointers, by the types of the debug information.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/pointer_holders.hpp"

#include "sim/debug_info/code_frames.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/frame_variables.hpp"
#include "sim/debug_info/function_names.hpp"
#include "sim/debug_info/layout.hpp"
#include "sim/debug_info/locals.hpp"
#include "sim/debug_info/own_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tilesim::sim::step {

namespace {

constexpr int deepest = 12;                ///< classes within classes, those of libraries counted
constexpr int most_pointers = 3;           ///< followed one behind the other
constexpr std::size_t most_elements = 256; ///< of an array or a vector
constexpr std::size_t most_looked_at = 20'000;

/// Classes of the standard library and of tilesim's headers.
bool is_librarys(Dwarf_Die* type) {
  const char* file = dwarf_decl_file(type);
  return file != nullptr && is_own_file(file);
}

/// What a lambda has captured are other names of what its surroundings have.
bool is_lambda(Dwarf_Die* type) {
  const std::string_view name = name_of(type);
  if (!name.empty() && !name.starts_with("<lambda")) { // g++; clang++ gives none
    return false;
  }
  Dwarf_Die child;
  for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    if (dwarf_tag(&child) == DW_TAG_subprogram && name_of(&child) == "operator()") {
      return true;
    }
  }
  return false;
}

/// Names that only an implementation may use.
bool is_reserved(std::string_view name) {
  return name.empty() || name.find("__") != std::string_view::npos ||
         (name[0] == '_' && name.size() > 1 && std::isupper(static_cast<unsigned char>(name[1])));
}

/// How many pointers an object holds: 0, 1, or more than one (2).
int count_pointers(Dwarf_Die type, int depth = 0) {
  Dwarf_Die plain = peeled(type);
  if (dwarf_tag(&plain) == DW_TAG_pointer_type) {
    return 1;
  }
  if (depth == deepest) {
    return 2;
  }
  if (dwarf_tag(&plain) == DW_TAG_array_type) {
    const auto shape = shape_of(&plain);
    return shape && count_pointers(shape->element, depth + 1) == 0 ? 0 : 2;
  }
  if (!is_class(&plain)) {
    return 0;
  }
  if (is_librarys(&plain)) { // a string's or a map's are its own
    const std::string_view name = name_of(&plain);
    return name.starts_with("unique_ptr<") || name.starts_with("shared_ptr<") ||
                   name.starts_with("__shared_ptr<")
               ? 1
           : name.starts_with("vector<") || name.starts_with("array<") ||
                   name.starts_with("optional<") || name.starts_with("pair<") ||
                   name.starts_with("tuple<")
               ? 2
               : 0;
  }
  int count = 0;
  for (const member& m : members_of(&plain)) {
    count += count_pointers(m.type, depth + 1);
  }
  return std::min(count, 2);
}

/// Does a member go by its object's path? `only_one`: the object holds no other pointer.
bool is_hidden(const member& m, bool only_one) {
  return only_one || is_reserved(m.name);
}

/// A member's path behind that of its object.
std::string
path_of(const member& m, bool only_one, const std::string& object, bool through_pointer) {
  if (is_hidden(m, only_one)) {
    return object;
  }
  return object.empty() ? std::string(m.name)
                        : fmt::format("{}{}{}", object, through_pointer ? "->" : ".", m.name);
}

// ----------------------------------------------------------------------------------- by
// containment

/// The part of an object of `type` that lies at `offset`.
std::string
part_at(Dwarf_Die type, std::size_t offset, std::string path, pointed_element& element) {
  for (int depth = 0; depth < deepest; ++depth) {
    Dwarf_Die plain = peeled(type);
    if (dwarf_tag(&plain) == DW_TAG_array_type) {
      const auto shape = shape_of(&plain);
      const std::size_t each = shape ? bytes_of(shape->element) : 0;
      if (each == 0 || shape->count() == 0) {
        return {};
      }
      path += shape->indices(offset / each);
      offset %= each;
      type = shape->element;
      continue;
    }
    if (!is_class(&plain)) {
      if (dwarf_tag(&plain) == DW_TAG_pointer_type) {
        element = element_behind(plain);
      }
      return offset == 0 ? path : std::string();
    }
    const bool only_one = count_pointers(plain) == 1;
    bool found = false;
    for (const member& m : members_of(&plain)) {
      if (offset >= m.offset && offset - m.offset < bytes_of(m.type)) {
        path = path_of(m, only_one, path, false);
        offset -= m.offset;
        type = m.type;
        found = true;
        break;
      }
    }
    if (!found) {
      return {};
    }
  }
  return {};
}

// ----------------------------------------------------------------------------------- by their
// values

class search {
public:
  search(const std::function<bool(std::uintptr_t)>& wanted, std::vector<holder>& found)
      : wanted_(wanted)
      , found_(found) {}

  /// All that the variable holds, under its name.
  void look_through(const located_variable& v, holder as) {
    as_ = std::move(as);
    const bool is_this = v.name == "this";
    look(v.type, v.object, 0, is_this ? "" : v.name, 0, 0, false);
  }

private:
  static bool copy(const object_bytes& from, std::size_t offset, std::size_t bytes, void* to) {
    if (from.address) {
      return read_own_memory(*from.address + offset, bytes, to);
    }
    if (offset > from.bytes.size() || bytes > from.bytes.size() - offset) {
      return false;
    }
    std::memcpy(to, from.bytes.data() + offset, bytes);
    return true;
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  void look(Dwarf_Die type,
            const object_bytes& from,
            std::size_t offset,
            const std::string& path,
            int depth,
            int pointers,
            bool through_pointer) {
    if (depth == deepest || ++looked_at_ > most_looked_at) {
      return;
    }
    Dwarf_Die plain = peeled(type);
    if (dwarf_tag(&plain) == DW_TAG_pointer_type) {
      at_pointer(plain, from, offset, path, depth, pointers);
    } else if (is_reference(&plain)) {
      std::uintptr_t to = 0;
      Dwarf_Die of;
      if (type_of(&plain, &of) && copy(from, offset, sizeof to, &to) && to != 0) {
        look(of, {to, {}}, 0, path, depth + 1, pointers, through_pointer);
      }
    } else if (dwarf_tag(&plain) == DW_TAG_array_type) {
      at_array(plain, from, offset, path, depth, pointers);
    } else if (is_class(&plain)) {
      at_class(plain, from, offset, path, depth, pointers, through_pointer);
    }
  }

  void at_pointer(Dwarf_Die type,
                  const object_bytes& from,
                  std::size_t offset,
                  const std::string& path,
                  int depth,
                  int pointers) {
    std::uintptr_t to = 0;
    if (!copy(from, offset, sizeof to, &to) || to == 0) {
      return;
    }
    if (wanted_(to)) {
      if (!path.empty()) {
        holder h = as_;
        h.name = path;
        h.pointer = to;
        h.element = element_behind(type);
        found_.push_back(std::move(h));
      }
      return;
    }
    Dwarf_Die of;
    if (pointers == most_pointers || !type_of(&type, &of)) {
      return;
    }
    Dwarf_Die plain = peeled(of);
    if (is_class(&plain) && seen_.emplace(to, dwarf_dieoffset(&plain)).second) {
      look(of, {to, {}}, 0, path, depth + 1, pointers + 1, true);
    }
  }

  void at_array(Dwarf_Die type,
                const object_bytes& from,
                std::size_t offset,
                const std::string& path,
                int depth,
                int pointers) {
    const auto shape = shape_of(&type);
    const std::size_t each = shape ? bytes_of(shape->element) : 0;
    if (each == 0 || shape->extents.empty() || count_pointers(shape->element) == 0) {
      return;
    }
    for (std::size_t i = 0; i < std::min(shape->count(), most_elements); ++i) {
      look(shape->element,
           from,
           offset + i * each,
           path + shape->indices(i),
           depth + 1,
           pointers,
           false);
    }
  }

  void at_class(Dwarf_Die type,
                const object_bytes& from,
                std::size_t offset,
                const std::string& path,
                int depth,
                int pointers,
                bool through_pointer) {
    if (is_librarys(&type) && name_of(&type).starts_with("vector<")) {
      at_vector(type, from, offset, path, depth, pointers);
      return;
    }
    if (is_lambda(&type)) {
      return;
    }
    const bool only_one = count_pointers(type) == 1;
    for (const member& m : members_of(&type)) {
      look(m.type,
           from,
           offset + m.offset,
           path_of(m, only_one, path, through_pointer),
           depth + 1,
           pointers,
           is_hidden(m, only_one) && through_pointer);
    }
  }

  /// Where a class or its bases have a pointer of this name.
  // NOLINTNEXTLINE(misc-no-recursion)
  static std::optional<member> find_member(Dwarf_Die* type, std::string_view name, int depth = 0) {
    for (const member& m : members_of(type)) {
      if (m.name == name) {
        return m;
      }
      Dwarf_Die plain = peeled(m.type);
      if (is_class(&plain) && depth < deepest) {
        if (auto inner = find_member(&plain, name, depth + 1)) {
          inner->offset += m.offset;
          return inner;
        }
      }
    }
    return std::nullopt;
  }

  void at_vector(Dwarf_Die type,
                 const object_bytes& from,
                 std::size_t offset,
                 const std::string& path,
                 int depth,
                 int pointers) {
    const auto first = find_member(&type, "_M_start");
    const auto last = find_member(&type, "_M_finish");
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    Dwarf_Die element;
    if (!first || !last || !copy(from, offset + first->offset, sizeof begin, &begin) ||
        !copy(from, offset + last->offset, sizeof end, &end)) {
      return;
    }
    Dwarf_Die pointer = peeled(first->type);
    if (dwarf_tag(&pointer) != DW_TAG_pointer_type || !type_of(&pointer, &element)) {
      return;
    }
    const std::size_t each = bytes_of(element);
    if (each == 0 || begin == 0 || end < begin || count_pointers(element) == 0) {
      return;
    }
    const std::size_t count = std::min((end - begin) / each, most_elements);
    for (std::size_t i = 0; i < count; ++i) {
      look(element,
           {begin + i * each, {}},
           0,
           fmt::format("{}[{}]", path, i),
           depth + 1,
           pointers,
           false);
    }
  }

  const std::function<bool(std::uintptr_t)>& wanted_;
  std::vector<holder>& found_;
  holder as_;
  std::set<std::pair<std::uintptr_t, Dwarf_Off>> seen_;
  std::size_t looked_at_ = 0;
};

frame_registers registers_of(const host_frame& f) {
  frame_registers r;
  r.pc = f.pc;
  r.cfa = f.cfa;
  r.registers.emplace_back(stack_pointer_register, f.sp);
  for (std::size_t i = 0; i < preserved_registers.size(); ++i) {
    r.registers.emplace_back(preserved_registers[i], f.preserved[i]);
  }
  return r;
}

/// How many of the functions that are inlined at the frame's place are a kernel's that the frame
/// calls for a launch.
std::size_t functions_of_kernel(const host_frame& f) {
  if (f.launch == nullptr) {
    return 0;
  }
  const std::size_t here = resolve_code(f.pc).size();
  return here - std::min(here, resolve_code(f.launch).size());
}

/// Without names that stand for two pointers of one frame.
void leave_out_ambiguous(std::vector<holder>& all) {
  std::map<std::pair<std::uintptr_t, std::string_view>, std::set<std::uintptr_t>> meant;
  for (const holder& h : all) {
    meant[{h.frame, h.name}].insert(h.pointer);
  }
  std::vector<holder> clear;
  for (const holder& h : all) {
    if (meant.at({h.frame, h.name}).size() == 1) {
      clear.push_back(h);
    }
  }
  all = std::move(clear);
}

} // namespace

namespace {

bool is_classes_alias(Dwarf_Die* type) {
  if (dwarf_tag(type) != DW_TAG_typedef) {
    return false;
  }
  Dwarf_Die* scopes = nullptr; // itself first
  const int count = dwarf_getscopes_die(type, &scopes);
  const bool inside = count > 1 && is_class(&scopes[1]);
  std::free(scopes);
  return inside;
}

} // namespace

pointed_element element_behind(Dwarf_Die pointer) {
  pointed_element e;
  Dwarf_Die to;
  if (!type_of(&pointer, &to)) {
    return e; // void*
  }
  // Without const and volatile, but with the names that the program has given; element_type and
  // value_type of a class are none.
  while (dwarf_tag(&to) == DW_TAG_const_type || dwarf_tag(&to) == DW_TAG_volatile_type ||
         is_classes_alias(&to)) {
    Dwarf_Die inner;
    if (!type_of(&to, &inner)) {
      return e;
    }
    to = inner;
  }
  e.spelling = type_text(to);
  e.bytes = bytes_of(to);
  e.type = element_type(to);
  e.padding = padding_of(to);
  return e;
}

std::vector<holder> pointer_holders(std::span<const host_frame> frames,
                                    const std::function<bool(std::uintptr_t)>& wanted) {
  std::vector<holder> all;
  for (std::size_t i = frames.size(); i-- > 0;) {
    std::vector<located_variable> variables = located_variables(registers_of(frames[i]), false);
    // Of functions inlined there the outermost first, and variables in the order of their scopes.
    std::ranges::stable_sort(variables, std::greater<>{}, &located_variable::function);
    const std::size_t kernels = functions_of_kernel(frames[i]);
    for (const located_variable& v : variables) {
      if (v.function < kernels) {
        continue;
      }
      search(wanted, all)
          .look_through(v,
                        {.frame = frames[i].cfa,
                         .function = function_at(frames[i].pc),
                         .depth = i,
                         .parameter = v.parameter});
    }
  }
  for (const located_variable& v : program_variables()) {
    search(wanted, all).look_through(v, {});
  }
  leave_out_ambiguous(all);
  return all;
}

std::optional<owner> owner_of(const allocating_call& call) {
  std::optional<owner> found;
  std::size_t before = 0; // frames of the functions inlined into those further in
  for (const host_frame& f : call.frames) {
    for (const located_variable& v : located_variables(registers_of(f), true)) {
      Dwarf_Die type = peeled(v.type);
      if (!v.object.address || is_reference(&type) || call.filled < *v.object.address ||
          call.filled - *v.object.address >= bytes_of(v.type)) {
        continue;
      }
      owner o;
      o.name = part_at(v.type, call.filled - *v.object.address, v.name, o.element);
      o.frame = before + v.function;
      o.cfa = f.cfa;
      o.function = function_at(f.pc);
      found = std::move(o); // the outermost, where one object goes by two names
    }
    // A function that returns what it has allocated acts for its caller, and so does a constructor.
    const auto& functions = resolve_code(f.pc);
    const std::size_t behind = before + functions.size();
    while (found && found->frame >= before && found->frame < behind &&
           (is_constructor(functions[found->frame - before].function) ||
            returns_object(f.pc, found->frame - before))) {
      ++found->frame;
      found->handed_on = true;
    }
    before = behind;
  }
  return found;
}

} // namespace tilesim::sim::step
