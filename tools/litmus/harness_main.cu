// Runs litmus tests on a GPU: the command line, the search for parameters, the log. The tests stand
// before it.
//
// SPDX-License-Identifier: Apache-2.0
namespace {

void must(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(e));
    std::exit(e == cudaErrorNoDevice || e == cudaErrorInsufficientDriver ? 69 : 70);
  }
}

/// What a run of a test can be told.
struct knobs {
  unsigned instances = 0;      ///< of a launch at most; 0: as many as fit
  unsigned blocks_per_sm = 4;
  unsigned stress = 25;        ///< blocks of a hundred that hammer scratch memory
  unsigned stress_rounds = 64;
  unsigned stress_pattern = 0; ///< 0 store, load; 1 store, store; 2 load, load; 3 atomics
  unsigned pre_stress = 0;     ///< rounds of each thread before its test
  unsigned stride = 8;         ///< bytes from an instance's cell to the next one's
  unsigned interleave = 0;     ///< 1: an instance's variables stand beside each other
  unsigned shuffle = 3;        ///< bits: 1 blocks, 2 partners and cells, 4 lanes
  unsigned jitter = 0;         ///< cycles that a thread waits at most before its test
  unsigned spins = 256;        ///< how often a thread looks whether the others have come
};

struct knob_name {
  const char* name;
  unsigned knobs::*field;
  unsigned most;
};

constexpr knob_name knob_names[] = {{"instances", &knobs::instances, 1u << 24},
                                    {"blocks-per-sm", &knobs::blocks_per_sm, 8},
                                    {"stress", &knobs::stress, 90},
                                    {"stress-rounds", &knobs::stress_rounds, 1u << 16},
                                    {"stress-pattern", &knobs::stress_pattern, 3},
                                    {"pre-stress", &knobs::pre_stress, 1u << 16},
                                    {"stride", &knobs::stride, 4096},
                                    {"interleave", &knobs::interleave, 1},
                                    {"shuffle", &knobs::shuffle, 7},
                                    {"jitter", &knobs::jitter, 1u << 20},
                                    {"spins", &knobs::spins, 1u << 20}};

std::string to_json(const knobs& k) {
  std::string out = "{";
  for (const knob_name& n : knob_names) {
    out += (out.size() > 1 ? ",\"" : "\"") + std::string(n.name) +
           "\":" + std::to_string(k.*n.field);
  }
  return out + "}";
}

std::string quoted(const std::string& s) {
  std::string out = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + "\"";
}

/// An outcome and how often it was seen.
struct counts {
  std::map<std::vector<u64>, u64> of;
  u64 total = 0, cut = 0, lost = 0, weak = 0, launches = 0;
  double seconds = 0;
};

