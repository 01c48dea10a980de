// Commands of the stepper, in the manner of gdb and rr.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/commands.hpp"

#include "sim/contract/schedule_string.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"
#include "tools/cli/scanner.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/step/formats.hpp"
#include "tools/step/frame_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>

namespace tilesim::driver::step {

using nlohmann::json;

struct prompt_command {
  const char* name;
  const char* abbreviation; ///< besides every unambiguous beginning; may be empty
  const char* arguments;
  const char* summary;
  const char* details; ///< more for `help NAME`
  bool repeats;        ///< on Enter
  bool (prompt::*run)(std::string_view);
};

namespace {

constexpr std::array commands = {
    prompt_command{"run",
                   "r",
                   "",
                   "start the program, or start it again",
                   "Breakpoints stay; switches of blocks are forgotten.",
                   false,
                   &prompt::run},
    prompt_command{"continue",
                   "c",
                   "[N]",
                   "go on to the next stop",
                   "Stops at breakpoints, watched values, findings and the end. N: ignore the "
                   "next N - 1 stops.",
                   true,
                   &prompt::go_on},
    prompt_command{"step",
                   "s",
                   "[N]",
                   "perform the next operation of this block, or the next N",
                   "A step is one tile operation, or one raw access, of one block. Shows what it "
                   "computed and what it did to memory. In what it shows, - is an element that is "
                   "masked out, (3) the padding of one, and ? one that is unspecified or that "
                   "nothing has written; what differs from the last time is bold.",
                   true,
                   &prompt::step_one},
    prompt_command{
        "next", "n", "[N]", "go on to this block's next source line", "", true, &prompt::next_line},
    prompt_command{
        "finish", "fin", "", "go on to the end of this block", "", false, &prompt::finish},
    prompt_command{"until",
                   "u",
                   "[FILE:]LINE | op=NAME",
                   "go on until this block comes there",
                   "",
                   false,
                   &prompt::until},
    prompt_command{"reverse-step",
                   "rs",
                   "[N]",
                   "take back the last operation of this block",
                   "Exact: the program is run again from a checkpoint. Right behind a step, it "
                   "stands where that was given, whichever block has come since.",
                   true,
                   &prompt::reverse_step},
    prompt_command{"reverse-next",
                   "rn",
                   "",
                   "go back to the begin of this block's previous line",
                   "Right behind a next: to where that was given.",
                   true,
                   &prompt::reverse_next},
    prompt_command{"reverse-finish",
                   "",
                   "",
                   "go back to where this block began",
                   "Right behind a finish: to where that was given.",
                   false,
                   &prompt::reverse_finish},
    prompt_command{"reverse-continue",
                   "rc",
                   "",
                   "go back to the last place where a breakpoint or a watched value stops",
                   "With watched memory alone: to the last write of it. From a deadlock, and where "
                   "there are no breakpoints: to where a block began to wait that waits here.",
                   true,
                   &prompt::reverse_go_on},
    prompt_command{"goto",
                   "",
                   "POSITION",
                   "go to where so many operations have begun",
                   "Positions are shown with every stop.",
                   false,
                   &prompt::go_to},
    prompt_command{"break",
                   "b",
                   "[FILE:]LINE | KERNEL | op=NAME | block=N [if EXPRESSION]",
                   "stop there",
                   "What is given together must hold together: break 18 block=3 if $operations > "
                   "7. NAME is an operation as C++ or Tile IR calls it: atomic_add, load, addf. "
                   "block=(x,y,z) works, too.",
                   false,
                   &prompt::break_at},
    prompt_command{"tbreak", "", "as break", "stop there once", "", false, &prompt::break_once},
    prompt_command{
        "watch",
        "",
        "EXPRESSION",
        "stop when the value changes",
        "bins[3], bins[0:16], *p, a tile: any expression. reverse-continue goes back to "
        "the write. A variable is watched in the block that stands here; before 'run', in "
        "every block.",
        false,
        &prompt::watch},
    prompt_command{"delete",
                   "d",
                   "[N]...",
                   "delete breakpoints and watches, all without a number",
                   "",
                   false,
                   &prompt::remove},
    prompt_command{"enable", "", "N...", "let breakpoints stop again", "", false, &prompt::enable},
    prompt_command{
        "disable", "", "N...", "keep breakpoints without stopping", "", false, &prompt::disable},
    prompt_command{"info",
                   "i",
                   "blocks|buffers|races|schedule|breakpoints|locals|display",
                   "show what there is",
                   "",
                   false,
                   &prompt::info},
    prompt_command{"block",
                   "",
                   "N | X,Y,Z [thread N | X,Y,Z]",
                   "another block goes on from here",
                   "Of a kernel with several threads a block, 'block 2 thread 5' (or thread x,y,z) "
                   "names one; without it, the first that can go on does. The schedule is yours: "
                   "the block that stood here goes on later. Going back "
                   "and forward keeps the switch; 'schedule' shows all.",
                   false,
                   &prompt::block},
    prompt_command{"frame",
                   "f",
                   "[N]",
                   "choose the frame whose variables are meant",
                   "",
                   false,
                   &prompt::frame},
    prompt_command{"up",
                   "",
                   "[N]",
                   "choose the caller's frame, or that N calls further out",
                   "",
                   true,
                   &prompt::up},
    prompt_command{"down",
                   "",
                   "[N]",
                   "choose the frame of what is called, or that N calls further in",
                   "",
                   true,
                   &prompt::down},
    prompt_command{
        "print",
        "p",
        "[/FORM] EXPRESSION",
        "show a value",
        "Variables of the kernel, buffers by name, slices and strides: print "
        "bins[0:16], print tile[0,0:4], print *p, print sum(bins), print $block. ? is an "
        "element of device memory that nothing has written. A form shows the bits: print/x flags "
        "(x hexadecimal, d signed, u unsigned, o octal, t binary, c character, a address, f "
        "floating-point).",
        false,
        &prompt::print},
    prompt_command{
        "x",
        "",
        "[/COUNT FORM SIZE] EXPRESSION",
        "show memory",
        "x/64 bins shows 64 bytes. With a form (that of print) or a size (b 1 byte, h 2, w 4, g 8) "
        "it shows so many units, as in gdb: x/8dw bins, x/4f sums, x/2xg &p. ?? is what nothing "
        "has written.",
        true,
        &prompt::examine},
    prompt_command{"list", "l", "[[FILE:]LINE]", "show source lines", "", true, &prompt::list},
    prompt_command{"where", "bt", "", "show the calls that lead here", "", false, &prompt::where},
    prompt_command{"display",
                   "",
                   "[[/FORM] EXPRESSION]",
                   "show a value at every stop",
                   "",
                   false,
                   &prompt::display},
    prompt_command{"undisplay", "", "[N]", "stop showing it", "", false, &prompt::undisplay},
    prompt_command{"set",
                   "",
                   "fold N | width N | listsize N | history MB | stop-at-findings on|off",
                   "change a setting",
                   "",
                   false,
                   &prompt::set},
    prompt_command{"schedule",
                   "",
                   "[save FILE]",
                   "show the switches of blocks, or save them",
                   "",
                   false,
                   &prompt::schedule},
    prompt_command{"save",
                   "",
                   "FILE",
                   "save the schedule, for replay and for tilesim check",
                   "",
                   false,
                   &prompt::save},
    prompt_command{"replay",
                   "",
                   "FILE | STRING",
                   "start again under a saved schedule or a report's replay string",
                   "",
                   false,
                   &prompt::replay_schedule},
    prompt_command{
        "source", "", "FILE", "carry out the commands in a file", "", false, &prompt::source},
    prompt_command{"help", "h", "[COMMAND]", "say what commands do", "", false, &prompt::help},
    prompt_command{"quit", "q", "", "end the program and leave", "", false, &prompt::quit},
};

/// Further names that gdb has for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> gdb_names = {
    {{"backtrace", "where"}, {"stepi", "step"}, {"si", "step"}}};

const prompt_command& find_command(std::string_view word) {
  std::vector<const prompt_command*> fitting;
  const auto* const other =
      std::ranges::find(gdb_names, word, &std::pair<std::string_view, std::string_view>::first);
  if (other != gdb_names.end())
    word = other->second;
  for (const auto& c : commands) {
    if (c.name == word || (*c.abbreviation != '\0' && c.abbreviation == word))
      return c;
    if (std::string_view(c.name).substr(0, word.size()) == word)
      fitting.push_back(&c);
  }
  if (fitting.size() == 1)
    return *fitting.front();
  if (fitting.empty())
    throw command_error(fmt::format("unknown command '{}'; 'help' lists them", word));
  std::string names;
  for (const auto* c : fitting)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", c->name);
  throw command_error(fmt::format("'{}' may be {}", word, names));
}

/// A paragraph in lines of at most `width` characters, indented.
std::string wrapped(std::string_view paragraph, std::size_t indent, std::size_t width) {
  std::string text;
  std::size_t used = 0;
  for (auto [word, rest] = first_word(paragraph); !word.empty();
       std::tie(word, rest) = first_word(rest)) {
    if (used == 0 || used + 1 + word.size() > width) {
      text += (used == 0 ? "" : "\n") + std::string(indent, ' ');
      used = indent;
    } else {
      text += ' ';
      ++used;
    }
    text += word;
    used += word.size();
  }
  return text + "\n";
}

} // namespace

