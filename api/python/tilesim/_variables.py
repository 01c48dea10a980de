"""Which values of a kernel are which of its source's variables: for `tilesim step`.

Bytecode has no names. cuTile's front end has an operation for each assignment, which it drops before it writes bytecode: they are
noted then, each with the operation that it follows. Some more names of cuTile's are taken over for that; where a version lacks
one, variables have no names, and all else works.

SPDX-License-Identifier: Apache-2.0
"""
import ast
import functools
import importlib
import typing


@functools.lru_cache(maxsize=None)
def _names_in(file):
    """What a file calls its variables; nothing where it cannot be read."""
    try:
        with open(file, "rb") as source:
            tree = ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return frozenset()
    return frozenset(node.id if isinstance(node, ast.Name) else node.arg for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.arg)))


def _key(variable):
    """What a variable of cuTile's is called, and its copies by passes: without a name of the source's, by its number."""
    own = variable.get_original_name()
    return own if own.startswith("$") else variable.name


def _function(place):
    return place.function.name if place is not None and place.function is not None else "?"


class _Assignment(typing.NamedTuple):
    """A name of the source's gets a value."""

    value: str
    name: str
    function: str
    behind: tuple  # results of its block's operations, and how many stand before it
    outside: tuple  # the same of the operations that it stands in, the innermost first


def _assignments(root, operation):
    """Those of a kernel, in their order. `operation` is cuTile's class for them."""
    found = []
    values = {}

    def walk(block, outside):
        before = [_key(v) for v in block.params]
        for op in block:
            if isinstance(op, operation):
                to = op.result_var
                values[_key(to)] = value = values.get(_key(op.value), _key(op.value))
                found.append(_Assignment(value, to.get_original_name(), _function(to.loc), (before, len(before)), outside))
                continue
            for inner in op.nested_blocks:
                walk(inner, ((before, len(before)), *outside))
            before.extend(_key(v) for v in op.result_vars)

    walk(root, ())
    return found


def _defined(root):
    """What is left of a kernel's values."""
    keys = {_key(v) for v in root.params}
    for op in root:
        keys.update(_key(v) for v in op.result_vars)
        for inner in op.nested_blocks:
            keys |= _defined(inner)
    return keys


def _nearest(scopes, left):
    """The last result that is left, of those before a place."""
    return next((before[i] for before, count in scopes for i in reversed(range(count)) if before[i] in left), None)


class _Value(typing.NamedTuple):
    """One that has been written: its number, how many operations had been, how its elements are read."""

    number: int
    operations: int
    sign: str


class _Notes:
    """Of one entry, while its bytecode is written."""

    def __init__(self, assignments, body):
        self._lines = []
        self._values = {}
        self._behind = {}
        self._waiting = []  # for their value, which a pass has moved behind them
        left = _defined(body)
        for assignment in assignments:
            behind = _nearest([assignment.behind], left)
            if behind is None:  # the first of a branch: in which the name has another value than before, nobody can tell from there
                behind = _nearest(assignment.outside, left)
                assignment = assignment._replace(value=None)
            elif assignment.value not in left:  # it is not used, or the compiler's constant
                assignment = assignment._replace(value=None)
            if behind is not None:
                self._behind.setdefault(behind, []).append(assignment)

    def _tell(self, value, function, name, behind):
        what = f"{value.number} {value.operations} {value.sign}" if value is not None else "none"
        self._lines.append(f"{what} {function} {name} {behind.number} {behind.operations}")

    def note(self, context, variable, value):
        kind = context.typeof(variable)
        sign = "u" if str(getattr(kind, "dtype", "")).startswith("uint") else "s"
        here = _Value(value.value_id, len(context.builder.debug_attr_per_op), sign)
        key = _key(variable)
        if type(kind).__name__ == "TileTy":
            self._values[key] = here
            own = variable.get_original_name()  # a parameter, or what a loop carries on
            if variable.loc is not None and variable.loc.filename is not None and own in _names_in(variable.loc.filename):
                self._tell(here, _function(variable.loc), own, here)
        waiting, self._waiting = self._waiting + self._behind.get(key, []), []
        for assignment in waiting:
            if assignment.value is None or assignment.value in self._values:
                self._tell(self._values.get(assignment.value), assignment.function, assignment.name, here)
            elif key == assignment.value:  # an array, say
                self._tell(None, assignment.function, assignment.name, here)
            else:
                self._waiting.append(assignment)

    def lines(self):
        return self._lines


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
        self._assignments = []  # of the kernel that is being compiled
        self._notes = {}  # of the entries that are being compiled, by their names
        self._current = None

    def install(self, compiler):
        """False: this version of cuTile has other names."""
        writer = importlib.import_module("cuda.tile._ir2bytecode")
        operation = getattr(importlib.import_module("cuda.tile._ir.core_ops"), "Assign", None)
        context = getattr(writer, "BytecodeContext", None)
        generate = getattr(compiler, "generate_bytecode_for_kernel", None)
        eliminate = getattr(compiler, "eliminate_assign_ops", None)
        if None in (operation, context, generate, eliminate) or not hasattr(context, "set_value"):
            return False
        set_value = context.set_value

        @functools.wraps(eliminate)
        def eliminating(body, *args, **more):
            try:
                self._assignments = _assignments(body, operation)
            except (AttributeError, TypeError):  # a version that keeps it otherwise
                self._assignments = []
            return eliminate(body, *args, **more)

        @functools.wraps(set_value)
        def noting(its, variable, value):
            if self._current is not None:
                try:
                    self._current.note(its, variable, value)
                except (AttributeError, TypeError):
                    self._current = None
            return set_value(its, variable, value)

        @functools.wraps(generate)
        def generating(body, flow, symbol, *args, **more):
            try:
                self._current = self._notes[symbol] = _Notes(self._assignments, body)
            except (AttributeError, TypeError):
                self._current = None
            try:
                return generate(body, flow, symbol, *args, **more)
            finally:
                self._current = None

        context.set_value = noting
        compiler.generate_bytecode_for_kernel = generating
        compiler.eliminate_assign_ops = eliminating
        return True

    def tell(self, annotated, result):
        function = getattr(annotated, "pyfunc", annotated)
        code = bytes(result.bytecode)
        for signature in result.kernel_signatures:
            notes = self._notes.pop(signature.symbol, None)
            if notes is not None:
                text = "\n".join([*_constants(signature, function), *notes.lines()])
                self._library.variables(code, len(code), signature.symbol.encode(), text.encode())
