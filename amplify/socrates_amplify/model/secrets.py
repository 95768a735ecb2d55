"""Hides secrets in texts for people: by the names they go by, by known shapes, and by entropy.

``without_secrets`` is applied to every readable text of a run (messages, replies, failures) before it
leaves the test process, and again wherever a text is written: to the store, a scenario file, a
report. It is idempotent, linear in the text, and leaves digests and targets alone, which are no
texts for people.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Callable
from fnmatch import translate
from itertools import pairwise
from unicodedata import normalize
from urllib.parse import unquote_plus

from socrates_amplify.lazy_pattern import later

MASK = "***"

SECRET_NAMES = (
    "*passw*",
    "*passphrase*",
    "pwd",
    "*secret*",
    "*token*",
    "*api*key*",
    "*access*key*",
    "*private*key*",
    "*account*key*",
    "*credential*",
    "*signature*",
    "sig",
    "*authorization*",
    "*cookie*",
    "*session*id*",
    "jwt",
    "otp",
)
"""Names whose values are never shown: of arguments, keys, headers, parameters of a query."""

_LONG_TEXT = 100_000
"""Characters of one text that are looked at; the rest is cut off, because it could hold secrets."""

_QUOTE = r"""(?:\\{0,32}(?:["']|&(?:amp;)?(?:quot|apos|#34|#39|#x22|#x27);))"""
"""A quotation mark; in a text that was quoted itself it has backslashes, in a page it is spelt."""

_SPACE = r"(?:\s|\\{1,32}[rn]|[>+?-](?=\s))"
"""A space or a line end, with backslashes in a text that was quoted; or the sign before a line of a
difference, or of a text that was quoted in another way."""

_NAME = later(rf"(?<![\w.-])([\w.-]{{1,64}}){_QUOTE}?\s{{0,3}}(?:=>?|:)\s{{0,3}}")
"""A name before its value, in JSON, Python, headers, forms and queries alike."""

_VALUE = later(
    rf"""b?(?P<q>{_QUOTE})(?:(?!(?P=q))(?:[^\n\\]|\\[\s\S]))*(?P=q)?"""
    rf"""(?:\s{{1,20}}b?(?P<more>{_QUOTE})(?:(?!(?P=more))[^\n])*(?P=more))*"""
    rf"""|[|>][+-]?{_SPACE}{{1,40}}[^\s\\]+"""
    r"""(?:[ \t]*(?:\r?\n|\\{1,32}n)[ \t]*[>+?-]?[ \t]+(?:(?!\\{1,32}n)[^\n])+)*"""
    r"""|\.\.\.[^\s"']*"""
    r"""|Digest\s[^\n]*"""
    r"""|(?:(?:Bearer|Basic|Token)\s+)?[^\s,;&}\])"'\\]+""",
    re.I,
)
"""A text in quotation marks, or several in a row; a block of YAML; what a cut has left of a text; else
up to the next separator."""

_PAIR = later(rf"\(\s{{0,3}}b?{_QUOTE}([\w.-]{{1,64}}){_QUOTE}\s{{0,3}},\s{{0,3}}(?=b?{_QUOTE})")
_FLAG = later(r"(?<![\w-])--([\w-]{1,64})\s{1,3}(?!-)")
_ELEMENT = later(
    r"(?:<|&lt;)(?:\w{1,30}:)?([\w.-]{1,64})(?:\s(?:(?!&[lg]t;)[^<>]){0,200})?(?:>|&gt;)"
)
_ELEMENT_VALUE = later(r"(?:(?!&lt;)[^<])+")
_PART = later(
    rf"form-data;\s{{0,3}}name={_QUOTE}([\w.-]{{1,64}}){_QUOTE}(?:;[^\r\n\\]{{0,200}})?"
    rf"{_SPACE}{{1,60}}(?:Content-[\w-]{{1,40}}:\s?[^\s\\]{{1,200}}{_SPACE}{{1,60}}){{0,3}}"
)
_PART_VALUE = later(r"[^\s\\]+")
_FORMS = (
    (":=", _NAME, _VALUE),
    ("(", _PAIR, _VALUE),
    ("-", _FLAG, _VALUE),
    ("<&", _ELEMENT, _ELEMENT_VALUE),
    (";", _PART, _PART_VALUE),
)
"""How a name stands before its value: with one of these characters. Pairs of headers in Python,
options of a command, elements of XML, parts of a form with files."""

_QUERY_CODE = later(r"(?<=[?&])(code|state|key|auth)=(?=[^&\s]{6})(?!\d+(?:&|\s|$))[^&\s\"']+")
"""Parameters that are secret in an address, and ordinary words elsewhere."""

_USER_INFO = later(r"(?<=://)([^\s/:@]{0,128}):([^\s/@]{1,256})@")

_SCHEME = later(
    # Not prose: "Missing access token parameter.", "basic authentication".
    r"\b(?!(?-i:(?:basic|digest|negotiate|token) [a-z]{8,16}\.?(?:[\s)\]\"',;]|$)))"
    r"(Bearer|Basic|Digest|Negotiate|Token)\s+(?!\*\*\*)[\w.~+/=:-]{8,}",
    re.I,
)

_SCHEME_HINT = later("earer |asic |igest |egotiate |oken |EARER |ASIC |OKEN ")

_LONG_WORD = later(r"[\w.~+/=:-]{16}|-----BEGIN")
"""Without one of these, no shape fits: most texts are done with here."""

_SHAPES = later(
    "|".join(
        (
            r"\b(?:AKIA|ASIA|AGPA|AROA|ABIA|ACCA)[A-Z0-9]{16}\b",  # Amazon
            r"\bgh[pousr]_[A-Za-z0-9]{30,}",  # GitHub
            r"\bgithub_pat_\w{22,}",
            r"\bglpat-[\w-]{20,}",  # GitLab
            r"\bxox[abeoprs]-[\w-]{10,}",  # Slack
            r"(?<=hooks\.slack\.com/services/)[\w/]{20,}",
            r"\b[rs]k_(?:live|test)_\w{10,}",  # Stripe
            r"\bwhsec_[\w+/=]{16,}",
            r"\bsk-[\w-]{20,}",  # OpenAI, Anthropic
            r"\bAIza[\w-]{35}",  # Google
            r"\bya29\.[\w-]{20,}",
            r"\bSG\.[\w-]{16,}\.[\w-]{16,}",  # SendGrid
            r"\bnpm_[A-Za-z0-9]{30,}",
            r"\bpypi-[\w-]{50,}",
            r"\bhf_[A-Za-z0-9]{30,}",
            r"\bdop_v1_[a-f0-9]{60,}",
            r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
            r"\b(?:SK|AC)[a-f0-9]{32}\b",  # Twilio
            r"\bkey-[a-f0-9]{32}\b",  # Mailgun
            r"\b\d{8,10}:AA[\w-]{33}",  # Telegram
            r"\bEAACEdEose0cBA\w+",  # Facebook
            r"\beyJ[\w-]{8,4000}\.[\w-]{4,}\.?[\w-]*",  # JSON web tokens
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,30}PRIVATE KEY-----)?",
        )
    )
)

_DENSE = later(r"[A-Za-z0-9+/_=-]{20,}")
"""What may be a random text: looked at once more, by ``_random``."""

_CUT = later(r"([\w+/=~:.-]{0,80})\.\.\.([\w+/=~:-]{0,80})")
"""What is left of a long word at the place where a text was cut; hidden if either end looks secret."""

_STARTS = later(
    r"AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|[rs]k_(?:live|test)_|whsec_|sk-|AIza|ya29"
    r"|npm_|pypi-|hf_|dop_v1_|shp(?:at|ca|pa|ss)_|eyJ"
)
"""How secrets of known shapes start: all that a cut may have left of one."""

_PARAMETER = later(r"[^\s&?#\"'<>]+")
"""A part of an address, or of a form: looked at once more if it is written with percent signs."""

_HEX = later(r"[0-9a-fA-F]+")
_SEPARATORS = later(r"([/=]+)")
_SEGMENTS = later(r"[/=:.~]")

_names = later("|".join(translate(name) for name in SECRET_NAMES), re.IGNORECASE)


@functools.lru_cache(maxsize=512)
def is_secret_name(name: str) -> bool:
    """Whether what goes by this name is never shown."""
    name = normalize("NFKC", name)
    return _names.match(name.rpartition(".")[2].replace("-", "_")) is not None or (
        _names.match(name) is not None
    )


@functools.lru_cache(maxsize=2048)
def without_secrets(text: str) -> str:
    """``text`` with every secret in it replaced by ``***``."""
    if len(text) > _LONG_TEXT:
        text = text[:_LONG_TEXT] + "..."
    text = _without_plain(text)
    return _PARAMETER.sub(_encoded, text) if "%" in text else text


def _without_plain(text: str) -> str:
    """``text`` without the secrets in it that are not encoded."""
    if "://" in text:
        text = _USER_INFO.sub(rf"\1:{MASK}@", text)
        text = _QUERY_CODE.sub(rf"\1={MASK}", text)
    text = without_named(text, is_secret_name)
    if len(text) < 12:
        return text
    if _SCHEME_HINT.search(text):
        text = _SCHEME.sub(rf"\1 {MASK}", text)
    if _LONG_WORD.search(text):
        text = _DENSE.sub(_dense, _SHAPES.sub(MASK, text))
    if "..." in text:
        text = _CUT.sub(_cut, text)
    return text


def without_named(text: str, hides: Callable[[str], bool]) -> str:
    """``text`` without the values whose names ``hides`` says are secret."""
    for signs, names, values in _FORMS:
        if any(sign in text for sign in signs):
            text = _without_values(text, hides, names, values)
    return text


def _without_values(
    text: str, hides: Callable[[str], bool], names: re.Pattern[str], values: re.Pattern[str]
) -> str:
    parts, start, position = [], 0, 0
    while found := names.search(text, position):
        position = found.end()
        value = values.match(text, position) if hides(found[1]) else None
        if value is not None:
            parts.append(f"{text[start:position]}{MASK}")
            start = position = value.end()
    return "".join((*parts, text[start:]))


def _encoded(match: re.Match[str]) -> str:
    """Hides the value of a parameter that is a secret once its percent signs are read."""
    if "%" not in match[0]:
        return match[0]
    plain = unquote_plus(unquote_plus(match[0]))
    if _without_plain(plain) == plain:
        return match[0]
    name, found, _ = match[0].partition("=")
    return f"{name}={MASK}" if found and "%" not in name else MASK


def _cut(match: re.Match[str]) -> str:
    """Hides both ends of a word that was cut, if one of them looks like a part of a secret."""
    head, tail = _SEGMENTS.split(match[1])[-1], _SEGMENTS.split(match[2])[0]
    secret = _STARTS.match(head) or any(len(end) >= 6 and _changes(end) for end in (head, tail))
    if not secret:
        return match[0]
    before, after = match[1][: len(match[1]) - len(head)], match[2][len(tail) :]
    return f"{before}{MASK}...{MASK}{after}"


def _dense(match: re.Match[str]) -> str:
    """Hides the parts of a path, or of a pair, that look as if drawn at random."""
    parts = _SEPARATORS.split(match[0])
    if len(parts) == 1:
        return MASK if _random(match[0]) else match[0]
    return "".join(MASK if _random(part) else part for part in parts)


@functools.lru_cache(maxsize=2048)
def _random(text: str) -> bool:
    """Whether a word looks as if drawn at random: long, changing between letters and digits.

    ``CamelCase2Names`` and ``names_of_words_1`` change seldom; hashes and keys at every other place.
    """
    if len(text) < 20:
        return False
    if _HEX.fullmatch(text):
        return len(text) >= 32 and _entropy(text) > 3.0
    return _changes(text) and _entropy(text) > 3.2


def _changes(text: str) -> bool:
    """Whether letters, capitals and digits take turns as they do in keys, and not in names."""
    classes = [_class(char) for char in text if char.isalnum()]
    if "digit" not in classes or len(set(classes)) < 2:
        return False
    changes = sum(one != two and (one, two) != ("upper", "lower") for one, two in pairwise(classes))
    return changes >= 0.25 * len(classes)


def _class(char: str) -> str:
    return "digit" if char.isdigit() else "upper" if char.isupper() else "lower"


def _entropy(text: str) -> float:
    """Bits per character."""
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