prompt::prompt(session& s, style looks, std::string source)
    : session_(s)
    , style_(looks)
    , source_(std::move(source)) {}

void prompt::say(const std::string& text) const {
  if (write)
    write(text);
  else
    print_out(text);
}

void prompt::show_unfollowed() {
  if (!session_.alive())
    return;
  const json what = ask({{"do", "schedule"}}).at("unfollowed");
  if (what.is_string())
    say(fmt::format("the replay could not follow {}\n", what.get<std::string>()));
}

json prompt::ask(const json& request) {
  try {
    return session_.ask(request);
  } catch (const refused& r) {
    throw command_error(r.what());
  }
}

bool prompt::execute(std::string_view line) {
  // No place and no condition is so long: it is a mistake in quoting or in a script, and a
  // breakpoint would take it and never be what was meant.
  constexpr std::size_t longest = 65536;
  line = trimmed(line);
  if (line.empty() || line.front() == '#')
    return true;
  if (line.size() > longest)
    throw command_error(
        fmt::format("a command of {} characters: there may be {} at most", line.size(), longest));
  // x/16 p: gdb's way to write a count.
  const auto name_end = std::min(line.find_first_of(" \t/"), line.size());
  const prompt_command& command = find_command(line.substr(0, name_end));
  try {
    return (this->*command.run)(trimmed(line.substr(name_end)));
  } catch (const refused& r) {
    throw command_error(r.what());
  }
}

bool prompt::repeats(std::string_view line) {
  try {
    return find_command(first_word(line).first).repeats;
  } catch (const command_error&) {
    return false;
  }
}

std::string prompt::command_name(std::string_view line) {
  line = trimmed(line);
  try {
    return find_command(line.substr(0, std::min(line.find_first_of(" \t/"), line.size()))).name;
  } catch (const command_error&) {
    return {};
  }
}

bool prompt::execute_file(const std::string& file) {
  const auto text = read_text(file);
  if (!text)
    throw command_error(fmt::format("cannot read '{}'", file));
  std::istringstream in(*text);
  std::string line;
  for (unsigned n = 1; std::getline(in, line); ++n) {
    try {
      if (!execute(line))
        return false;
    } catch (const command_error& e) {
      throw command_error(fmt::format("{}:{}: {}", file, n, e.what()));
    }
  }
  return true;
}

std::vector<std::string> prompt::completions(std::string_view line) {
  std::vector<std::string> found;
  const auto space = line.find_first_of(" \t");
  if (space == std::string_view::npos) {
    for (const auto& c : commands) {
      if (std::string_view(c.name).substr(0, line.size()) == line)
        found.emplace_back(c.name);
    }
    return found;
  }
  const std::string_view command = line.substr(0, space);
  const auto begin = line.find_last_of(" \t=(*&!+-/") + 1;
  const std::string_view word = line.substr(begin);
  const auto offer = [&](std::string_view candidate) {
    if (candidate.substr(0, word.size()) == word)
      found.emplace_back(candidate);
  };
  const std::string_view name = find_command(command).name;
  if (name == "info") {
    for (const char* what :
         {"blocks", "buffers", "races", "schedule", "breakpoints", "locals", "display"})
      offer(what);
  } else if (name == "set") {
    for (const char* what : {"fold", "width", "listsize", "history", "stop-at-findings"})
      offer(what);
  } else if (name == "help") {
    for (const auto& c : commands)
      offer(c.name);
  } else if (name == "break" || name == "tbreak") {
    offer("op=");
    offer("block=");
    offer("if");
  }
  if (name == "print" || name == "watch" || name == "display" || name == "x" || name == "break") {
    if (session_.alive()) {
      const json known = ask({{"do", "buffers"}});
      for (const auto& b : known.at("buffers"))
        offer(b.at("name").get<std::string>());
      const json here = ask({{"do", "locals"}, {"most", 0}});
      for (const auto& v : here.at("locals"))
        offer(v.at("name").get<std::string>());
    }
  }
  return found;
}

