"""Ask the rules for the fixes of findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from socrates.discovery.files import TestFile
from socrates.failures import own_error
from socrates.findings import Finding, PluginError
from socrates.fix import Fix, NoFix
from socrates.model.python.source import SourceError
from socrates.rule import Rule
from socrates.settings import Settings

if TYPE_CHECKING:
    from socrates.engine.analyse import Analyser


def fixes_for(
    path: Path,
    source: bytes,
    findings: Iterable[Finding],
    settings: Settings,
    rules: Sequence[Rule],
    errors: list[PluginError] | None = None,
) -> dict[Finding, Fix]:
    """The fixes of a file's findings, as far as there are any.

    ``source`` is what the findings were made of, be it saved or not. A file that does not parse
    has no fixes; a rule that fails to make one has none for that finding, and is named in
    ``errors`` if that is given. Several findings may share a fix: it takes them all away.
    """
    from socrates.engine.analyse import Analyser

    return ask(Analyser(settings, rules), TestFile(path), source, findings, errors)


def ask(
    analyser: Analyser,
    file: TestFile,
    source: bytes,
    findings: Iterable[Finding],
    errors: list[PluginError] | None = None,
    *,
    last: bool = False,
    reasons: dict[Finding, str] | None = None,
) -> dict[Finding, Fix]:
    """The fixes of a file's findings by an analyser of the caller, in the order to apply them.

    With ``last`` nothing more is asked about the file, and its trees are let go of. ``reasons``
    is given why the other findings have no fix.
    """
    from socrates.engine.analyse import deep_recursion

    errors = [] if errors is None else errors
    reasons = {} if reasons is None else reasons
    with deep_recursion():
        return _ask(analyser, file, source, findings, errors, reasons, last)


def _ask(
    analyser: Analyser,
    file: TestFile,
    source: bytes,
    findings: Iterable[Finding],
    errors: list[PluginError],
    reasons: dict[Finding, str],
    last: bool,
) -> dict[Finding, Fix]:
    from socrates.engine.accepted import accepted_fix
    from socrates.engine.analyse import plugin_error

    able = {rule.code: rule for rule in analyser.rules if is_able(rule)}
    wanted = sorted(
        (finding for finding in findings if finding.code in able),
        key=lambda finding: (able[finding.code].fix_order, finding.sort_key),
    )
    if not wanted:
        return {}
    try:
        context = analyser.context(file, source)
    except (SourceError, RecursionError, MemoryError):
        return {}  # a finding says so
    except Exception as error:
        errors.append(own_error(error, f"fixing {wanted[0].filename}"))
        return {}
    found = {}
    for finding in wanted:
        try:
            fix = able[finding.code].fix(finding, context)
            if fix is not None:
                found[finding] = accepted_fix(fix)
        except NoFix as reason:
            reasons[finding] = str(reason)
        except RecursionError:
            continue
        except Exception as error:  # any error of a rule is reported by name, others go on
            errors.append(plugin_error(able[finding.code], error, f"fixing {finding.filename}"))
    if last:
        context.project.drop(file.path)
        context.close()
    return found


def is_able(rule: Rule) -> bool:
    """Whether a rule makes fixes at all."""
    return type(rule).fix is not Rule.fix
