// Launches: <<<…>>>, cudaLaunchKernel, cudaLaunchKernelEx.
//
// Checks the configuration as the device would, finds the stream, and appends the launch to it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/launch.hpp"

#include "sim/core/kernel_source.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/execution/signals.hpp"
#include "sim/memory/judging.hpp"
#include "sim/naming/host_variables.hpp"
#include "sim/process/thread_marks.hpp"
#include "sim/runtime/capture.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/device.hpp"
#include "sim/runtime/entry.hpp"
#include "sim/runtime/erased_call.hpp"
#include "sim/runtime/functions.hpp"
#include "sim/runtime/parameter_types.hpp"

#include <tilesim/detail/kernel_pointer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>

using namespace tilesim::sim;
using tilesim::kernel_kind;
using tilesim::detail::bound_kernel;
using tilesim::detail::launch_config;

namespace {

std::string text(const dim3& d) {
  return fmt::format("({},{},{})", d.x, d.y, d.z);
}

/// What is wrong with a configuration; empty when nothing is.
struct complaint {
  std::string fact;
  std::string remedy;
};

complaint judge(const launch_config& config, kernel_kind kind, int max_shared) {
  const dim3& g = config.grid;
  const dim3& b = config.block;
  if (g.x == 0 || g.y == 0 || g.z == 0) {
    return {fmt::format("the grid {} is empty", text(g)),
            "launch no kernel when there is nothing to do"};
  }
  if (b.x == 0 || b.y == 0 || b.z == 0) {
    return {fmt::format("the block {} is empty", text(b)), ""};
  }
  if (kind == kernel_kind::tile && (b.x != 1 || b.y != 1 || b.z != 1)) {
    return {fmt::format("a tile kernel is launched with blocks of {} threads", text(b)),
            "write 1 as the second operand: the compiler chooses a tile block's threads"};
  }
  if (g.x > limits::grid_x || g.y > limits::grid_y || g.z > limits::grid_z) {
    return {fmt::format("the grid {} is larger than ({},{},{})",
                        text(g),
                        limits::grid_x,
                        limits::grid_y,
                        limits::grid_z),
            "put the largest dimension first"};
  }
  if (b.x > limits::block_x || b.y > limits::block_y || b.z > limits::block_z ||
      std::uint64_t{b.x} * b.y * b.z > limits::threads_per_block) {
    return {fmt::format("the block {} is larger than ({},{},{}) or {} threads",
                        text(b),
                        limits::block_x,
                        limits::block_y,
                        limits::block_z,
                        limits::threads_per_block),
            ""};
  }
  if (config.shared_bytes > static_cast<std::size_t>(max_shared)) {
    return {fmt::format("{} bytes of dynamic shared memory are more than {}",
                        config.shared_bytes,
                        max_shared),
            max_shared < limits::shared_per_block_optin
                ? "raise cudaFuncAttributeMaxDynamicSharedMemorySize"
                : ""};
  }
  return {};
}

/// The blocks of a cooperative launch are all there at once.
complaint judge_cooperation(const entry& call, const launch_config& config) {
  const dim3& g = config.grid;
  const dim3& b = config.block;
  const auto blocks = std::uint64_t{g.x} * g.y * g.z;
  const auto most = static_cast<std::uint64_t>(multiprocessors(call.sim)) *
                    static_cast<std::uint64_t>(blocks_per_multiprocessor(
                        static_cast<int>(b.x * b.y * b.z), config.shared_bytes));
  if (!config.cooperative || blocks <= most) {
    return {};
  }
  return {fmt::format("{} blocks of a cooperative launch, of which the device holds {} at once",
                      blocks,
                      most),
          "launch as many as cudaOccupancyMaxActiveBlocksPerMultiprocessor says, for each "
          "multiprocessor"};
}

/// From the first launch on, host code and kernels may race for `__managed__` variables.
void judge_managed_variables(context& c) {
  if (c.opts.races && c.managed.load(std::memory_order_relaxed) == nullptr && code_is_hooked()) {
    const std::vector<address_range>& variables = managed_variables();
    if (!variables.empty()) {
      c.judges_managed.emplace();
    }
    c.managed.store(&variables, std::memory_order_release);
  }
}

/// A launch that a capture may not contain ends it.
void invalidate(const entry& call, cudaStream_t stream) {
  const CUstream_st* const s = call.state.work.find(stream);
  if (s != nullptr && s->capturing != nullptr) {
    s->capturing->invalidate();
  }
}

/// Where a closure keeps its arguments: behind the kernel's address, one after the other, each
/// where its type wants it. Nothing where that is not known, as of classes.
std::vector<void*> arguments_of(const bound_kernel& kernel) {
  const signature* const s = kernel.function == nullptr ? nullptr : find_signature(kernel.function);
  std::vector<void*> found;
  std::size_t at = sizeof(void*);
  for (const parameter& p : s == nullptr ? std::vector<parameter>() : s->parameters) {
    at = (at + p.size - 1) / p.size * p.size;
    found.push_back(static_cast<unsigned char*>(kernel.closure) + at);
    at += p.size;
  }
  at = (at + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);
  return at == kernel.closure_bytes ? found : std::vector<void*>();
}

/// A launch that may be done more than once.
piece captured(entry& call,
               const launch_config& config,
               kernel_kind kind,
               const bound_kernel& kernel) {
  const auto kept = std::make_shared<const kept_kernel>(kernel);
  kernel_parameters told;
  told.as_given = {const_cast<void*>(kernel.function),
                   config.grid,
                   config.block,
                   static_cast<unsigned>(config.shared_bytes),
                   nullptr,
                   nullptr};
  told.kernel = kept;
  told.arguments = arguments_of(kernel);
  return {.type = cudaGraphNodeTypeKernel,
          .start =
              [&sim = call.sim, config, kind, kept, site = with_callers(call.site)] {
                judge_managed_variables(sim);
                return sim.exec->submit(config, kind, kept->lend(), site);
              },
          .dropped = {},
          .parameters = keep_parameters(std::move(told))};
}

cudaError_t start(entry& call,
                  const launch_config& config,
                  kernel_kind kind,
                  const bound_kernel& kernel,
                  int max_shared) {
  const complaint wrong = judge(config, kind, max_shared);
  launch_config checked = config;
  checked.most_shared = static_cast<std::size_t>(max_shared);
  if (!wrong.fact.empty()) {
    kernel.destroy(kernel.closure);
    invalidate(call, config.stream);
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {}", kernel.name, wrong.fact),
                       wrong.remedy,
                       finding_kind::bad_launch);
  }
  const complaint too_many = judge_cooperation(call, config);
  if (!too_many.fact.empty()) {
    kernel.destroy(kernel.closure);
    return call.misuse(cudaErrorCooperativeLaunchTooLarge,
                       fmt::format("{}: {}", kernel.name, too_many.fact),
                       too_many.remedy,
                       finding_kind::bad_launch);
  }
  const auto [stream, refused] = find_for_work(call, config.stream, kernel.name);
  if (refused != cudaSuccess) {
    kernel.destroy(kernel.closure);
    return refused;
  }
  if (stream->capturing != nullptr) {
    call.state.work.append(*stream, captured(call, checked, kind, kernel));
    return call.ok();
  }
  call.state.work.append(
      *stream,
      {.type = cudaGraphNodeTypeKernel,
       .start =
           [&sim = call.sim, config = checked, kind, kernel, site = with_callers(call.site)] {
             judge_managed_variables(sim);
             return sim.exec->submit(config, kind, kernel, site);
           },
       .dropped = [kernel] { kernel.destroy(kernel.closure); },
       .parameters = {}});
  return call.ok();
}