// --- Where it stands

std::string prompt::current_file() const {
  const json& here = session_.here();
  if (here.contains("next") && !here.at("next").at("frames").empty())
    return here.at("next").at("frames").front().at("file");
  return source_;
}

void prompt::show_place() {
  const json& here = session_.here();
  if (!here.contains("thread"))
    return;
  const json& next = here.at("next");
  const std::string operation = next.at("operation");
  say(fmt::format("{} of {} [position {}], {}at {}\n",
                  here.at("thread").at("name").get<std::string>(),
                  here.at("thread").at("kernel").get<std::string>(),
                  session_.position(),
                  operation.empty() ? "" : fmt::format("next: {} ", operation),
                  render_place(next.at("frames"))));
  if (const std::string line = render_source(next.at("frames"), files_); !line.empty())
    say(line + "\n");
}

std::string prompt::operation_by_number(std::uint64_t n) {
  if (n == 0)
    return "the host";
  if (session_.alive()) {
    const json reply = ask({{"do", "history"}, {"first", n}, {"last", n}});
    if (!reply.at("history").empty()) {
      const json& h = reply.at("history").front();
      return fmt::format("#{} {} of {} at {}",
                         n,
                         h.at("operation").get<std::string>(),
                         h.at("by").get<std::string>(),
                         render_place(h.at("frames")));
    }
  }
  return fmt::format("#{}", n);
}

std::string prompt::changed_by(std::uint64_t operation) {
  return operation > session_.position() ? "the next operation" : operation_by_number(operation);
}

void prompt::show_last_operation() {
  const json here = session_.here();
  if (!here.contains("last"))
    return;
  const json& last = here.at("last");
  std::map<std::uint64_t, std::string> writers;
  const auto numbers = sources_of(last);
  for (std::size_t i = 0; i < std::min<std::size_t>(numbers.size(), 8); ++i)
    writers[numbers[i]] = operation_by_number(numbers[i]);
  const std::string place =
      last.at("operation").get<std::string>() + render_place(last.at("frames"));
  const auto before = last_by_place_.find(place);
  say(render_operation(
      last, before == last_by_place_.end() ? nullptr : &before->second, writers, style_));
  last_by_place_[place] = last;
}

void prompt::show_findings(const json& list) {
  for (const auto& f : list) {
    say(render_finding(f, style_));
    if (const std::string line = render_source(f.at("where"), files_); !line.empty())
      say(line + "\n");
    if (!f.at("other").empty()) {
      const std::string other = render_source(f.at("other"), files_);
      say(fmt::format("  the other is at {}\n{}{}",
                      render_place(f.at("other")),
                      other,
                      other.empty() ? "" : "\n"));
    }
  }
}

void prompt::show_displays() {
  for (auto& d : displays_) {
    try {
      const json reply = evaluate(d.text);
      const json& now = reply.at("value");
      const json* const before = d.last.is_null() ? nullptr : &d.last;
      say(fmt::format("{}: {} = {}\n{}",
                      d.id,
                      d.text,
                      render_value(now, style_, 4, before),
                      render_marks({&now}, 4)));
      d.last = now;
    } catch (const command_error& e) {
      say(fmt::format("{}: {}: {}\n", d.id, d.text, e.what()));
    }
  }
}

/// What can be done where the run is over.
std::string prompt::ways_on() const {
  return session_.position() != 0 ? "reverse-step goes back, run starts again" : "run starts again";
}

void prompt::show_host_place() {
  const json host = session_.here().value("host", json());
  if (host.is_null())
    return;
  say(fmt::format("host code [position {}], at {}\n", session_.position(), render_place(host)));
  if (const std::string line = render_source(host, files_); !line.empty())
    say(line + "\n");
}

