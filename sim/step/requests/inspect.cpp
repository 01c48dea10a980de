// Values, variables, calls, findings, names.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/step_protocol.hpp"
#include "sim/core/execution.hpp"
#include "sim/debug_info/code_lines.hpp"
#include "sim/debug_info/locals.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/step/requests.hpp"
#include "sim/watch/capture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tilesim::sim::step {

namespace {

/// The type as expressions spell it, whatever name the program has given it.
std::string plain_type(element kind, bool is_unsigned) {
  switch (kind) {
  case element::i1:
    return "bool";
  case element::i8:
    return is_unsigned ? "uint8_t" : "int8_t";
  case element::i16:
    return is_unsigned ? "uint16_t" : "int16_t";
  case element::i32:
    return is_unsigned ? "uint32_t" : "int32_t";
  case element::i64:
    return is_unsigned ? "uint64_t" : "int64_t";
  case element::f32:
    return "float";
  case element::f64:
    return "double";
  case element::f16:
    return "__half";
  case element::bf16:
    return "__nv_bfloat16";
  case element::tf32:
    return "__nv_tf32";
  case element::f8e4m3:
    return "__nv_fp8_e4m3";
  case element::f8e5m2:
    return "__nv_fp8_e5m2";
  case element::ptr:
    return "char*"; // an address is an address
  }
  return "char";
}

/// Where the last of a value's bytes lies, if all of it has a place.
std::uintptr_t end_of(const value& v) {
  std::uintptr_t end = v.address.value_or(0);
  if (v.members.empty() && v.address) {
    const auto reach = static_cast<std::uintptr_t>(std::max<std::int64_t>(v.stride, 1));
    return end + (v.count() - 1) * reach * size_of(v.type.kind) + size_of(v.type.kind);
  }
  for (const auto& [name, member] : v.members) {
    end = std::max(end, end_of(member));
  }
  return end;
}

/// What lies in memory as an expression without names; an object of a class as its bytes.
std::string nameless(const value& v) {
  if (!v.members.empty()) {
    return fmt::format("((uint8_t*){:#x})[0:{}]", *v.address, end_of(v) - *v.address);
  }
  const std::string pointer =
      fmt::format("({}*){:#x}", plain_type(v.type.kind, v.type.is_unsigned), *v.address);
  return v.shape.empty() ? "*" + pointer
                         : fmt::format("({})[0:{}:{}]",
                                       pointer,
                                       static_cast<std::int64_t>(v.count()) * v.stride,
                                       v.stride);
}

} // namespace

protocol::evaluated requests::evaluate(const protocol::evaluate& request) {
  names_.begin_expression(request.frame);
  const value v = expression(request.expression).evaluate(names_);
  protocol::evaluated reply;
  reply.value =
      message_of(v,
                 run_.known,
                 request.most.value_or(most_captured),
                 request.format.empty() ? std::nullopt : std::optional(request.format.front()));
  if (const auto frame = names_.entered()) {
    reply.frame = message_of(*frame);
    reply.frame->name = names_.thread()->name();
  }
  reply.constant = !names_.looked_up();
  if (const auto writer = run_.last_writer(v)) {
    reply.writer = *writer;
    reply.nameless = nameless(v);
    if (v.type.kind != element::ptr && v.members.empty()) {
      const allocation* a = run_.in.mem.find(reinterpret_cast<const void*>(*v.address));
      // Shared memory, like a device's, is written by operations alone.
      reply.place = message_of(watched_place{v, a == nullptr || a->kind == memory_kind::device});
    }
  }
  return reply;
}

/// Of memory alone: which operation has written it last, also where it has been freed since.
protocol::written requests::writer(const protocol::writer& request) {
  names_.begin_expression(0);
  value v;
  names_.read_freed_memory();
  try {
    v = expression(request.expression).evaluate(names_);
  } catch (const expression_error&) { // it has no value here: the run itself has to tell
  }
  const auto freed = names_.freed_memory_read();
  const auto by = run_.last_writer(v);
  // What has been freed may say what the value was, but not where it was.
  const bool known =
      by && !names_.used_local() && std::ranges::all_of(freed, [&v](std::uintptr_t read) {
        return read >= *v.address &&
               read < *v.address +
                          (v.count() * static_cast<std::size_t>(v.stride) * size_of(v.type.kind));
      });
  return known ? protocol::written{*by} : protocol::written{};
}

