"""Every rule by code and name, and which of them a run uses.

Selection works with codes (``SOC101``), names (``eager-test``), prefixes (``SOC1``, ``SOC``) and
``ALL``. Where a rule is both selected and ignored, the more specific selector wins, and
``ignore`` wins between equals.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from socrates import plugins
from socrates.builtin import BUILTIN
from socrates.classes.lazy import dataclass
from socrates.errors import SocratesError
from socrates.findings import PluginError, Severity
from socrates.plugins import Contributed, iter_errors
from socrates.rule import Rule
from socrates.settings import Settings
from socrates.spelling import did_you_mean

ALL = "ALL"
CORE = "socrates"
"""The plugin name of the rules that the engine itself answers for."""

ALWAYS = frozenset({"SOC000"})
"""On whatever ``select`` says, or a file that can't be parsed would pass as clean."""

_CODE = re.compile(r"SOC\d{3}|(?!SOC\d)[A-Z]+\d+")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_PREFIX = re.compile(r"([A-Z]+)(\d*)")
_EXACT = 1000


@dataclass(frozen=True)
class Registry:
    """The rules of this installation, by code, in the order of their codes."""

    rules: Mapping[str, Contributed]
    errors: tuple[PluginError, ...] = ()

    def __iter__(self) -> Iterator[type[Rule]]:
        return (entry.rule for entry in self.rules.values())

    @functools.cached_property
    def names(self) -> Mapping[str, str]:
        """Codes to names: what suppression comments may say."""
        return {code: entry.rule.name for code, entry in self.rules.items()}

    def find(self, text: str, where: str = "") -> type[Rule]:
        """The rule with this code or name. Raises with the nearest spelling."""
        folded = text.strip().casefold()
        for code, name in self.names.items():
            if folded in (code.casefold(), name):
                return self.rules[code].rule
        raise self._unknown(text, where)

    def plugin_of(self, rule: type[Rule] | Rule) -> str:
        """The name of the plugin that brought the rule."""
        entry = self.rules.get(rule.code)
        return entry.plugin if entry else CORE

    def matches(self, selector: str, where: str = "") -> frozenset[str]:
        """The codes that a selector stands for; never empty. Raises with the nearest spelling."""
        text = selector.strip()
        if text.upper() == ALL:
            return frozenset(self.rules)
        codes = frozenset(code for code in self.rules if _has_prefix(code, text.upper()))
        return codes or frozenset({self.find(selector, where).code})

    def expand(self, selectors: Iterable[str], where: str = "") -> frozenset[str]:
        """All codes that any of the selectors stands for."""
        return frozenset().union(*(self.matches(selector, where) for selector in selectors))

    def selected(self, settings: Settings) -> frozenset[str]:
        """The codes that a run with these settings uses.

        A file that can't be parsed is reported unless ``ignore`` names SOC000 itself.
        """
        chosen = self._specificity((*settings.select, *settings.extend_select))
        ignored = self._specificity(settings.ignore)
        for code in ALWAYS & set(self.rules):
            chosen[code] = _EXACT
        return frozenset(code for code, rank in chosen.items() if rank > ignored.get(code, -1))

    def active(self, settings: Settings) -> list[Rule]:
        """The rules of a run, with their options, in the order of their codes."""
        codes = self.selected(settings)
        return [
            entry.rule(settings.rules.get(entry.rule.name))
            for code, entry in self.rules.items()
            if code in codes
        ]

    def _specificity(self, selectors: Sequence[str]) -> dict[str, int]:
        ranks: dict[str, int] = {}
        for selector in selectors:
            for code in self.matches(selector):
                ranks[code] = max(ranks.get(code, 0), _rank(selector, code))
        return ranks

    def _unknown(self, text: str, where: str) -> SocratesError:
        valid = [*self.names, *self.names.values()]
        hint = did_you_mean(text.strip(), valid) or "; `socrates rule --all` lists them"
        if self.errors:
            # The rule that the user misses may be that of a plugin which failed.
            first = self.errors[0]
            hint = f"; plugin {first.plugin!r} failed: {first.message} ({first.location})"
        return SocratesError(f"{where + ': ' if where else ''}unknown rule {text.strip()!r}{hint}")


@functools.cache
def installed() -> Registry:
    """The rules of all installed plugins, loaded once in this process."""
    loaded = plugins.installed()
    contributed = loaded.rules()
    return build(contributed, loaded.errors)


def build(contributed: Iterable[Contributed], errors: Iterable[PluginError] = ()) -> Registry:
    """A registry of the valid rules among these; each invalid one becomes an error of its plugin."""
    rules: dict[str, Contributed] = {}
    names: dict[str, str] = {}
    found: list[PluginError] = []
    for entry in (*(Contributed(CORE, rule) for rule in BUILTIN), *contributed):
        problem = _problem(entry.rule, rules, names)
        if problem:
            place = f"{entry.rule.__module__}.{entry.rule.__qualname__}"
            found.append(PluginError(entry.plugin, problem, place))
            continue
        rules[entry.rule.code] = entry
        names[entry.rule.name] = entry.rule.code
    ordered = dict(sorted(rules.items()))
    return Registry(ordered, tuple(iter_errors(errors, found)))


def _problem(
    rule: type[Rule], rules: Mapping[str, Contributed], names: Mapping[str, str]
) -> str | None:
    """What is wrong with a rule's metadata, or None."""
    for attribute in ("code", "name", "summary", "advice"):
        if not isinstance(getattr(rule, attribute, None), str):
            return f"rule {rule.__name__} has no {attribute}"
    if not _CODE.fullmatch(rule.code):
        return f"rule code {rule.code!r} is not letters followed by digits, such as 'ACME101'"
    if not _NAME.fullmatch(rule.name):
        return f"rule name {rule.name!r} is not in kebab-case, such as 'sleepy-test'"
    if rule.code in rules:
        return f"rule code {rule.code} is already taken by plugin {rules[rule.code].plugin!r}"
    if rule.name in names:
        return f"rule name {rule.name!r} is already taken by {names[rule.name]}"
    known = {severity.value for severity in Severity}
    if not rule.severities or not known.issuperset(rule.severities):
        return f"rule {rule.code} has severities other than {', '.join(sorted(known))}"
    return None


def _has_prefix(code: str, prefix: str) -> bool:
    """Whether ``SOC1`` begins ``SOC101``: letters agree whole, digits from the left."""
    wanted, given = _PREFIX.fullmatch(prefix), _PREFIX.fullmatch(code)
    if wanted is None or given is None:
        return False
    return wanted[1] == given[1] and given[2].startswith(wanted[2])


def _rank(selector: str, code: str) -> int:
    text = selector.strip().upper()
    if text == ALL:
        return 0
    return len(text) if text != code and _has_prefix(code, text) else _EXACT