void prompt::show_death() {
  const json& here = session_.here();
  const int status = here.value("wait_status", 0);
  const std::string how =
      WIFSIGNALED(status)
          ? fmt::format("by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
      : here.value("interrupted", false)
          ? fmt::format("by Ctrl-C, with status {}", WEXITSTATUS(status))
          : fmt::format("with status {}, without exit()", WEXITSTATUS(status));
  const std::string when = session_.position() == 0
                               ? "before the first operation"
                               : fmt::format("after operation {}", session_.position());
  say(fmt::format("the program has ended {} {}; {}\n", how, when, ways_on()));
  const json crash = here.value("crash", json());
  if (crash.is_null())
    return;
  const std::string block = crash.at("block");
  const json place = crash.at("frames").empty() ? json::array() : crash.at("frames").front();
  say(fmt::format("{}, at {}\n", block.empty() ? "host code" : block, render_place(place)));
  if (const std::string line = render_source(place, files_); !line.empty())
    say(line + "\n");
}

void prompt::show_stop(bool goes_on) {
  std::fflush(stdout);
  const json here = session_.here();
  const std::string reason = here.value("reason", "");
  frame_ = 0;
  if (reason == "loaded") {
    say("the program is loaded; 'run' starts it, 'break' says where to stop, 'help' lists the "
        "commands\n");
    return;
  }
  if (here.contains("findings"))
    show_findings(here.at("findings"));
  bool tells_gone = false;
  for (const auto& w : here.value("watches", json::array())) {
    tells_gone = tells_gone || w.contains("gone");
    for (auto& s : stops_) {
      if (s.id != w.at("id").get<unsigned>())
        continue;
      ++s.hits;
      say(fmt::format("watch {}: {}\n", s.id, s.text));
      if (w.contains("gone"))
        say(fmt::format("  {} has ended, and its variables with it\n", here.value("ended", "")));
      if (!w.contains("after"))
        continue;
      say(fmt::format("  was: {}\n",
                      w.contains("before") ? render_value(w.at("before"), style_, 7)
                                           : "no value yet"));
      say(fmt::format("  is:  {}\n", render_value(w.at("after"), style_, 7)));
      if (!w.contains("operation"))
        say("  before the block's first operation\n");
      else if (here.contains("thread") || here.contains("host"))
        say(fmt::format("  by {}\n", changed_by(w.at("operation"))));
    }
  }
  for (const auto& id : here.value("breakpoints", json::array())) {
    for (auto& s : stops_) {
      if (s.id == id.get<unsigned>()) {
        ++s.hits;
        say(fmt::format("breakpoint {}, {}\n", s.id, s.text));
      }
    }
  }
  for (const auto& trouble : here.value("troubles", json::array())) {
    for (auto& s : stops_) {
      if (s.id == trouble.at("id").get<unsigned>()) {
        say(fmt::format("  its condition cannot be evaluated here: {}; from now on it does not "
                        "hold at such places\n",
                        trouble.at("why").get<std::string>()));
        s.what["trouble_told"] = true;
      }
    }
  }
  if (reason != "position")
    show_last_operation();
  if (reason == "finding" && here.contains("ended")) {
    say(fmt::format("that was the last operation of {}{}\n",
                    here.at("ended").get<std::string>(),
                    goes_on ? "" : "; reverse-step stands before it"));
  } else if (here.contains("ended") && !tells_gone) {
    say(fmt::format("{} has ended\n", here.at("ended").get<std::string>()));
  } else if (reason == "interrupt") {
    say("interrupted\n");
    show_host_place();
  } else if (reason == "wait begins") {
    const auto earlier = here.value("earlier_waits", std::size_t{0});
    say(fmt::format("this block begins to wait here{}\n",
                    earlier == 0   ? ""
                    : earlier == 1 ? "; one more began before: reverse-continue goes there"
                                   : fmt::format("; {} more began before: reverse-continue goes "
                                                 "to the last of them",
                                                 earlier)));
  } else if (reason == "history begins") {
    say("no earlier stop: this is where the kernels begin\n");
  } else if (reason == "ended") {
    say(fmt::format(
        "the program has ended with status {}; {}\n", here.value("status", 0), ways_on()));
  } else if (reason == "stopped") {
    say(fmt::format("tilesim ends the program here: a GPU would not survive it either; {}\n",
                    ways_on()));
  } else if (reason == "interrupted") {
    say(fmt::format("interrupted in code without operations: the program cannot go on; {}\n",
                    ways_on()));
  } else if (reason == "died") {
    show_death();
  }
  if (here.contains("thread")) {
    const std::string block = fmt::format("{} of {}, launch {}",
                                          here.at("thread").at("name").get<std::string>(),
                                          here.at("thread").at("kernel").get<std::string>(),
                                          here.at("thread").at("launch").get<std::uint64_t>());
    if (!last_block_.empty() && block != last_block_)
      say(fmt::format("[now {}]\n", block));
    last_block_ = block;
  }
  show_place();
  if (session_.alive() && here.contains("thread"))
    show_displays();
}

void prompt::after_moving() {
  // Temporary breakpoints go once they have stopped.
  const json hit = session_.here().value("breakpoints", json::array());
  show_stop();
  const auto gone = std::erase_if(stops_, [&](const stop_point& s) {
    return s.once && std::find(hit.begin(), hit.end(), json(s.id)) != hit.end();
  });
  if (gone != 0 || session_.here().contains("troubles"))
    tell_stops();
}

std::uint64_t prompt::count_argument(std::string_view rest, const char* command) const {
  if (rest.empty())
    return 1;
  const auto n = number(rest);
  if (!n || *n == 0)
    throw command_error(
        fmt::format("{} takes a number of times, 1 or more, not '{}'", command, rest));
  return *n;
}

// --- Going on

bool prompt::run(std::string_view rest) {
  if (!rest.empty())
    throw command_error("run takes nothing: the program's arguments stand behind -- on tilesim's "
                        "command line");
  if (!session_.loaded()) {
    session_.restart();
    last_block_.clear();
  }
  session_.go({{"how", "run"}});
  after_moving();
  return true;
}

bool prompt::go_on(std::string_view rest) {
  for (std::uint64_t n = count_argument(rest, "continue"); n > 0; --n) {
    session_.go({{"how", "run"}});
    if (session_.over())
      break;
  }
  after_moving();
  return true;
}

bool prompt::step_one(std::string_view rest) {
  session_.go({{"how", "step"}, {"count", count_argument(rest, "step")}});
  after_moving();
  return true;
}

bool prompt::next_line(std::string_view rest) {
  for (std::uint64_t n = count_argument(rest, "next"); n > 0; --n) {
    session_.go({{"how", "next"}});
    if (session_.here().value("reason", "") != "step")
      break;
  }
  after_moving();
  return true;
}

bool prompt::finish(std::string_view rest) {
  if (!rest.empty())
    throw command_error("finish takes nothing: it runs the block that stands here to its end");
  session_.go({{"how", "finish"}});
  after_moving();
  return true;
}

bool prompt::until(std::string_view rest) {
  json where = parse_location(rest);
  if (where.contains("kernel") || where.contains("block") || where.contains("if"))
    throw command_error("until takes a line or op=NAME; break takes the rest");
  if (where.contains("line"))
    refuse_missing_line(where);
  if (where.contains("op"))
    ask({{"do", "check operation"}, {"name", where.at("op")}});
  where["how"] = "until";
  session_.go(where);
  after_moving();
  return true;
}

bool prompt::reverse_step(std::string_view rest) {
  const std::uint64_t n = count_argument(rest, "reverse-step");
  if (!session_.take_back("step", n)) {
    std::uint64_t to = session_.position() > n ? session_.position() - n : 0;
    if (session_.alive() && session_.here().contains("thread"))
      to = session_.place_back("step", n);
    session_.go_to(to);
  }
  after_moving();
  return true;
}

bool prompt::reverse_next(std::string_view rest) {
  if (!rest.empty())
    throw command_error("reverse-next takes nothing");
  if (!session_.take_back("next"))
    session_.go_to(session_.place_back("line"));
  after_moving();
  return true;
}

bool prompt::reverse_finish(std::string_view rest) {
  if (!rest.empty())
    throw command_error("reverse-finish takes nothing");
  if (!session_.take_back("finish"))
    session_.go_to(session_.place_back("begin"));
  after_moving();
  return true;
}

bool prompt::reverse_go_on(std::string_view rest) {
  if (!rest.empty())
    throw command_error("reverse-continue takes nothing");
  if (!reverse_to_last_write())
    session_.reverse_continue();
  after_moving();
  return true;
}

/// Of watched memory the last writer is known. False where something else may stop in between.
bool prompt::reverse_to_last_write() {
  bool watches_memory = false;
  bool only_memory = true;
  std::uint64_t last = 0;
  unsigned id = 0;
  for (const auto& s : stops_) {
    if (!s.enabled)
      continue;
    json reply = json::object();
    // What a block's variable is called may be a buffer's name, too.
    if (s.is_watch && !s.what.contains("frame") && session_.alive())
      reply = session_.ask({{"do", "writer"}, {"expression", s.what.at("what")}});
    watches_memory = watches_memory || reply.contains("writer");
    only_memory = only_memory && reply.contains("writer");
    if (reply.value("writer", std::uint64_t{0}) > last) {
      last = reply.at("writer");
      id = s.id;
    }
  }
  if (watches_memory && only_memory && last == 0) {
    session_.go_to(0);
    say("no operation before this one has written it\n");
    return true;
  }
  // Behind the last operation of all nothing else has stopped since.
  if (last == 0 ||
      (!only_memory && !(session_.between_operations() && last == session_.position())))
    return false;
  session_.go_to(last - 1);
  say(fmt::format("watch {}: the next operation is the last that wrote it\n", id));
  return true;
}

bool prompt::go_to(std::string_view rest) {
  const auto n = number(rest);
  if (!n)
    throw command_error(fmt::format("goto takes a position, a whole number, not '{}'", rest));
  session_.go_to(*n);
  after_moving();
  return true;
}

// --- Stops

json prompt::parse_location(std::string_view text) const {
  json where = read_location(text);
  if (where.contains("line") && !where.contains("file"))
    where["file"] = current_file();
  return where;
}

void prompt::tell_stops() {
  json all = {{"breakpoints", json::array()},
              {"watches", json::array()},
              {"stop_at_findings", stop_at_findings_}};
  for (const auto& s : stops_) {
    if (s.enabled)
      all[s.is_watch ? "watches" : "breakpoints"].push_back(s.what);
  }
  session_.set_stops(all);
}

unsigned prompt::add_stop(json what, bool is_watch, bool once, std::string text) {
  if (what.contains("kernel"))
    check_kernel(what.at("kernel"));
  const unsigned id = next_id_;
  what["id"] = id;
  stops_.push_back(
      {.id = id, .is_watch = is_watch, .once = once, .text = std::move(text), .what = what});
  try {
    tell_stops();
  } catch (const refused& r) {
    stops_.pop_back();
    throw command_error(r.what());
  }
  ++next_id_;
  return id;
}

void prompt::remove_stop(unsigned id) {
  if (std::erase_if(stops_, [id](const auto& s) { return s.id == id; }) != 0)
    tell_stops();
}

void prompt::check_kernel(const std::string& wanted) {
  if (!session_.alive())
    return; // nobody is there to ask
  const json known = ask({{"do", "kernels"}});
  const auto bare = [](std::string name) {
    name.resize(std::min(name.find('<'), name.size()));
    const auto space = name.rfind("::");
    return space == std::string::npos ? name : name.substr(space + 2);
  };
  const auto is_among = [&](const char* kind) {
    const json& names = known.at(kind);
    return std::ranges::any_of(names, [&](const json& name) { return bare(name) == bare(wanted); });
  };
  if (is_among("kernels"))
    return;
  std::string names;
  for (const auto& name : known.at("kernels"))
    names += (names.empty() ? "" : ", ") + name.get<std::string>();
  if (is_among("functions"))
    throw command_error(fmt::format("{} is a function and no kernel: FILE:LINE stops inside; the "
                                    "kernels are {}",
                                    wanted,
                                    names.empty() ? "not known yet" : names));
  throw command_error(
      names.empty()
          ? fmt::format("no kernel is called {}, as far as the sources "
                        "tell",
                        wanted)
          : fmt::format("no kernel is called {}; there {}",
                        wanted,
                        known.at("kernels").size() == 1 ? "is " + names : "are " + names));
}

std::string prompt::stopping_line(const std::string& file, std::size_t& line) {
  if (!session_.alive())
    return {};
  const json reply = ask({{"do", "line"}, {"file", file}, {"line", line}});
  if (reply.at("here").get<bool>())
    return {};
  if (!reply.at("known").get<bool>())
    return fmt::format("the program has no kernels from {}", file);
  const std::size_t wanted = line;
  if (!reply.contains("next"))
    return fmt::format("line {} performs no operation, nor does one behind it: nothing stops there",
                       wanted);
  line = reply.at("next");
  return fmt::format(
      "line {} performs no operation: it stops at line {}, the next that does", wanted, line);
}

void prompt::refuse_missing_line(const json& where) {
  const std::string file = where.at("file");
  const std::size_t lines = files_.lines(file);
  if (lines != 0 && where.at("line").get<std::size_t>() > lines)
    throw command_error(fmt::format("{} has {} lines", file, lines));
}

void prompt::add_breakpoint(std::string_view rest, bool once) {
  json where = parse_location(rest);
  std::string trouble;
  if (where.contains("line")) {
    refuse_missing_line(where);
    std::size_t line = where.at("line");
    trouble = stopping_line(where.at("file"), line);
    where["line"] = line;
  }
  const unsigned id = add_stop(std::move(where), false, once, std::string(rest));
  say(fmt::format("breakpoint {}: {}\n", id, rest));
  if (!trouble.empty())
    say(fmt::format("  {}\n", trouble));
}

bool prompt::break_at(std::string_view rest) {
  if (rest.empty() && session_.here().contains("next")) {
    const json& frames = session_.here().at("next").at("frames");
    add_breakpoint(render_place(frames), false);
    return true;
  }
  add_breakpoint(rest, false);
  return true;
}

bool prompt::break_once(std::string_view rest) {
  add_breakpoint(rest, true);
  return true;
}

bool prompt::watch(std::string_view rest) {
  if (rest.empty())
    throw command_error("watch takes an expression: watch bins[3]");
  // A bare address is an int there.
  const std::string expression =
      is_address(rest) ? fmt::format("*(int*){}", rest) : std::string(rest);
  const unsigned id = add_watch(expression, frame_);
  say(fmt::format("watch {}: {}\n", id, stop_by_id(std::to_string(id)).text));
  return true;
}

/// A watch of it would never stop.
void prompt::refuse_constant(const std::string& expression) {
  json reply = json::object();
  try {
    if (session_.alive())
      reply = session_.ask({{"do", "evaluate"}, {"expression", expression}, {"most", 0}});
  } catch (const refused&) { // its names may come later
  }
  if (reply.value("constant", false))
    throw command_error(fmt::format("'{}' never changes: watch takes a variable, elements of a "
                                    "buffer or other memory, as watch bins[3]",
                                    expression));
}

unsigned prompt::add_watch(const std::string& expression, std::size_t frame) {
  json what = {{"what", expression}};
  std::string text = expression;
  refuse_constant(expression);
  // Before the program has run its names are not known yet; afterwards they must be.
  if (session_.alive() && session_.here().contains("thread")) {
    const json reply =
        ask({{"do", "evaluate"}, {"expression", expression}, {"most", 0}, {"frame", frame}});
    if (reply.contains("frame") && reply.contains("writer")) {
      // Reached through a variable, but memory of all blocks: it is the place that is watched.
      what["what"] = reply.at("nameless");
      if (reply.contains("place"))
        what["place"] = reply.at("place");
      text += fmt::format(" ({})", reply.at("value").at("place").get<std::string>());
    } else if (reply.contains("frame")) {
      what["frame"] = reply.at("frame");
      text += fmt::format(" of {}", reply.at("frame").at("name").get<std::string>());
    } else if (reply.contains("place") && is_always_the_same_place(expression)) {
      what["place"] = reply.at("place");
    }
  }
  return add_stop(std::move(what), true, false, std::move(text));
}

prompt::stop_point& prompt::stop_by_id(std::string_view text) {
  const auto id = number(text);
  const auto it =
      std::find_if(stops_.begin(), stops_.end(), [&](const auto& s) { return id && s.id == *id; });
  if (it == stops_.end())
    throw command_error(fmt::format("no breakpoint has the number {}", text));
  return *it;
}

bool prompt::remove(std::string_view rest) {
  if (rest.empty()) {
    stops_.clear();
  }
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind)) {
    const unsigned id = stop_by_id(word).id;
    std::erase_if(stops_, [id](const auto& s) { return s.id == id; });
  }
  tell_stops();
  return true;
}

