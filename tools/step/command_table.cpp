// The table of commands: names, words of help, methods.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/command_table.hpp"

#include "tools/step/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::tools::step {
namespace {

constexpr unsigned neither = prompt_command::neither;
constexpr unsigned repeats = prompt_command::repeats;
constexpr unsigned moves = prompt_command::moves;

constexpr std::array commands = {
    prompt_command{"run",
                   "r",
                   "",
                   "start the program, or start it again",
                   "Breakpoints stay; switches of blocks are forgotten.",
                   moves,
                   &prompt::run},
    prompt_command{"continue",
                   "c",
                   "[N]",
                   "go on to the next stop",
                   "Stops at breakpoints, watched values, findings and the end. N: ignore the "
                   "next N - 1 stops.",
                   moves | repeats,
                   &prompt::go_on},
    prompt_command{"step",
                   "s",
                   "[N]",
                   "perform the next operation of this block, or the next N",
                   "A step is one tile operation, or one raw access, of one block. Shows what it "
                   "computed and what it did to memory. In what it shows, - is an element that is "
                   "masked out, (3) the padding of one, and ? one that is unspecified or that "
                   "nothing has written; what differs from the last time is bold.",
                   moves | repeats,
                   &prompt::step_one},
    prompt_command{"next",
                   "n",
                   "[warp | block] [N]",
                   "go on to this block's next source line",
                   "next warp, next block: so does each thread of the warp, or of the block, whose "
                   "thread stands here, one after the other; those that wait for others or have "
                   "got on meanwhile are left where they are. What has not begun begins. Switches "
                   "of threads are made, as thread N makes them.",
                   moves | repeats,
                   &prompt::next_line},
    prompt_command{
        "finish", "fin", "", "go on to the end of this block", "", moves, &prompt::finish},
    prompt_command{"until",
                   "u",
                   "[FILE:]LINE | op=NAME",
                   "go on until this block comes there",
                   "",
                   moves,
                   &prompt::until},
    prompt_command{"reverse-step",
                   "rs",
                   "[N]",
                   "take back the last operation of this block",
                   "Exact: the program is run again from a checkpoint. Right behind a step, it "
                   "stands where that was given, whichever block has come since.",
                   moves | repeats,
                   &prompt::reverse_step},
    prompt_command{"reverse-next",
                   "rn",
                   "[N]",
                   "go back to the begin of this block's previous line",
                   "Right behind a next: to where that was given.",
                   moves | repeats,
                   &prompt::reverse_next},
    prompt_command{"reverse-finish",
                   "",
                   "",
                   "go back to where this block began",
                   "Right behind a finish: to where that was given.",
                   moves,
                   &prompt::reverse_finish},
    prompt_command{"reverse-continue",
                   "rc",
                   "[N]",
                   "go back to the last place where a breakpoint or a watched value stops",
                   "With watched memory alone: to the last write of it. From a deadlock, and where "
                   "there are no breakpoints: to where a block began to wait that waits here.",
                   moves | repeats,
                   &prompt::reverse_go_on},
    prompt_command{"goto",
                   "",
                   "POSITION",
                   "go to where so many operations have begun",
                   "Positions are shown with every stop.",
                   moves,
                   &prompt::go_to},
    prompt_command{"break",
                   "b",
                   "[FILE:]LINE | KERNEL | op=NAME | block=N | launch=N | choice [if EXPRESSION]",
                   "stop there",
                   "What is given together must hold together: break 18 block=3 if $operations > "
                   "7. NAME is an operation as C++ or Tile IR calls it: atomic_add, load, addf. "
                   "block=(x,y,z) works, too. launch: by the number that info blocks has. choice: "
                   "before strong reads that may take several "
                   "writes (with --model ptx).",
                   neither,
                   &prompt::break_at},
    prompt_command{"tbreak", "", "as break", "stop there once", "", neither, &prompt::break_once},
    prompt_command{
        "watch",
        "",
        "EXPRESSION",
        "stop when the value changes",
        "bins[3], bins[0:16], *p, a tile: any expression. reverse-continue goes back to "
        "the write. A variable is watched in the block that stands here; before 'run', in "
        "every block.",
        neither,
        &prompt::watch},
    prompt_command{"delete",
                   "d",
                   "[N]...",
                   "delete breakpoints and watches, all without a number",
                   "",
                   neither,
                   &prompt::remove},
    prompt_command{
        "enable", "", "N...", "let breakpoints stop again", "", neither, &prompt::enable},
    prompt_command{
        "disable", "", "N...", "keep breakpoints without stopping", "", neither, &prompt::disable},
    prompt_command{"info",
                   "i",
                   "blocks [all]|buffers|races|reads|schedule|breakpoints|locals|display",
                   "show what there is",
                   "blocks: of more than 16 those that do the same are one line; all: each.\n"
                   "reads: what the strong read that comes may take, or the one just made could "
                   "have been, and why nothing else (with --model ptx).",
                   neither,
                   &prompt::show_info},
    prompt_command{"block",
                   "",
                   "N | X,Y,Z [thread N | X,Y,Z]",
                   "another block goes on from here",
                   "Of a kernel with several threads a block, 'block 2 thread 5' (or thread x,y,z) "
                   "names one; without it, the first that can go on does. The schedule is yours: "
                   "the block that stood here goes on later. Going back "
                   "and forward keeps the switch; 'schedule' shows all.",
                   moves,
                   &prompt::block},
    prompt_command{"thread",
                   "",
                   "[N | X,Y,Z]",
                   "another thread of this block goes on from here",
                   "thread 5 and thread (5,0,0) name one of the kernel's block that stands here; "
                   "'block' goes to another block's. Without a thread it lists those that are "
                   "alive.",
                   moves,
                   &prompt::thread},
    prompt_command{"choose",
                   "",
                   "[N | ELEMENT:N...]",
                   "the strong read that comes next takes write N of those that it may",
                   "With --model ptx. 0 is the newest, which is taken unless another is chosen; N "
                   "passes over N newer ones. Of a tile every element that may takes it; 3:1 5:1 "
                   "names elements. Alone it lists the writes. Going back and forward keeps the "
                   "choice; 'save' writes it down.",
                   neither,
                   &prompt::choose},
    prompt_command{"frame",
                   "f",
                   "[N]",
                   "choose the frame whose variables are meant",
                   "",
                   neither,
                   &prompt::frame},
    prompt_command{"up",
                   "",
                   "[N]",
                   "choose the caller's frame, or that N calls further out",
                   "",
                   repeats,
                   &prompt::up},
    prompt_command{"down",
                   "",
                   "[N]",
                   "choose the frame of what is called, or that N calls further in",
                   "",
                   repeats,
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
        neither,
        &prompt::print},
    prompt_command{
        "x",
        "",
        "[/COUNT FORM SIZE] EXPRESSION",
        "show memory",
        "x/64 bins shows 64 bytes. With a form (that of print) or a size (b 1 byte, h 2, w 4, g 8) "
        "it shows so many units, as in gdb: x/8dw bins, x/4f sums, x/2xg &p. ?? is what nothing "
        "has written.",
        repeats,
        &prompt::examine},
    prompt_command{"list", "l", "[[FILE:]LINE]", "show source lines", "", repeats, &prompt::list},
    prompt_command{"where", "bt", "", "show the calls that lead here", "", neither, &prompt::where},
    prompt_command{"display",
                   "",
                   "[[/FORM] EXPRESSION]",
                   "show a value at every stop",
                   "",
                   neither,
                   &prompt::display},
    prompt_command{"undisplay", "", "[N]", "stop showing it", "", neither, &prompt::undisplay},
    prompt_command{"set",
                   "",
                   "fold N | width N | listsize N | history MB | stop-at-findings on|off",
                   "change a setting",
                   "",
                   neither,
                   &prompt::set},
    prompt_command{"schedule",
                   "",
                   "[save FILE]",
                   "show the switches of blocks, or save them",
                   "",
                   neither,
                   &prompt::schedule},
    prompt_command{"save",
                   "",
                   "FILE",
                   "save the schedule, for replay and for tilesim check",
                   "",
                   neither,
                   &prompt::save},
    prompt_command{"replay",
                   "",
                   "FILE | STRING",
                   "start again under a saved schedule or a report's replay string",
                   "",
                   moves,
                   &prompt::replay_schedule},
    prompt_command{
        "source", "", "FILE", "carry out the commands in a file", "", moves, &prompt::source},
    prompt_command{"help", "h", "[COMMAND]", "say what commands do", "", neither, &prompt::help},
    prompt_command{"quit", "q", "", "end the program and leave", "", neither, &prompt::quit},
};

/// Further names that gdb has for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> gdb_names = {
    {{"backtrace", "where"}, {"stepi", "step"}, {"si", "step"}}};

} // namespace

std::span<const prompt_command> all_commands() noexcept {
  return commands;
}

const prompt_command& find_command(std::string_view word) {
  std::vector<const prompt_command*> fitting;
  const auto* const other =
      std::ranges::find(gdb_names, word, &std::pair<std::string_view, std::string_view>::first);
  if (other != gdb_names.end()) {
    word = other->second;
  }
  for (const auto& c : commands) {
    if (c.name == word || (*c.abbreviation != '\0' && c.abbreviation == word)) {
      return c;
    }
    if (std::string_view(c.name).substr(0, word.size()) == word) {
      fitting.push_back(&c);
    }
  }
  if (fitting.size() == 1) {
    return *fitting.front();
  }
  if (fitting.empty()) {
    throw command_error(fmt::format("unknown command '{}'; 'help' lists them", word));
  }
  std::string names;
  for (const auto* c : fitting) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", c->name);
  }
  throw command_error(fmt::format("'{}' may be {}", word, names));
}

std::string_view command_word(std::string_view line) noexcept {
  // x/16 p: gdb's way to write a count.
  return line.substr(0, std::min(line.find_first_of(" \t/"), line.size()));
}

} // namespace tilesim::tools::step
