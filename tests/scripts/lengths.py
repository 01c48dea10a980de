#!/usr/bin/env python3
"""Holds sources to 600 lines and functions to 60, or to a reason: `tests/scripts/lengths.py ROOT [--list]`.

What is longer says why where a reader meets it, behind the words "in spite of its length:": a file in the comment that
it begins with, a function in the comment right above it. `--list` shows these with their reasons. Test cases, and what
`main` of a program below tests/ does, are lists of what is tried: a function there may be as long as its list.

Functions are measured in C++ (also .cu, tables of macros and api's headers without an extension), Python and JavaScript (also that
of HTML pages); of CMake, shell, TypeScript and what configures the project at its root, files alone.

A function's lines are those from its signature to its closing brace. C++ is read without a compiler: comments, literals
and directives are blanked; of `#if` the first branch counts; a macro's text is nobody's function. JavaScript is read likewise: a
slash behind a value divides, any other begins a regular expression. Where that goes wrong, the braces of a file do not match, and
the test fails; it also finds the functions of two texts whose lengths it knows.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import ast
import os
import pathlib
import re
import sys

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDERS = (".ci", "api", "bench", "cmake", "editors", "examples", "gpu_backend", "memmodel", "sim", "tests", "tools")
CPP = {".cpp", ".cu", ".cuh", ".def", ".h", ".hpp"}
OTHERS = {".cmake", ".html", ".js", ".py", ".sh", ".ts"}
NAMES = {"CMakeLists.txt", "Containerfile", "tilesim"}
AT_ROOT = {".json", ".toml", ".yml"}
WITHOUT_EXTENSION = (".ci", "api")
REASON = re.compile(r"in spite of its length: *(\S[^.]*)")
TEST_CASE = re.compile(r"\b[A-Z_]*TEST_CASE[A-Z_]*$")

LITERAL = re.compile(
    r"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
      | \b(?:u8|[uLU])?R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"
      | "(?:[^"\\\n]|\\.|\\\n)*"
      | (?P<number>\b[0-9](?:'?[0-9a-zA-Z_.])*)
      | '(?:[^'\\\n]|\\.)+'""",
    re.VERBOSE | re.DOTALL)
CLASS = re.compile(r"(?:template\s*<.*>\s*)?(?:(?:typedef|static|inline|constexpr|const)\s+)*(?:class|struct|union|enum)\b",
                   re.DOTALL)
LAMBDA = re.compile(r"\[\]\s*(?:<.*>\s*)?(?:\(\))?\s*(?:mutable|noexcept|constexpr|\s|->[\w\s:<>,*&]*)*$", re.DOTALL)
MACRO_CALL = re.compile(r"\s*[A-Z][A-Z0-9_]*\s*\(.*\)[ \t]*\n\s*", re.DOTALL)
ASSIGNMENT = re.compile(r"(?<![=!<>])=(?!=)")


def without_literals(text):
    """The same lines, and no brace that is none."""
    def blanked(match):
        if match.lastgroup == "number":
            return match.group().replace("'", "")
        return (" " if match.group("comment") else '""') + "\n" * match.group().count("\n")
    return LITERAL.sub(blanked, text)


def without_directives(text):
    """The same lines; of conditional parts the first branch, of macros nothing."""
    kept = []
    counts = []  # of the #ifs around: does this branch?
    goes_on = False
    for line in text.split("\n"):
        word = None if goes_on else re.match(r"\s*#\s*(\w*)", line)
        if word and word.group(1) in ("if", "ifdef", "ifndef"):
            counts.append(True)
        elif word and word.group(1) in ("else", "elif") and counts:
            counts[-1] = False
        elif word and word.group(1) == "endif" and counts:
            counts.pop()
        is_code = not word and not goes_on and all(counts)
        goes_on = (word is not None or goes_on) and line.endswith("\\")
        kept.append(line if is_code else "")
    return "\n".join(kept)