void prompt::switch_enabled(std::string_view rest, bool enabled) {
  if (rest.empty())
    throw command_error("wanted: numbers of breakpoints; 'info breakpoints' lists them");
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind))
    stop_by_id(word).enabled = enabled;
  tell_stops();
}

bool prompt::enable(std::string_view rest) {
  switch_enabled(rest, true);
  return true;
}

bool prompt::disable(std::string_view rest) {
  switch_enabled(rest, false);
  return true;
}

// --- Looking

void prompt::info_blocks() {
  const json reply = ask({{"do", "blocks"}});
  if (reply.at("launches").empty())
    say("no kernel runs\n");
  for (const auto& l : reply.at("launches")) {
    const auto& grid = l.at("grid");
    const std::uint64_t threads = l.at("threads");
    const std::uint64_t started = l.at("started");
    const std::uint64_t ended = l.at("ended");
    say(fmt::format("launch {}: {}, grid {}x{}x{}, launched at {}: {} ended, {} alive, {} not "
                    "started\n",
                    l.at("launch").get<std::uint64_t>(),
                    l.at("kernel").get<std::string>(),
                    grid[0].get<unsigned>(),
                    grid[1].get<unsigned>(),
                    grid[2].get<unsigned>(),
                    l.at("place").get<std::string>(),
                    ended,
                    started - ended,
                    threads - started));
  }
  show_blocks(reply.at("blocks"));
}