protocol::local_list requests::locals(const protocol::locals& request) {
  protocol::local_list list;
  std::vector<variable> found = names_.variables_of(request.frame);
  for (variable& v : found) {
    names_.give_length(v.now);
    list.locals.push_back(
        {.name = v.name,
         .type = v.type,
         .parameter = v.parameter,
         .line = v.line,
         .value = message_of(v.now, run_.known, request.most.value_or(most_captured))});
  }
  return list;
}

protocol::frame_list requests::frames(const protocol::calls& /*request*/) {
  const std::vector<frame_registers>& calls = names_.frames();
  protocol::frame_list list;
  for (const frame_registers& f : calls) {
    list.frames.push_back(resolve(f.pc));
  }
  // What another front door runs is not on the stack.
  if (const void* const site = names_.standing_site();
      calls.empty() && registered_resolver(site) != nullptr) {
    list.frames.push_back(resolve(site));
  }
  // Behind the kernel stands its launch, which no frame on the block's stack shows.
  if (names_.thread() != nullptr && !list.frames.empty()) {
    std::vector<source_frame> launch = resolve(names_.thread()->launch->site);
    if (!launch.empty()) {
      launch.front().function = "operator()";
      list.frames.push_back(std::move(launch));
    }
  }
  return list;
}

protocol::finding_list requests::findings(const protocol::findings& /*request*/) const {
  protocol::finding_list list;
  for (const finding& f : run_.in.found.all().findings) {
    list.findings.push_back(message_of(f));
  }
  return list;
}

namespace {

/// Whether the line of the user's source may perform an operation, and which is the next that may.
protocol::line_known operations_at(const std::string& file, unsigned line) {
  protocol::line_known found;
  const auto note = [&](std::optional<unsigned> next) {
    found.known = true;
    found.here = found.here || next == line;
    if (next && *next != line) {
      found.next = std::min(*next, found.next.value_or(*next));
    }
  };
  for (const auto& [path, lines] : code_of_program().lines) {
    if (ends_with_path(path, file)) {
      const auto next = lines.lower_bound(line);
      note(next == lines.end() ? std::nullopt : std::optional(*next));
    }
  }
  for (const place_resolver* const door : registered_resolvers()) {
    for (const auto& [path, lines] : door->lines()) {
      if (ends_with_path(path, file)) {
        note(next_operation_line(lines, line));
      }
    }
  }
  if (!found.known) {
    std::error_code none;
    const auto here = std::filesystem::current_path(none);
    for (const std::string& path : code_of_program().files) {
      const auto near = std::filesystem::path(path).lexically_relative(here).string();
      found.files.push_back(near.empty() || near.starts_with("..") ? path : near);
    }
  }
  return found;
}

} // namespace

protocol::done requests::has_operation(const protocol::check_operation& request) {
  check_operation(request.name);
  return {};
}

protocol::line_known requests::line(const protocol::code_of_line& request) {
  return operations_at(request.file, request.line);
}

protocol::names requests::kernels_and_functions(const protocol::kernels& /*request*/) const {
  std::set<std::string> kernels;
  std::set<std::string> functions;
  for (const user_function& f : code_of_program().functions) {
    (f.is_kernel ? kernels : functions).insert(f.name);
  }
  // Those that a macro of the program's declares are known once they have been launched.
  for (const launch_state* l : run_.in.exec->launches()) {
    kernels.insert(l->kernel.name);
  }
  return {.kernels = {kernels.begin(), kernels.end()},
          .functions = {functions.begin(), functions.end()}};
}

} // namespace tilesim::sim::step