def outside_parentheses(head):
    shown, depth = [], 0
    for c in head:
        depth += c in "(["
        if depth == 0:
            shown.append(c)
        if c in ")]":
            depth -= 1
            if depth == 0:
                shown.append("()" if c == ")" else "[]")
    return "".join(shown).strip()


def opened_by(head):
    """What the brace behind this text opens, outside functions: a scope, a function or a value."""
    top = outside_parentheses(head)
    if re.match(r"(?:inline\s+)?namespace\b", top) or re.fullmatch(r'extern\s*""', top):
        return "scope"
    if LAMBDA.search(top):
        return "function"
    if ASSIGNMENT.search(re.sub(r"operator\s*\S+?(?=\(\))|<[^<>()]*>", "", top)):
        return "value"
    if CLASS.match(top) and not re.search(r"\(\)[\s\w]*$", top.replace("alignas()", "")):
        return "scope"
    initialises_member = re.search(r"\(\)[^:]*(?<!:):(?!:)", top) and not re.search(r"[)}\]]$", top)
    return "function" if "()" in top and not initialises_member else "value"


class FunctionsOfCpp:
    """Reads a text once, piece by piece: found lists (name, first line, last line)."""

    def __init__(self, text):
        self.found = []
        self.line = 1
        self.outer = []  # of each open brace: what it opened, and the declaration that it belongs to
        self.begin_declaration()
        inside = 0  # so many braces deep in a function
        for piece in re.findall(r"[^{}();\n]+|.|\n", without_directives(without_literals(text))):
            if piece == "\n":
                self.line += 1
                self.head.append(piece)
            elif inside:
                inside += (piece == "{") - (piece == "}")
                if inside == 0:
                    self.found.append((self.name(), self.begins, self.line))
                    self.begin_declaration()
            elif piece == "{":
                inside = self.open() == "function"
            elif piece == "}":
                self.close()
            elif piece == ";" and not self.parentheses:
                self.begin_declaration()
            else:
                self.read(piece)
        if inside or self.outer:
            raise ValueError(f"a brace before line {self.line} is never closed")

    def begin_declaration(self):
        self.head, self.begins, self.parentheses = [], 0, 0

    def read(self, piece):
        text = piece.strip()
        if text in ("public:", "private:", "protected:"):
            return
        # A macro's call that stands by itself, in a line before.
        if text and not self.parentheses and MACRO_CALL.fullmatch("".join(self.head)):
            self.begin_declaration()
        self.parentheses += (piece == "(") - (piece == ")")
        self.begins = self.begins or (self.line if text else 0)
        if self.begins:
            self.head.append(piece)

    def open(self):
        kind = opened_by("".join(self.head))
        if kind != "function":
            self.outer.append((kind, self.head, self.begins, self.parentheses))
            self.begin_declaration()
        return kind

    def close(self):
        if not self.outer:
            raise ValueError(f"the brace in line {self.line} closes nothing")
        kind, *declaration = self.outer.pop()
        self.begin_declaration()
        if kind == "value":
            self.head, self.begins, self.parentheses = declaration
            self.head.append("}")

    def name(self):
        before = re.sub(r"<[^<>()]*>", "", "".join(self.head)).split("(")[0].split()
        return before[-1] if before else "a lambda"