template <class T> T* device_memory(std::size_t n) {
  void* p = nullptr;
  must(cudaMalloc(&p, std::max<std::size_t>(n, 1) * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(p);
}

template <class T> T* on_device(const T* from, std::size_t n) {
  T* const p = device_memory<T>(n);
  if (n != 0) {
    must(cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  return p;
}

/// Memory that all runs share.
class device {
public:
  device() {
    must(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    must(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    cells = device_memory<unsigned char>(cell_bytes);
    regs = device_memory<u64>(reg_words);
    meet = device_memory<unsigned>(most_instances);
    cut = device_memory<unsigned>(most_instances);
    scratch = device_memory<unsigned>(scratch_words + 128);
    unit_of = device_memory<unsigned>(permutations * most_units);
    table.keys = device_memory<u64>(2 * table_slots + 2);
    table.counts = table.keys + table_slots;
    table.lost = table.counts + table_slots;
    table.cut = table.lost + 1;
  }

  static constexpr std::size_t cell_bytes = std::size_t{2} << 30;
  static constexpr std::size_t most_instances = std::size_t{1} << 19;
  static constexpr std::size_t reg_words = most_instances * 32;
  static constexpr std::size_t most_units = 1u << 14;

  cudaDeviceProp properties{};
  int driver = 0;
  unsigned char* cells;
  u64* regs;
  unsigned *meet, *cut, *scratch, *unit_of;
  outcome_table table{};
};

u64 coprime(std::mt19937_64& random, u64 n) {
  for (;;) {
    const u64 m = random() % n;
    if (std::gcd(m, n) == 1 || n == 1) {
      return m;
    }
  }
}

/// One test under one choice of knobs.
class run {
public:
  run(device& d, const test_info& t, const knobs& k, u64 seed)
      : device_(d)
      , test_(t)
      , knobs_(k)
      , random_(seed) {
    variables_ = on_device(t.of, t.variables);
    initials_ = on_device(t.init, t.initials);
    model_ = t.model_address == nullptr ? nullptr : on_device(t.model_address, t.locations);
    values_ = device_memory<u64>(std::size_t{table_slots} * t.variables);
    size();
    permute();
    must(cudaMemset(d.table.keys, 0, (2 * table_slots + 2) * sizeof(u64)), "cudaMemset");
  }
  ~run() {
    cudaFree(variables_);
    cudaFree(initials_);
    cudaFree(model_);
    cudaFree(values_);
  }
  run(const run&) = delete;

  /// Launches until so many are done or the time is over, at least once.
  void go(u64 launches, double seconds, counts& into) {
    const auto begin = std::chrono::steady_clock::now();
    double passed = 0;
    for (u64 n = 0; n < launches && (n == 0 || passed < seconds);) {
      for (const u64 end = std::min(launches, n + 8); n < end; ++n) {
        once();
        ++into.launches;
      }
      must(cudaDeviceSynchronize(), test_.name);
      passed =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    into.seconds += passed;
    read(into);
  }

private:
  void size() {
    int fit = static_cast<int>(knobs_.blocks_per_sm); // of a tile kernel: its blocks are small
    if (!test_.tile) {
      must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, test_.kernel, block_threads, 0),
           "occupancy");
    }
    const unsigned blocks = std::max(1u, std::min<unsigned>(knobs_.blocks_per_sm, fit)) *
                            device_.properties.multiProcessorCount;
    args_.cluster = test_.cluster;
    all_units_ = std::max(std::min<unsigned>(blocks / test_.cluster, device::most_units), 1u);
    args_.test_units = test_.units;
    args_.width = test_.width;
    args_.slots = test_.tile ? tile_turns : test_.warps ? 1 : block_threads / test_.width;
    args_.warps = test_.warps;
    const unsigned units = all_units_ * (100 - knobs_.stress) / 100;
    unsigned groups = std::max(units / test_.units, 1u);
    const u64 grain = test_.span <= 8 ? 8 : (test_.span + 31) / 32 * 32;
    stride_ = std::max<u64>(knobs_.stride / grain * grain, grain);
    u64 most = std::min<u64>(device::most_instances,
                             device::cell_bytes / (stride_ * (test_.locations + 1)));
    most = std::min<u64>(most, device::reg_words / std::max(test_.registers, 1u));
    if (knobs_.instances != 0) {
      most = std::min<u64>(most, knobs_.instances);
    }
    groups = std::max<unsigned>(
        1, std::min<u64>(groups, most / args_.slots));
    all_units_ = std::max(all_units_, groups * test_.units);
    args_.groups = groups;
    args_.instances = static_cast<u64>(groups) * args_.slots;
    args_.regs = device_.regs;
    args_.meet = device_.meet;
    args_.cut = device_.cut;
    args_.scratch = device_.scratch;
    args_.stress_rounds = knobs_.stress_rounds;
    args_.stress_pattern = knobs_.stress_pattern;
    args_.pre_stress = knobs_.pre_stress;
    args_.spins = knobs_.spins;
    std::memcpy(args_.role, test_.roles, test_.units * test_.cluster * test_.width);
  }

  void permute() {
    std::vector<unsigned> all(permutations * all_units_);
    for (unsigned p = 0; p < permutations; ++p) {
      const auto begin = all.begin() + p * all_units_;
      std::iota(begin, begin + all_units_, 0u);
      if ((knobs_.shuffle & 1) != 0) {
        std::shuffle(begin, begin + all_units_, random_);
      }
    }
    must(cudaMemcpy(device_.unit_of,
                    all.data(),
                    all.size() * sizeof(unsigned),
                    cudaMemcpyHostToDevice),
         "cudaMemcpy");
  }

  void once() {
    launch_args& a = args_;
    const bool mix = (knobs_.shuffle & 2) != 0;
    const bool lanes = (knobs_.shuffle & 4) != 0;
    const u64 n = a.instances;
    for (unsigned l = 0; l < test_.locations; ++l) {
      a.base[l] = knobs_.interleave != 0 ? device_.cells + l * stride_
                                         : device_.cells + l * (n * stride_ + 256);
      // Interleaved, an instance's cells stay together.
      const bool own = mix && (knobs_.interleave == 0 || l == 0);
      a.mul[l] = own ? coprime(random_, n) : l == 0 || !mix ? 1 : a.mul[0];
      a.off[l] = own ? random_() % n : l == 0 || !mix ? 0 : a.off[0];
    }
    a.stride = knobs_.interleave != 0 ? stride_ * test_.locations : stride_;
    a.unit_of = device_.unit_of + random_() % permutations * all_units_;
    a.shift = mix ? static_cast<unsigned>(random_() % a.groups) : 0;
    a.lane_mul = lanes ? static_cast<unsigned>(random_()) | 1u : 1;
    a.lane_off = lanes ? static_cast<unsigned>(random_() % block_threads) : 0;
    a.jitter = knobs_.jitter;
    a.seed = static_cast<unsigned>(random_());
    collect_args c{a,           test_.variables, test_.initials, test_.locations, test_.span,
                   variables_,  initials_,       model_,         device_.table,   true};
    c.table.values = values_;
    const unsigned blocks = static_cast<unsigned>((n + 255) / 256);
    prepare<<<blocks, 256>>>(c);
    launch(a);
    collect<<<blocks, 256>>>(c);
    must(cudaGetLastError(), test_.name);
  }

  void launch(launch_args& a) {
    if (test_.tile) {
      launch_tile(a);
      return;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(all_units_ * test_.cluster);
    config.blockDim = dim3(block_threads);
    cudaLaunchAttribute attribute{};
    if (test_.cluster > 1) {
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = test_.cluster;
      attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
      config.attrs = &attribute;
      config.numAttrs = 1;
    }
    void* words[] = {&a};
    must(cudaLaunchKernelExC(&config, test_.kernel, words), test_.name);
  }

  /// The parameters of a tile kernel, in their order (harness_tile.cu).
  void launch_tile(launch_args& a) {
    u64 base[max_locations] = {};
    for (unsigned l = 0; l < test_.locations; ++l) {
      base[l] = static_cast<u64>(a.base[l] - device_.cells);
    }
    std::vector<void*> words{&device_.cells, &a.regs, &a.meet, &a.cut, &a.scratch, &a.unit_of,
                             &a.stride, &a.instances, &a.groups, &a.slots, &a.test_units, &a.shift,
                             &a.spins, &a.stress_rounds, &a.stress_pattern};
    for (u64* const group : {base, a.mul, a.off}) {
      for (unsigned l = 0; l < max_locations; ++l) {
        words.push_back(group + l);
      }
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(all_units_);
    config.blockDim = dim3(1);
    must(cudaLaunchKernelExC(&config, test_.kernel, words.data()), test_.name);
  }

  void read(counts& into) {
    std::vector<u64> table(2 * table_slots + 2);
    std::vector<u64> values(std::size_t{table_slots} * test_.variables);
    must(cudaMemcpy(table.data(), device_.table.keys, table.size() * 8, cudaMemcpyDeviceToHost),
         "cudaMemcpy");
    if (!values.empty()) {
      must(cudaMemcpy(values.data(), values_, values.size() * 8, cudaMemcpyDeviceToHost),
           "cudaMemcpy");
    }
    const std::unordered_set<u64> sc(test_.sc_states, test_.sc_states + test_.sc_count);
    for (unsigned i = 0; i < table_slots; ++i) {
      if (table[i] != 0) {
        const u64 n = table[table_slots + i];
        const auto at = values.begin() + i * std::ptrdiff_t{test_.variables};
        into.of[std::vector<u64>(at, at + test_.variables)] += n;
        into.total += n;
        into.weak += test_.marked && !sc.contains(table[i]) ? n : 0;
      }
    }
    into.lost += table[2 * table_slots];
    into.cut += table[2 * table_slots + 1];
    must(cudaMemset(device_.table.keys, 0, table.size() * 8), "cudaMemset");
  }

  device& device_;
  const test_info& test_;
  knobs knobs_;
  std::mt19937_64 random_;
  launch_args args_{};
  unsigned all_units_ = 1;
  u64 stride_ = 8;
  variable* variables_;
  initial* initials_;
  u64* model_;
  u64* values_;
};

struct options {
  std::string test, log;
  u64 seed = 1, iterations = 100;
  double seconds = 0, tune = 0;
  bool list = false, mutants = true;
  knobs base;
};

[[noreturn]] void wrong(const std::string& what) {
  std::fprintf(stderr, "error: %s; see --help\n", what.c_str());
  std::exit(64);
}

void help() {
  std::puts("usage: PROG [options] -o LOG\n"
            "  --test NAME      tests of this name, and their mutants, only\n"
            "  --no-mutants     the tests as they are, only\n"
            "  --list           names, and nothing is run\n"
            "  --seed S         of all choices (1)\n"
            "  --iterations N   launches of each test (100)\n"
            "  --seconds T      instead: time for all tests together\n"
            "  --tune SECONDS   look for the parameters that show most weak outcomes, first");
  for (const knob_name& n : knob_names) {
    std::printf("  --%s N (%u, at most %u)\n", n.name, knobs{}.*n.field, n.most);
  }
  std::puts("examples:\n"
            "  ./PROG --tune 30 --seconds 120 -o run.jsonl\n"
            "  ./PROG --test SB --iterations 1000 --stress 50 -o sb.jsonl");
}

double number(const char* option, const char* word) {
  char* end = nullptr;
  const double v = word == nullptr ? -1 : std::strtod(word, &end);
  if (word == nullptr || *end != '\0' || end == word || !(v >= 0 && v < 1e15)) {
    wrong(std::string(option) + " takes a number");
  }
  return v;
}

options parse(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string w = argv[i];
    const char* const next = i + 1 < argc ? argv[i + 1] : nullptr;
    const knob_name* knob = nullptr;
    for (const knob_name& n : knob_names) {
      knob = w == std::string("--") + n.name ? &n : knob;
    }
    if (w == "--help" || w == "-h") {
      help();
      std::exit(0);
    } else if (w == "--list" || w == "--no-mutants") {
      (w == "--list" ? o.list = true : o.mutants = false);
      continue;
    } else if (next == nullptr) {
      wrong("'" + w + "' is no option, or takes a value");
    } else if (w == "--test" || w == "-o") {
      (w == "-o" ? o.log : o.test) = next;
    } else if (knob != nullptr) {
      const double v = number(knob->name, next);
      if (v > knob->most) {
        wrong(std::string("--") + knob->name + " is at most " + std::to_string(knob->most));
      }
      o.base.*knob->field = static_cast<unsigned>(v);
    } else if (w == "--seed") {
      o.seed = static_cast<u64>(number("--seed", next));
    } else if (w == "--iterations") {
      o.iterations = static_cast<u64>(number("--iterations", next));
    } else if (w == "--seconds") {
      o.seconds = number("--seconds", next);
    } else if (w == "--tune") {
      o.tune = number("--tune", next);
    } else {
      wrong("'" + w + "' is no option");
    }
    ++i;
  }
  if (o.log.empty() && !o.list) {
    wrong("no log; write '-o LOG'");
  }
  return o;
}

std::vector<const test_info*> chosen(const options& o) {
  std::vector<const test_info*> out;
  for (const test_info& t : tests) {
    if ((o.test.empty() || o.test == t.name) && (o.mutants || t.mutant == nullptr)) {
      out.push_back(&t);
    }
  }
  return out;
}

knobs drawn(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<unsigned> of) {
    return of.begin()[random() % of.size()];
  };
  knobs k;
  k.blocks_per_sm = one_of({1, 2, 4, 8});
  k.stress = one_of({0, 0, 10, 25, 50});
  k.stress_rounds = one_of({16, 64, 256, 1024});
  k.stress_pattern = one_of({0, 1, 2, 3});
  k.pre_stress = one_of({0, 0, 2, 8});
  k.stride = one_of({8, 8, 16, 32, 64, 128, 256});
  k.interleave = one_of({0, 0, 0, 1});
  k.shuffle = one_of({0, 1, 2, 3, 3, 7});
  k.jitter = one_of({0, 0, 200, 1000});
  k.spins = one_of({0, 16, 256, 1024});
  return k;
}

struct tried {
  knobs k;
  double score = 0;
};

/// Random parameters, each on some of the tests that can show a weak outcome. The score is the sum
/// of log(1 + weak outcomes per second): a test that shows few counts as much as one that shows
/// many. Of all, the best four are used in turn.
std::vector<tried> tune(device& d, const std::vector<const test_info*>& all, const options& o) {
  std::vector<const test_info*> weak;
  for (const test_info* t : all) {
    if (t->mutant == nullptr && t->marked && t->has_weak) {
      weak.push_back(t);
    }
  }
  std::mt19937_64 random(o.seed);
  std::shuffle(weak.begin(), weak.end(), random);
  weak.resize(std::min<std::size_t>(weak.size(), 24));
  const auto begin = std::chrono::steady_clock::now();
  std::vector<tried> out;
  for (bool over = weak.empty(); !over;) {
    tried t{out.empty() ? o.base : drawn(random)};
    for (const test_info* test : weak) {
      counts seen;
      run(d, *test, t.k, o.seed).go(4, 1e9, seen);
      t.score += std::log10(1 + static_cast<double>(seen.weak) / std::max(seen.seconds, 1e-9));
    }
    out.push_back(t);
    over = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() > o.tune;
  }
  std::stable_sort(
      out.begin(), out.end(), [](const tried& a, const tried& b) { return a.score > b.score; });
  std::printf("tuned: %zu choices of parameters on %zu tests\n", out.size(), weak.size());
  out.resize(std::min<std::size_t>(out.size(), 4));
  return out;
}

std::string state(const test_info& t, const std::vector<u64>& values) {
  std::string out;
  for (unsigned k = 0; k < t.variables; ++k) {
    out += (k == 0 ? "" : " ") + std::string(t.of[k].name) + "=" +
           std::to_string(static_cast<long long>(values[k])) + ";";
  }
  return out;
}

void write_header(std::FILE* log, const device& d, const options& o, const std::vector<tried>& k,
                  std::size_t n) {
  std::fprintf(log,
               "{\"tilesim_litmus_log\":1,\"device\":%s,\"driver\":%d,\"seed\":%llu,"
               "\"tests\":%zu,\"knobs\":[",
               quoted(d.properties.name).c_str(), d.driver, o.seed, n);
  for (std::size_t i = 0; i < k.size(); ++i) {
    std::fprintf(log, "%s%s", i == 0 ? "" : ",", to_json(k[i].k).c_str());
  }
  std::fprintf(log, "],\"files\":[");
  std::string before;
  for (const test_info& t : tests) {
    if (before != t.file) {
      std::fprintf(log, "%s{\"file\":%s,\"xxh64\":\"%016llx\"}", before.empty() ? "" : ",",
                   quoted(t.file).c_str(), t.hash);
    }
    before = t.file;
  }
  std::fprintf(log, "]}\n");
}

void write_test(std::FILE* log, const test_info& t, const counts& c) {
  std::fprintf(log, "{\"test\":%s,\"mutant\":%s,\"xxh64\":\"%016llx\",\"outcomes\":[",
               quoted(t.name).c_str(),
               t.mutant == nullptr ? "null" : quoted(t.mutant).c_str(), t.hash);
  bool first = true;
  for (const auto& [values, n] : c.of) {
    std::fprintf(log, "%s{\"state\":%s,\"count\":%llu}", first ? "" : ",",
                 quoted(state(t, values)).c_str(), n);
    first = false;
  }
  std::fprintf(log, "],\"total\":%llu,\"cut\":%llu,\"lost\":%llu,\"weak\":%llu,"
                    "\"launches\":%llu}\n",
               c.total, c.cut, c.lost, c.weak, c.launches);
  std::fflush(log);
}

} // namespace

int main(int argc, char** argv) {
  const options o = parse(argc, argv);
  const auto all = chosen(o);
  if (o.list) {
    for (const test_info* t : all) {
      std::printf("%s%s%s\n", t->name, t->mutant == nullptr ? "" : " ~ ",
                  t->mutant == nullptr ? "" : t->mutant);
    }
    return 0;
  }
  if (all.empty()) {
    wrong("there is no test '" + o.test + "'");
  }
  std::FILE* const log = std::fopen(o.log.c_str(), "w");
  if (log == nullptr) {
    std::fprintf(stderr, "error: %s: cannot be written\n", o.log.c_str());
    return 69;
  }
  device d;
  std::vector<tried> choices{{o.base}};
  if (o.tune > 0) {
    choices = tune(d, all, o);
  }
  if (choices.empty()) {
    choices = {{o.base}};
  }
  write_header(log, d, o, choices, all.size());
  const double share =
      o.seconds > 0 ? o.seconds / static_cast<double>(all.size() * choices.size()) : 1e9;
  const u64 launches = o.seconds > 0 ? ~0ull >> 1 : std::max<u64>(1, o.iterations / choices.size());
  u64 observations = 0, weak = 0, lost = 0;
  for (const test_info* t : all) {
    counts c;
    for (std::size_t k = 0; k < choices.size(); ++k) {
      run(d, *t, choices[k].k, o.seed + k).go(launches, share, c);
    }
    write_test(log, *t, c);
    observations += c.total;
    weak += c.weak;
    lost += c.lost;
  }
  std::fprintf(log, "{\"end\":%zu}\n", all.size());
  if (std::fclose(log) != 0) {
    std::fprintf(stderr, "error: %s: cannot be written\n", o.log.c_str());
    return 69;
  }
  std::printf("%zu tests, %llu observations, %llu of weak outcomes, %llu lost\n", all.size(),
              observations, weak, lost);
  return lost == 0 ? 0 : 3;
}