launch_config as_launch(const cudaLaunchConfig_t& c) {
  return tilesim::detail::configured(c);
}

} // namespace

namespace tilesim::detail {

namespace {

/// The launch whose arguments are being evaluated, of this thread.
thread_local launching* innermost = nullptr;
const sim::thread_mark mark([]() noexcept {
  return std::as_writable_bytes(std::span(&innermost, 1));
});

/// Whether a launch's expression is the kernel's name: perhaps with namespaces before it and
/// template arguments behind, but no variable that points to it.
bool is_name_of(std::string_view expression, std::string_view kernel) {
  const std::string_view name = expression.substr(0, expression.find('<'));
  return name.ends_with(kernel) && (expression.size() == name.size() || expression.back() == '>') &&
         std::ranges::all_of(name.substr(0, name.size() - kernel.size()),
                             [](char c) {
                               return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                                      c == '_' || c == ':';
                             }) &&
         (name.size() == kernel.size() || name[name.size() - kernel.size() - 1] == ':');
}

/// As the launch writes it, if it is the kernel's; else the function's.
const char* name_for_reports(const launching& l, const bound_kernel& kernel) {
  if (kernel.name == nullptr || (l.name != nullptr && is_name_of(l.name, kernel.name))) {
    return l.name;
  }
  const char* const found =
      kernel_name(kernel.function != nullptr ? kernel.function : l.function, nullptr);
  return found != nullptr ? found : kernel.name;
}

cudaError_t no_kernel(const void* site, const void* function, const char* api) {
  return entry(site).misuse(cudaErrorInvalidDeviceFunction,
                            fmt::format("{}: {} is no kernel, and has run on the host once",
                                        api,
                                        kernel_name(function, "the function")),
                            "pass a __tile_global__ or __global__ function");
}

/// The body of a tile kernel, where it is not the program's own. False: there is none, which has
/// been told.
bool from_elsewhere(entry& call, kernel_kind kind, bound_kernel& kernel) {
  std::string why_not;
  if (call.sim.tile_kernels == nullptr || kind != kernel_kind::tile ||
      call.sim.tile_kernels->replace(kernel, why_not)) {
    return true;
  }
  call.sim.found.add(with_callers(call.site),
                     {.kind = finding_kind::unsupported,
                      .message = fmt::format("{} by way of Tile IR: {}", kernel.name, why_not),
                      .details = {"the launch fails with cudaErrorInvalidDeviceFunction"},
                      .remedy = "run it without --via tileir"});
  return false;
}

/// The shared memory that the kernel may ask for. The function is not always known by address: any
/// attribute that allows more may then be its.
int max_shared(const entry& call, const void* function) {
  int most = sim::limits::shared_per_block;
  for (const auto& [known, settings] : call.state.functions) {
    if (function == nullptr || known == function) {
      most = std::max(most, settings.max_dynamic_shared);
    }
  }
  return most;
}

} // namespace

void enqueue(const launch_config& config, kernel_kind kind, const bound_kernel& kernel) noexcept {
  entry call(TILESIM_SITE);
  if (call.refused() != cudaSuccess) {
    kernel.destroy(kernel.closure);
    return;
  }
  start(call, config, kind, kernel, max_shared(call, kernel.function));
}

void begin_launch(launching& l) noexcept {
  l.site = TILESIM_SITE;
  stop_in_kernel(l.site,
                 "a kernel's launch of a kernel",
                 "launch from host code, or make what is launched a __device__ function");
  l.around = innermost;
  innermost = &l;
  // The kernel's pointer may be null: then it is the handler of signals that tells it.
  static_cast<void>(context::current());
}

void end_launch(launching& l) noexcept {
  innermost = l.around;
}

void* allocate_closure(std::size_t bytes, std::size_t alignment) noexcept {
  alignment = std::max(alignment, alignof(std::max_align_t));
  void* const at = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (at == nullptr) {
    std::abort();
  }
  return at;
}

void free_closure(void* closure) noexcept {
  std::free(closure);
}

bool enter_kernel() noexcept {
  sim_thread* const t = execution::current();
  return t != nullptr && std::exchange(t->at_entry, false);
}

void bind_launch(kernel_kind kind, const bound_kernel& kernel, const void* site) noexcept {
  launching* l = innermost;
  while (l != nullptr && l->taken) { // launched among the arguments of one further out
    l = l->around;
  }
  const bool inside = execution::current() != nullptr;
  if (inside || l == nullptr) {
    kernel.destroy(kernel.closure);
    context::current().found.stop(
        site,
        {.kind = finding_kind::bad_launch,
         .message =
             inside ? "a kernel is called by a kernel" : "a kernel is called without a launch",
         .remedy = inside ? "make what is called a __tile__ or __device__ function"
                          : "write kernel<<<grid, block>>>(arguments)"});
  }
  l->taken = true;
  const sim::binding_kernel binding(l, l->site);
  entry call(l->site);
  if (call.refused() != cudaSuccess) {
    kernel.destroy(kernel.closure);
    l->error = call.refused();
    return;
  }
  bound_kernel named = kernel;
  named.name = name_for_reports(*l, kernel);
  if (named.function == nullptr) {
    named.function = l->function;
  }
  if (!from_elsewhere(call, kind, named)) {
    l->error = call.error(cudaErrorInvalidDeviceFunction);
    named.destroy(named.closure);
    return;
  }
  l->error = start(call, l->config, kind, named, max_shared(call, l->function));
}

cudaError_t
check_launch(const cudaLaunchConfig_t* config, const void* function, const char* api) noexcept {
  TILESIM_ENTRY(call)
  if (const cudaError_t wrong = check_function(call, function, api)) {
    return wrong;
  }
  return config != nullptr
             ? cudaSuccess
             : call.misuse(cudaErrorInvalidValue,
                           fmt::format("{}: null pointer for the launch's configuration",
                                       kernel_name(function, "kernel")));
}

cudaError_t launched(const launching& l, const char* api) noexcept {
  return l.taken ? static_cast<cudaError_t>(l.error) : no_kernel(TILESIM_SITE, l.function, api);
}

} // namespace tilesim::detail

