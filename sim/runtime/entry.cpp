// Errors as CUDA keeps them, and words for pointers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/entry.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/naming/buffer_names.hpp"

#include <fmt/format.h>

#include <thread>

namespace tilesim::sim {

// [CUDA: dynamic parallelism] __global__ kernels may launch, and have a runtime for it; tile
// kernels may not.
void stop_in_kernel(const void* site, std::string_view what, const char* remedy) {
  const sim_thread* const t = execution::current();
  if (t == nullptr) {
    return;
  }
  const bool simt = t->launch->kind == kernel_kind::simt;
  context::current().found.stop(
      site,
      {.kind = simt ? finding_kind::unsupported : finding_kind::wrong_context,
       .message = simt ? fmt::format("{} (dynamic parallelism) is not simulated", what)
                       : fmt::format("{}: tile kernels have no device runtime", what),
       .details = {fmt::format("by {} of {}", t->name(), t->launch->kernel.name)},
       .remedy = remedy});
}

entry::entry(const void* call_site)
    : sim(context::current())
    , state(runtime_state::of(sim))
    , site(call_site)
    , lock_(state.mutex) {
  this_thread_uses_runtime(sim);
  stop_in_kernel(site, "a kernel's call of the CUDA runtime", "call it from host code");
  // [CUDA: cudaLaunchHostFunc] the function must not make CUDA API calls.
  if (sim.running_function) {
    refused_ = error(cudaErrorNotPermitted);
    const void* const object = sim.running_function->object_site;
    sim.found.add(
        with_callers(site),
        {.kind = finding_kind::wrong_context,
         .message = object != nullptr ? "a user object's destructor calls the CUDA runtime"
                                      : "a stream's host function calls the CUDA runtime",
         .details = {object != nullptr ? fmt::format("the object was created at {}", place(object))
                     : sim.running_function->stream_site == nullptr
                         ? std::string("it runs in a default stream")
                         : fmt::format("it runs in the stream created at {}",
                                       place(sim.running_function->stream_site)),
                     "the call does nothing and returns cudaErrorNotPermitted"},
         .remedy = "a GPU's call may wait for the stream that it stands in: let the "
                   "function tell the host, which launches and waits"});
    return;
  }
  for_library::release_deferred();
}

cudaError_t entry::ok() noexcept {
  return state.work.lost() == cudaSuccess ? cudaSuccess : error(state.work.lost());
}

cudaError_t entry::error(cudaError_t e) noexcept {
  state.last_error[std::this_thread::get_id()] = e;
  return e;
}

cudaError_t
entry::misuse(cudaError_t e, std::string message, std::string remedy, finding_kind kind) {
  const waiting_host waits(site);
  sim.found.add(with_callers(site),
                {.kind = kind,
                 .message = std::move(message),
                 .details = {fmt::format("the call returns {}", cudaGetErrorName(e))},
                 .remedy = std::move(remedy)});
  return error(e);
}

namespace {

/// Without the variable.
std::string describe_alone(const allocation& a) {
  std::string text = fmt::format(
      "allocation #{} ({} bytes of {}, {}", a.id, a.size, name(a.kind), place_and_helper(a.site));
  if (!a.live) {
    text += fmt::format(", freed at {}", place_and_helper(a.freed_site));
  }
  return text + ")";
}

std::string before(const std::string& text) {
  return text.empty() ? text : text + ", ";
}

} // namespace

std::string describe(const entry& call, const allocation& a) {
  const waiting_host waits(call.site);
  return before(buffer_text(call.sim, nullptr, a)) + describe_alone(a);
}

std::string describe_pointer(const entry& call, const void* p) {
  if (p == nullptr) {
    return "a null pointer";
  }
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  const allocation* a = call.sim.mem.find(p);
  if (a == nullptr) {
    return call.sim.mem.in_arena(at)
               ? fmt::format("{} (device memory that was never allocated)", fmt::ptr(p))
               : fmt::format("{} (host memory)", fmt::ptr(p));
  }
  if (at == a->begin) {
    return fmt::format("{} ({})", fmt::ptr(p), describe(call, *a));
  }
  const waiting_host waits(call.site);
  return fmt::format("{} ({}{} bytes into {})",
                     fmt::ptr(p),
                     before(element_text(call.sim, nullptr, *a, at)),
                     at - a->begin,
                     describe_alone(*a));
}

} // namespace tilesim::sim