void prompt::show_blocks(const json& list) {
  for (const auto& b : list) {
    const std::string operation = b.value("operation", "");
    std::string doing = b.contains("place") ? fmt::format("{}at {}",
                                                          operation.empty() ? "" : operation + ", ",
                                                          b.at("place").get<std::string>())
                                            : std::string("not at its first operation yet");
    if (b.at("state") == "waits") {
      doing = "waits";
      for (const auto& c : b.value("for", json::array()))
        doing += fmt::format(" for {} to become other than {}",
                             c.at("place").get<std::string>(),
                             c.at("value").get<std::uint64_t>());
      doing += fmt::format(", at {}", b.value("place", ""));
    }
    say(fmt::format("{} {} of {}: {} ({} operations)\n",
                    b.at("current").get<bool>() ? "*" : " ",
                    b.at("name").get<std::string>(),
                    b.at("kernel").get<std::string>(),
                    doing,
                    b.at("operations").get<std::uint64_t>()));
  }
}

void prompt::info_buffers() {
  const json reply = ask({{"do", "buffers"}});
  if (reply.at("buffers").empty())
    say("nothing has been allocated\n");
  for (const auto& b : reply.at("buffers")) {
    const std::string type = b.at("type");
    say(fmt::format("{}: {} {}, {} bytes of {} at {:#x}, allocated at {}{}\n",
                    b.at("name").get<std::string>(),
                    b.at("count").get<std::size_t>(),
                    type.empty() ? "bytes" : type,
                    b.at("bytes").get<std::size_t>(),
                    b.at("kind").get<std::string>(),
                    b.at("address").get<std::uint64_t>(),
                    b.at("place").get<std::string>(),
                    b.at("live").get<bool>() ? "" : ", freed"));
  }
}

void prompt::info_findings() {
  const json reply = ask({{"do", "findings"}});
  if (reply.at("findings").empty())
    say(fmt::format("nothing found up to here (position {})\n", session_.position()));
  for (const auto& f : reply.at("findings")) {
    say(render_finding(f, style_));
    if (const auto count = f.at("count").get<std::uint64_t>(); count > 1)
      say(fmt::format("  {} times\n", count));
  }
}

void prompt::info_schedule() {
  const json reply = ask({{"do", "schedule"}});
  say(fmt::format("schedule: {}; position {} of {} reached\n",
                  reply.at("schedule").get<std::string>(),
                  session_.position(),
                  session_.farthest()));
  show_unfollowed();
  for (const auto& s : session_.switches()) {
    say(fmt::format("  at position {}: {}\n",
                    s.at("at").get<std::uint64_t>(),
                    s.contains("launch")
                        ? fmt::format("block {} of launch {} starts",
                                      s.at("block").get<std::uint64_t>(),
                                      s.at("launch").get<std::uint64_t>())
                        : fmt::format("block {} goes on", s.at("block").get<std::uint64_t>())));
  }
  const auto history = session_.measure_history();
  constexpr double megabyte = 1 << 20;
  const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / megabyte; };
  say(fmt::format(
      "history: {:.1f} MB of at most {:.0f}: {} checkpoint{} with {:.1f} MB, {:.1f} MB of "
      "operations remembered; {:.1f} MB beside it for last writers and blocks\n",
      megabytes(history.bytes()),
      megabytes(session_.history_bytes()),
      history.checkpoints,
      history.checkpoints == 1 ? "" : "s",
      megabytes(history.checkpoint_bytes),
      megabytes(history.journal_bytes),
      megabytes(history.writers_bytes)));
}

void prompt::info_breakpoints() const {
  if (stops_.empty())
    say("no breakpoints, no watches\n");
  for (const auto& s : stops_)
    say(fmt::format("{}: {}{} {}{}\n",
                    s.id,
                    s.is_watch ? "watch"
                    : s.once   ? "tbreak"
                               : "break",
                    s.enabled ? "" : " (disabled)",
                    s.text,
                    s.hits != 0 ? fmt::format(" (stopped {} times)", s.hits) : ""));
}