std::optional<called_kernel> tilesim::sim::kernel_being_called() noexcept {
  const tilesim::detail::launching* l = tilesim::detail::innermost;
  return l == nullptr || l->taken
             ? std::nullopt
             : std::optional<called_kernel>({l->site,
                                             l->name != nullptr ? l->name : "the kernel",
                                             reinterpret_cast<std::uintptr_t>(l)});
}

cudaError_t tilesim::sim::launch_erased(entry& call,
                                        const launch_config& config,
                                        const void* function,
                                        void** arguments,
                                        const char* api) {
  if (const cudaError_t e = check_function(call, function, api)) {
    return e;
  }
  std::string why_not;
  const auto kernel = erased_call::prepare(function, arguments, why_not);
  if (kernel == nullptr) {
    call.sim.found.add(
        with_callers(call.site),
        {.kind = finding_kind::unsupported,
         .message = fmt::format("{}: {}", api, why_not),
         .details = {"the call returns cudaErrorInvalidDeviceFunction"},
         .remedy = "pass the kernel itself, not a pointer to void, or compile with -g"});
    return call.error(cudaErrorInvalidDeviceFunction);
  }
  tilesim::detail::launching l(config, nullptr);
  l.site = call.site;
  l.function = function;
  kernel->call();
  return l.taken ? static_cast<cudaError_t>(l.error)
                 : tilesim::detail::no_kernel(call.site, function, api);
}

cudaError_t cudaLaunchKernel(
    const void* func, dim3 grid, dim3 block, void** args, size_t sharedMem, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return launch_erased(call, {grid, block, sharedMem, stream}, func, args, "cudaLaunchKernel");
}

cudaError_t cudaLaunchCooperativeKernel(
    const void* func, dim3 grid, dim3 block, void** args, size_t sharedMem, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return launch_erased(
      call, {grid, block, sharedMem, stream, true}, func, args, "cudaLaunchCooperativeKernel");
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
  TILESIM_ENTRY(call)
  if (config == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaLaunchKernelExC: null pointer for the launch's configuration");
  }
  return launch_erased(call, as_launch(*config), func, args, "cudaLaunchKernelExC");
}
