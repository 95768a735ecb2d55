"""Which fixed resources make a warning: those that may be missing, differ or stay behind elsewhere.

Maintainers shrug at a file that lies beside the test and is found through ``__file__``, at their own
command line, at shells and tools that are everywhere, at a variable that has a default, and at a service
that the test says it needs: all of these are where the tests are, or the test is skipped without them.
"""

from __future__ import annotations

import ast
import re

from socrates.model.python.names import Scope, walk_function
from socrates.model.python.walk import walk
from socrates_rules.mystery_guest.not_run import is_skipped, is_switched_off
from socrates_rules.mystery_guest.origin import any_managed
from socrates_rules.mystery_guest.resources import CREATES
from socrates_rules.mystery_guest.touches import HERE, Touch, TouchFinder
from socrates_rules.mystery_guest.tracing import Origins

_BESIDE_THE_CODE = re.compile(
    r"__file__|__path__|getfile|getsourcefile|resource_filename|\bfiles\(|get_distribution"
)
_NOTHING = re.compile(r"os\.devnull|'/dev/(null|zero|u?random)'|'(?i:nul)'")
_MISSING = re.compile(
    r"(?i)(no|not|non)[-_ ]?(such|exist|there|found)|n[o']t[-_ ]?exist|missing|nowhere|inexist"
)
"""Names of files that are meant not to be there."""
_ASKS = frozenset({"samefile", "exists", "isdir", "is_dir", "stat", "chdir"})
"""What may be asked of the working folder, wherever that is."""
_HAS_DEFAULT = ("os.environ.get", "os.getenv", "os.getenvb")
_EVERYWHERE = re.compile(r"'(PATH|HOME|USERPROFILE|SYSTEMROOT|SystemRoot|PYTHONPATH)'")
_TOOLS = re.compile(
    r"'((/usr)?/bin/)?((cat|echo|printf|ls|pwd|true|false|sleep)( [^;&|<>$`]*)?|(ba)?sh( [^;&|<>$`]*)? -\w*c\b.*)'",
    re.DOTALL,
)
"""Programs that only pass text on, and shells that are handed their code."""
_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless", "skipTest", "SkipTest"})
_SAYS_NEED = re.compile(
    r"(^|[._])(needs?|requires?|network|internet|online|remote|socket|external|live|integration|e2e|"
    r"end_?to_?end|functional|system|docker|db|database|redis|postgres\w*|mysql|mongo\w*)($|[._])"
)
_OPENS = frozenset({"open", "FileIO", "GzipFile", "BZ2File", "LZMAFile", "ZipFile"})
_COPIES = frozenset({"copy", "copy2", "copyfile", "copymode", "copystat", "copytree", "copy_into"})
_WRITES = (CREATES | {"mkdir", "makedirs", "utime", "symlink", "link"}) - _OPENS - {"connect"}


def hurts(touch: Touch, finder: TouchFinder) -> bool:
    """Whether a fixed resource that nothing manages is worth a warning."""
    test, origins = finder.test, finder.origins
    if is_skipped(test) or is_switched_off(touch.node, touch.scope, test):
        return False
    match touch.kind:
        case "file":
            return _file_hurts(touch, finder)
        case "environment":
            return _variable_hurts(touch) and not _says_need(touch, finder)
        case "process":
            at_home = finder.is_moved(touch) or _is_own_program(touch, origins)
            return not (at_home or _says_need(touch, finder))
        case "network":
            return not (touch.origin.loopback or _says_need(touch, finder))
        case "database":
            return not _says_need(touch, finder)
    return True


def _file_hurts(touch: Touch, finder: TouchFinder) -> bool:
    text = touch.origin.text
    if touch.via == "shutil.which" or _NOTHING.fullmatch(text):
        return False
    if (text == "'.'" or HERE.fullmatch(text)) and touch.via.rpartition(".")[2] in _ASKS:
        return False
    if _is_written(touch, finder.origins):
        return True
    if _MISSING.search(text):
        return False
    if _BESIDE_THE_CODE.search(text):
        return False
    if touch.origin.anchored:
        return not _says_need(touch, finder)
    return not _is_started_in_place(finder)


def _is_started_in_place(finder: TouchFinder) -> bool:
    """Whether the test, its fixtures or the module go to one folder first, wherever they are started."""
    module = finder.test.scope.module
    at_import = [node for node in module.source.tree.body if isinstance(node, ast.Expr)]
    outer = [(one.node, one.scope) for one in finder.surroundings.outer_functions]
    outer.append((finder.test.node, finder.test.scope))
    for node, scope in (*outer, *((node, Scope(module)) for node in at_import)):
        for call in walk(node):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "chdir":
                if call.args and finder.origins.of(call.args[0], scope).anchored:
                    return True
    return False


def _is_written(touch: Touch, origins: Origins) -> bool:
    """Whether the call makes, changes or removes the file rather than reads it."""
    call = touch.node
    last = touch.via.rpartition(".")[2]
    if not isinstance(call, ast.Call):
        return False
    if last in _OPENS:
        position = 0 if touch.via.startswith("Path.") else 1
        given = [k.value for k in call.keywords if k.arg == "mode"]
        given += call.args[position : position + 1]
        modes = [mode.value for mode in given if isinstance(mode, ast.Constant)]
        return any(isinstance(mode, str) and set(mode) & set("wax+") for mode in modes)
    if last in _COPIES:
        return origins.of(call.args[-1], touch.scope) == touch.origin if call.args else False
    return last in _WRITES


def _variable_hurts(touch: Touch) -> bool:
    if isinstance(touch.node, ast.Subscript) and isinstance(touch.node.ctx, ast.Load):
        return not _EVERYWHERE.fullmatch(touch.origin.text)
    return not isinstance(touch.node, ast.Compare) and touch.via not in _HAS_DEFAULT


def _is_own_program(touch: Touch, origins: Origins) -> bool:
    """Whether it is Python, a plain tool, of the project, or works in a folder of the test."""
    text = touch.origin.text
    if touch.origin.is_python or _BESIDE_THE_CODE.search(text) or _TOOLS.fullmatch(text):
        return True
    call = touch.node
    where = [k.value for k in getattr(call, "keywords", []) if k.arg == "cwd"]
    if any_managed(origins.of(value, touch.scope) for value in where):
        return True
    program = text.strip("'\"").partition(" ")[0].replace("-", "_")
    near, project = origins.test.module.path, origins.resolver.project
    names = (program, program.partition("_")[0])  # the package can has a command can-logger
    return program.isidentifier() and any(project.defines(name, near) for name in names if name)


def _says_need(touch: Touch, finder: TouchFinder) -> bool:
    """Whether the test or its fixtures skip without something, or a mark says what it needs."""
    for name, _ in finder.test.decorators:
        if name.rpartition(".")[2].startswith("skip") or _SAYS_NEED.search(name):
            return True
    around = (function.scope for function in finder.surroundings.outer_functions)
    return any(map(_skips, (finder.test.scope, touch.scope, *around)))


def _skips(scope: Scope) -> bool:
    function = scope.function
    if function is None:
        return False
    called = (n.func for n in walk_function(function) if isinstance(n, ast.Call))
    return any(getattr(f, "attr", getattr(f, "id", "")) in _SKIPS for f in called)