void prompt::info_locals() {
  const json reply = ask({{"do", "locals"}, {"frame", frame_}});
  if (reply.at("locals").empty())
    say("no variables here, or no debug information of them\n");
  for (const auto& v : reply.at("locals"))
    say(fmt::format("{} = {}\n{}",
                    v.at("name").get<std::string>(),
                    render_value(v.at("value"), style_, 4),
                    render_marks({&v.at("value")}, 4)));
}

void prompt::info_display() const {
  if (displays_.empty())
    say("nothing is displayed\n");
  for (const auto& d : displays_)
    say(fmt::format("{}: {}\n", d.id, d.text));
}

bool prompt::info(std::string_view rest) {
  static const std::array<std::pair<const char*, std::function<void(prompt&)>>, 12> topics{{
      {"blocks", [](prompt& p) { p.info_blocks(); }},
      {"buffers", [](prompt& p) { p.info_buffers(); }},
      {"races", [](prompt& p) { p.info_findings(); }},
      {"findings", [](prompt& p) { p.info_findings(); }},
      {"schedule", [](prompt& p) { p.info_schedule(); }},
      {"breakpoints", [](prompt& p) { p.info_breakpoints(); }},
      {"locals", [](prompt& p) { p.info_locals(); }},
      {"display", [](prompt& p) { p.info_display(); }},
      // What gdb calls them.
      {"b", [](prompt& p) { p.info_breakpoints(); }},
      {"watchpoints", [](prompt& p) { p.info_breakpoints(); }},
      {"args", [](prompt& p) { p.info_locals(); }},
      {"threads", [](prompt& p) { p.info_blocks(); }},
  }};
  std::vector<const std::pair<const char*, std::function<void(prompt&)>>*> fitting;
  for (const auto& topic : topics) {
    if (topic.first == rest) {
      topic.second(*this);
      return true;
    }
    if (!rest.empty() && std::string_view(topic.first).substr(0, rest.size()) == rest)
      fitting.push_back(&topic);
  }
  if (fitting.size() != 1)
    throw command_error(
        fmt::format("info takes blocks, buffers, races, schedule, breakpoints, locals or display{}",
                    rest.empty() ? "" : fmt::format(", not '{}'", rest)));
  fitting.front()->second(*this);
  return true;
}

bool prompt::block(std::string_view rest) {
  if (rest.empty()) {
    info_blocks();
    return true;
  }
  std::string text(rest);
  json request = json::object();
  constexpr std::string_view word = "thread";
  const auto at = text.find(word);
  if (at != std::string::npos && at > 0 && is_blank(text[at - 1]) &&
      at + word.size() < text.size() && is_blank(text[at + word.size()])) {
    const std::string which(trimmed(std::string_view(text).substr(at + word.size())));
    try {
      request["thread"] = block_argument(which);
    } catch (const command_error&) {
      throw command_error(
          fmt::format("thread takes a number or x,y,z, not '{}'", shortened(which)));
    }
    text.resize(at);
  }
  request["block"] = block_argument(trimmed(text));
  session_.switch_to(request);
  after_moving();
  return true;
}

bool prompt::frame(std::string_view rest) {
  const json frames = ask({{"do", "frames"}}).at("frames");
  const auto n = rest.empty() ? std::optional<std::uint64_t>(frame_) : number(rest);
  if (!n || *n >= frames.size())
    throw command_error(fmt::format(
        "frame takes a number below {}, not '{}'; 'where' lists them", frames.size(), rest));
  choose_frame(*n, frames);
  return true;
}

void prompt::choose_frame(std::size_t number, const json& frames) {
  const json& f = frames.at(number);
  frame_ = number;
  say(fmt::format("#{} {} at {}\n",
                  frame_,
                  f.empty() ? "" : frame_name(frames, number, f.front()),
                  render_place(f)));
  if (const std::string line = render_source(f, files_); !line.empty())
    say(line + "\n");
}

bool prompt::up(std::string_view rest) {
  const json frames = ask({{"do", "frames"}}).at("frames");
  const std::uint64_t n = count_argument(rest, "up");
  if (frame_ + 1 >= frames.size())
    throw command_error(frames.empty() ? "no block stands here: there are no frames"
                                       : "this is the outermost frame");
  const std::size_t to = n < frames.size() - frame_ ? frame_ + n : frames.size() - 1;
  choose_frame(to, frames);
  return true;
}

bool prompt::down(std::string_view rest) {
  const json frames = ask({{"do", "frames"}}).at("frames");
  const std::uint64_t n = count_argument(rest, "down");
  if (frame_ == 0 || frames.empty())
    throw command_error(frames.empty() ? "no block stands here: there are no frames"
                                       : "this is the innermost frame");
  const std::size_t to = n < frame_ ? frame_ - n : 0;
  choose_frame(to, frames);
  return true;
}

json prompt::evaluate(std::string_view formatted) {
  const auto [letter, expression] = parse_formatted(formatted);
  json request = {{"do", "evaluate"}, {"expression", expression}, {"frame", frame_}};
  if (letter)
    request["format"] = std::string(1, *letter);
  return ask(request);
}

bool prompt::print(std::string_view rest) {
  if (parse_formatted(rest).second.empty())
    throw command_error("print takes an expression: print bins[0:16]");
  const json reply = evaluate(rest);
  const std::string name = fmt::format("${} = ", ++values_);
  say(name + render_value(reply.at("value"), style_, name.size()) + "\n" +
      render_marks({&reply.at("value")}, name.size()));
  return true;
}

bool prompt::examine(std::string_view rest) {
  const auto [format, expression] = parse_examined(rest);
  if (expression.empty())
    throw command_error("x takes an address, a pointer or a buffer: x/64 bins, x/8dw bins");
  json request = {{"do", "memory"},
                  {"expression", expression},
                  {"bytes", format.count * format.unit},
                  {"frame", frame_}};
  if (format.letter) {
    request["format"] = std::string(1, *format.letter);
    request["unit"] = format.unit;
  }
  const json reply = ask(request);
  say(render_memory(reply, format.unit));
  if (reply.at("bytes").size() < format.count * format.unit)
    say("behind that the program has no memory\n");
  return true;
}