PIECE_OF_JAVASCRIPT = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
      | (?P<literal>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<word>[\w$\#]+)
      | (?P<sign>=>|.)""",
    re.VERBOSE | re.DOTALL)
REGULAR_EXPRESSION = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
REST_OF_TEMPLATE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?P<end>`|\$\{)", re.DOTALL)
BEFORE_A_VALUE = {"case", "delete", "do", "else", "in", "of", "return", "throw", "typeof", "void", "yield"}
WITH_PARENTHESES = {"await", "catch", "for", "if", "switch", "while", "with"}  # and no function


def pieces_of_javascript(text):
    """(word or sign, its line); what is no code is left out, and a literal is two quotes."""
    at, line, before = 0, 1, ""
    templates = []  # of each ${ around: how many braces are open in it
    while at < len(text):
        match = PIECE_OF_JAVASCRIPT.match(text, at)
        piece, blank = match.group(), match.lastgroup == "blank"
        ends_inset = piece == "}" and templates and templates[-1] == 0
        is_value = before in (")", "]", "}", '""') or (re.match(r"[\w$]", before) and before not in BEFORE_A_VALUE)
        if piece == "`" or ends_inset:
            templates = templates[:-1] if ends_inset else templates
            match = REST_OF_TEMPLATE.match(text, match.end())
            if match is None:
                raise ValueError(f"the template in line {line} is never closed")
            templates = templates + [0] if match.group("end") == "${" else templates
            piece = '""'
        elif match.lastgroup == "literal" or (piece == "/" and not is_value and REGULAR_EXPRESSION.match(text, at)):
            match = match if piece != "/" else REGULAR_EXPRESSION.match(text, at)
            piece = '""'
        elif piece in "{}" and templates:
            templates[-1] += 1 if piece == "{" else -1
        if not blank:
            yield piece, line
            before = piece
        line += text.count("\n", at, match.end())
        at = match.end()


def opening_of(pieces, at):
    """Of the closing parenthesis at that index."""
    depth = 0
    for i in range(at, -1, -1):
        depth += (pieces[i][0] == ")") - (pieces[i][0] == "(")
        if depth == 0:
            return i
    raise ValueError(f"the parenthesis in line {pieces[at][1]} closes nothing")


def javascript_function(pieces):
    """(name, first line) of the function whose body's brace comes behind these pieces; None: it is none's."""
    def word(i):
        return pieces[i][0] if i >= 0 else ""
    last = len(pieces) - 1
    if word(last) == "=>":
        first = opening_of(pieces, last - 1) if word(last - 1) == ")" else last - 1
        first -= word(first - 1) == "async"
        if word(first - 1) in ("=", ":") and re.match(r"[\w$]", word(first - 2)):
            return word(first - 2), pieces[first - 2][1]
        return "a function", pieces[first][1]
    if word(last) != ")":
        return None
    first = opening_of(pieces, last) - 1
    if word(first) in WITH_PARENTHESES or first < 0:
        return None
    return word(first) if word(first) != "function" else "a function", pieces[first][1]


def functions_of_javascript(text):
    pieces = []
    opened = []  # of each open brace: the function whose body it begins, or None
    for piece, line in pieces_of_javascript(text):
        if piece == "{":
            opened.append(javascript_function(pieces))
        elif piece == "}":
            if not opened:
                raise ValueError(f"the brace in line {line} closes nothing")
            function = opened.pop()
            if function:
                yield *function, line
        pieces.append((piece, line))
    if opened:
        raise ValueError("a brace is never closed")


def scripts_of_html(text):
    """The same lines, and nothing but JavaScript in them."""
    kept, at = [], 0
    for match in re.finditer(r"<script(?![^>]*json)[^>]*>(.*?)</script>", text, re.DOTALL):
        kept += ["\n" * text.count("\n", at, match.start(1)), match.group(1)]
        at = match.end(1)
    return "".join(kept)


def functions_of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno


def reason_in(lines):
    return REASON.search(" ".join(line.strip().lstrip("/#*<").strip() for line in lines))


def comment_above(lines, first):
    begin = first - 1
    while begin > 0 and re.match(r"\s*(//|#)", lines[begin - 1]):
        begin -= 1
    return lines[begin:first - 1]


def head_of(lines):
    """The comment that a file begins with: it ends with the license."""
    for i, line in enumerate(lines):
        if "SPDX-License-Identifier" in line:
            return lines[:i]
    return []


def is_list(file, name):
    return "tests" in file.parts and (name == "main" or TEST_CASE.search(name) is not None or
                                      (file.suffix == ".py" and name.startswith("test_")))


def judged(file, lines):
    """(what, how long, at most, its reason) of the file and of its functions."""
    yield str(file), len(lines), FILE_LINES, reason_in(head_of(lines))
    text = "\n".join(lines)
    functions = (FunctionsOfCpp(text).found if file.suffix in CPP or (file.suffix == "" and file.parts[0] == "api") else
                 functions_of_python(text) if file.suffix == ".py" else
                 functions_of_javascript(text) if file.suffix == ".js" else
                 functions_of_javascript(scripts_of_html(text)) if file.suffix == ".html" else [])
    for name, first, last in functions:
        if last - first + 1 > FUNCTION_LINES and not is_list(file, name):
            yield f"{file}:{first}: {name}", last - first + 1, FUNCTION_LINES, reason_in(comment_above(lines, first))


KNOWN = r"""
namespace a { extern "C" {
/* } */ const char* text = "}{" R"x(}})x"; const int n = 1'000'000; const char c = '{';
#define BRACE(x) \
  {
#if 1
template <class T> void f(T x)
#else
void f()
#endif
{
  if (x) { auto y = [&] { return 1; }; }
}
MACRO(x)
struct s final : t<u> {
public:
  explicit s(int a)
      : a_{a}
      , b_({a, a}) {
  }
  s& operator=(const s& o) noexcept { return *this; }
  int a_{3}, b_[2] = {1, 2};
};
const auto g = [](int x) -> int {
  return x;
};
TEST_CASE("}") {
}
} }
"""
KNOWN_FUNCTIONS = [("f", 7, 13), ("s", 17, 20), ("operator=", 21, 21), ("[]", 24, 26), ("TEST_CASE", 27, 28)]
KNOWN_PAGE = r"""<style>a { b: c }</style>
<script type="application/json">{"}": "{"}</script>
<script>
const text = "}" + '}' + `} ${[1].map(x => { return `{${x}`; })} {`; // }
const half = text.length / 2, brace = /[/}]\/{/.test(text) /2;
function plain(a = {}, [b] = []) {
  if (a) { for (const c of b) { c(); } }
  return /}/;
}
const short = async (x) => {
  while (x) { x = x => x; }
};
class thing {
  method(a) {
    return { key: 1 };
  }
}
addEventListener("resize", e => {
  if (e) { const inner = function () {
  }; }
});
</script>
"""
KNOWN_SCRIPTS = [("a function", 4, 4), ("plain", 6, 9), ("short", 10, 12), ("method", 14, 16), ("a function", 19, 20),
                 ("a function", 18, 21)]


def files_below(root):
    def counts(top, name):
        suffix = pathlib.Path(name).suffix
        return suffix in CPP | OTHERS or name in NAMES or (suffix == "" and top in WITHOUT_EXTENSION)
    below = [pathlib.Path(folder, name) for top in FOLDERS for folder, _, names in os.walk(root / top) for name in names
             if counts(top, name)]
    beside = [path for path in root.iterdir() if path.is_file() and (counts("", path.name) or path.suffix in AT_ROOT)]
    return sorted(below + beside)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="what is longer, with its reason")
    options = parser.parse_args()
    wrong = []
    found = FunctionsOfCpp(KNOWN).found
    if found != KNOWN_FUNCTIONS:
        wrong.append(f"of the known text, these functions were read: {found}")
    found = list(functions_of_javascript(scripts_of_html(KNOWN_PAGE)))
    if found != KNOWN_SCRIPTS:
        wrong.append(f"of the known page, these functions were read: {found}")
    files = files_below(options.root)
    for path in files:
        file = path.relative_to(options.root)
        try:
            for what, length, most, reason in judged(file, path.read_text().splitlines()):
                if length > most and not reason:
                    wrong.append(f"{what}: {length} lines, and {most} are the most. Cut it where a reader would want a name, "
                                 f"or say at its head why it stands in spite of its length: REASON")
                elif length > most and options.list:
                    print(f"{what}: {length} lines: {reason.group(1)}")
        except (ValueError, SyntaxError) as e:
            wrong.append(f"{file}: {e}")
    print("\n".join(wrong + [f"{len(files)} files: {len(wrong)} wrong"]))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
