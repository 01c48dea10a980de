"""Which values of a kernel are which of its source's variables: for `tilesim step`.

Bytecode has no names. cuTile's values remember the piece of source that they come from, and the source says what is
assigned to what. Three more names of cuTile's are taken over for that; where a version lacks one, variables have no
names, and all else works.

SPDX-License-Identifier: Apache-2.0
"""
import ast
import functools
import importlib
import typing


class _Assigned(ast.NodeVisitor):
    """Names by the range of source whose value they get."""

    def __init__(self):
        self.names = {}
        self.loops = {}
        self.known = set()

    @staticmethod
    def _range(node):
        return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset

    def _assign(self, target, value):
        if isinstance(target, ast.Name):
            self.names.setdefault(self._range(value), []).append(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            if len(target.elts) == len(value.elts):
                for one, its in zip(target.elts, value.elts):
                    self._assign(one, its)

    def visit_Name(self, node):
        self.known.add(node.id)

    def visit_arg(self, node):
        self.known.add(node.arg)

    def visit_Assign(self, node):
        for target in node.targets:
            self._assign(target, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self._assign(node.target, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self._assign(node.target, node)
        self.generic_visit(node)

    def visit_For(self, node):
        if isinstance(node.target, ast.Name):
            self.loops[self._range(node)] = node.target.id
        self.generic_visit(node)


@functools.lru_cache(maxsize=None)
def _assigned_in(file):
    """What a file assigns; nothing where it cannot be read."""
    found = _Assigned()
    try:
        with open(file, "rb") as source:
            found.visit(ast.parse(source.read()))
    except (OSError, SyntaxError, ValueError):
        pass
    return found


class _Note(typing.NamedTuple):
    """A value that has a name."""

    place: tuple  # the range that it comes from
    line: str


class _Notes:
    """Of one entry, while its bytecode is written."""

    def __init__(self):
        self._notes = []
        self._loops = set()

    def _names(self, context, variable, kind, place):
        file = _assigned_in(variable.loc.filename)
        own = variable.get_original_name()
        if not own.startswith("$"):  # a parameter, or what a loop carries on
            return [own] if own in file.known else []
        if place in file.names:
            return file.names[place]
        # The first value of a loop as a whole is what it counts with.
        loop = id(context.innermost_loop)
        if place in file.loops and kind.shape == () and loop not in self._loops:
            self._loops.add(loop)
            return [file.loops[place]]
        return []

    def note(self, context, variable, value):
        kind = context.typeof(variable)
        where = variable.loc
        if type(kind).__name__ != "TileTy" or where is None or where.filename is None:
            return
        place = (where.line, where.col, where.last_line, where.end_col)
        function = where.function.name if where.function is not None else "?"
        sign = "u" if str(kind.dtype).startswith("uint") else "s"
        for name in self._names(context, variable, kind, place):
            if self._notes and self._notes[-1].place == place and variable.get_original_name().startswith("$"):
                self._notes.pop()  # a part of the same expression
            self._notes.append(_Note(place,
                                     f"{value.value_id} {len(context.builder.debug_attr_per_op)} {sign} "
                                     f"{function} {name}"))

    def lines(self):
        return [note.line for note in self._notes]


def _constants(signature, function):
    """Parameters that are the compiler's constants."""
    names = function.__code__.co_varnames
    lines = []
    for name, parameter in zip(names, signature.parameters):
        value = getattr(parameter, "value", None)
        if type(parameter).__name__ == "ConstantConstraint" and type(value) in (int, float, bool):
            kind = "f" if isinstance(value, float) else "i"
            lines.append(f"constant {kind} {float(value)!r} {function.__name__} {name}")
    return lines


class Recorder:
    """Tells the library what compile_tile's results call their values."""

    def __init__(self, library):
        self._library = library
        self._notes = {}  # of the entries that are being compiled, by their names
        self._current = None

    def install(self, compiler):
        """False: this version of cuTile has other names."""
        writer = importlib.import_module("cuda.tile._ir2bytecode")
        context = getattr(writer, "BytecodeContext", None)
        generate = getattr(compiler, "generate_bytecode_for_kernel", None)
        if context is None or generate is None or not hasattr(context, "set_value"):
            return False
        set_value = context.set_value

        @functools.wraps(set_value)
        def noting(its, variable, value):
            if self._current is not None:
                try:
                    self._current.note(its, variable, value)
                except (AttributeError, TypeError):  # a version that keeps it otherwise
                    self._current = None
            return set_value(its, variable, value)

        @functools.wraps(generate)
        def generating(body, flow, symbol, *args, **more):
            self._current = self._notes[symbol] = _Notes()
            try:
                return generate(body, flow, symbol, *args, **more)
            finally:
                self._current = None

        context.set_value = noting
        compiler.generate_bytecode_for_kernel = generating
        return True

    def tell(self, annotated, result):
        function = getattr(annotated, "pyfunc", annotated)
        code = bytes(result.bytecode)
        for signature in result.kernel_signatures:
            notes = self._notes.pop(signature.symbol, None)
            if notes is not None:
                text = "\n".join([*_constants(signature, function), *notes.lines()])
                self._library.variables(code, len(code), signature.symbol.encode(), text.encode())