bool prompt::list(std::string_view rest) {
  std::string file = listed_file_.empty() ? current_file() : listed_file_;
  std::size_t first = listed_to_ + 1;
  if (!rest.empty()) {
    const json where = parse_location(rest);
    if (!where.contains("line"))
      throw command_error(fmt::format("list takes [FILE:]LINE, not '{}'", rest));
    file = where.at("file");
    const std::size_t line = where.at("line");
    first = line > list_size_ / 2 ? line - (list_size_ / 2) : 1;
  } else if (listed_to_ == 0) {
    const json& here = session_.here();
    const std::size_t line =
        here.contains("next") && !here.at("next").at("frames").empty()
            ? here.at("next").at("frames").front().at("line").get<std::size_t>()
            : 1;
    first = line > list_size_ / 2 ? line - (list_size_ / 2) : 1;
  }
  const std::size_t lines = files_.lines(file);
  if (lines == 0)
    throw command_error(fmt::format("cannot read '{}'", file));
  if (first > lines)
    throw command_error(fmt::format("{} has {} lines", file, lines));
  const std::size_t last = std::min(lines, first + list_size_ - 1);
  for (std::size_t n = first; n <= last; ++n)
    say(fmt::format("{}\t{}\n", n, files_.line(file, n)));
  listed_file_ = file;
  listed_to_ = last;
  return true;
}

bool prompt::where(std::string_view /*rest*/) {
  const json& here = session_.here();
  const json frames =
      here.contains("crash") ? here.at("crash").at("frames") : ask({{"do", "frames"}}).at("frames");
  if (frames.empty()) {
    const json reply = ask({{"do", "blocks"}});
    say(reply.at("launches").empty() ? "no kernel runs here\n"
                                     : "no block stands before an operation here; those that are "
                                       "alive:\n");
    show_blocks(reply.at("blocks"));
  }
  std::size_t n = 0;
  for (const auto& f : frames) {
    for (const auto& inner : f) {
      say(fmt::format("#{} {} at {}:{}\n",
                      n,
                      frame_name(frames, n, inner),
                      inner.at("file").get<std::string>(),
                      inner.at("line").get<unsigned>()));
    }
    ++n;
  }
  return true;
}

bool prompt::display(std::string_view rest) {
  if (!rest.empty()) {
    if (parse_formatted(rest).second.empty())
      throw command_error("display takes an expression: display bins[0:16]");
    if (session_.alive() && session_.here().contains("thread"))
      static_cast<void>(evaluate(rest)); // refuses now what it cannot show later
    displays_.push_back({next_display_++, std::string(rest), {}});
  }
  if (session_.alive() && session_.here().contains("thread"))
    show_displays();
  return true;
}

bool prompt::undisplay(std::string_view rest) {
  if (rest.empty()) {
    displays_.clear();
    return true;
  }
  const auto id = number(rest);
  if (!id || std::erase_if(displays_, [&](const auto& d) { return d.id == *id; }) == 0)
    throw command_error(fmt::format("nothing displayed has the number {}", rest));
  return true;
}

bool prompt::set(std::string_view rest) {
  const auto [what, value] = first_word(rest);
  const auto n = number(value);
  if (what == "fold" && n && *n > 0) {
    style_.fold = *n;
  } else if (what == "width" && n && *n > 0) {
    style_.width = *n;
  } else if (what == "listsize" && n && *n > 0) {
    list_size_ = *n;
  } else if (what == "history" && n && *n > 0) {
    session_.set_history_bytes(*n << 20U);
  } else if (what == "stop-at-findings" && (value == "on" || value == "off")) {
    stop_at_findings_ = value == "on";
    tell_stops();
  } else {
    throw command_error(
        fmt::format("set takes fold N, width N, listsize N, history MB or stop-at-findings "
                    "on|off, not '{}'",
                    rest));
  }
  return true;
}

bool prompt::schedule(std::string_view rest) {
  const auto [what, file] = first_word(rest);
  if (rest.empty()) {
    info_schedule();
    return true;
  }
  if (what != "save" || file.empty())
    throw command_error(fmt::format("schedule takes nothing, or save FILE, not '{}'", rest));
  return save(file);
}

namespace {

/// Whether `save` may write there: not over a person's file, say the source that is stepped.
bool may_become_a_schedule(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none))
    return true; // new, or a device or FIFO, which loses nothing
  const auto text = read_text(file);
  if (!text)
    return true; // the attempt to write says why not
  const std::string_view line =
      std::string_view(*text).substr(0, text->find_last_not_of(" \n") + 1);
  return line.empty() || sim::parse_replay(line).has_value();
}

} // namespace

bool prompt::save(std::string_view rest) {
  if (rest.empty())
    throw command_error("save takes a file to write the schedule into");
  const json now = ask({{"do", "schedule"}});
  if (now.at("turns") == "" || !replay_string)
    throw command_error("there is no schedule to save: nothing has run, or too many turns were "
                        "taken");
  const std::string file(rest);
  if (!may_become_a_schedule(file))
    throw command_error(fmt::format("'{}' is there and holds no schedule: save under another name, "
                                    "or remove it first",
                                    file));
  try {
    write_output(file, replay_string(now) + '\n');
  } catch (const failure& e) {
    throw command_error(e.what());
  }
  say(fmt::format("the schedule up to here is in {}: tilesim check --replay {} repeats it, and "
                  "tilesim step --replay {} comes back to here\n",
                  file,
                  file,
                  file));
  const json& here = session_.here();
  if (here.contains("host") || here.value("reason", "") == "interrupted")
    say("  no operation has begun since: where none comes, it takes Ctrl-C there, too\n");
  return true;
}

bool prompt::replay_schedule(std::string_view rest) {
  if (rest.empty())
    throw command_error("replay takes a file that 'save' wrote, or a report's replay string");
  if (!replay)
    throw command_error("there is nothing to replay here");
  replay(std::string(rest));
  last_block_.clear();
  tell_stops();
  after_moving();
  show_unfollowed();
  return true;
}

bool prompt::source(std::string_view rest) {
  if (rest.empty())
    throw command_error("source takes a file of commands");
  return execute_file(std::string(rest));
}

bool prompt::help(std::string_view rest) {
  if (rest.empty()) {
    for (const auto& c : commands)
      say(fmt::format("{:<17}{:<3} {}\n", c.name, c.abbreviation, c.summary));
    say("A unique beginning of a name will do; Enter repeats step, next, list and their kin.\n");
    return true;
  }
  const prompt_command& c = find_command(rest);
  say(fmt::format("{} {}\n  {}\n", c.name, c.arguments, c.summary));
  if (*c.abbreviation != '\0')
    say(fmt::format("  short: {}\n", c.abbreviation));
  if (*c.details != '\0')
    say(wrapped(c.details, 2, style_.width));
  return true;
}

bool prompt::quit(std::string_view /*rest*/) {
  return false;
}

} // namespace tilesim::driver::step
