"""JUnit XML: one test case per test; a defect that fails the run is a failure, others are output."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from socrates_amplify.model.results import FoundDefect, RunResult, Status, TestResult
from socrates_amplify.report.context import ReportContext
from socrates_amplify.report.explain import explanations

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LEFT_OUT = frozenset(
    {Status.SMELLY, Status.NO_TARGETS, Status.FAILING, Status.FLAKY, Status.NOT_RUN}
)


def render(run: RunResult, context: ReportContext) -> str:
    """The run as one ``testsuites`` document."""
    suite = ElementTree.Element(
        "testsuite",
        name="socrates amplify",
        tests=str(len(run.tests)),
        failures=str(sum(any(_fails(run, found) for found in test.defects) for test in run.tests)),
        errors=str(run.count(Status.ERROR)),
        skipped=str(sum(test.status in _LEFT_OUT for test in run.tests)),
        time=f"{run.duration:.3f}",
    )
    for test in run.tests:
        suite.append(_case(run, test))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _fails(run: RunResult, found: FoundDefect) -> bool:
    return run.fails(found)


def _case(run: RunResult, test: TestResult) -> ElementTree.Element:
    path, _, name = test.nodeid.partition("::")
    *classes, function = name.split("::") if "[" not in name else _split_parametrized(name)
    module = path.removesuffix(".py").replace("/", ".")
    case = ElementTree.Element(
        "testcase",
        classname=_legal(".".join([module, *classes])),
        name=_legal(function or test.nodeid),
        time=f"{test.duration:.3f}",
    )
    for found in test.defects:
        if _fails(run, found):
            failure = found.defect.failure
            element = ElementTree.SubElement(
                case,
                "failure",
                type=_legal(failure.type),
                message=_legal(f"{_meaning(found)}{failure.type}: {failure.told}"),
            )
            element.text = _legal(_story(test, found))
    others = [found for found in test.defects if not _fails(run, found)]
    if shown := [found for found in others if found.severity.at_least(run.min_severity)]:
        stories = "\n\n".join(f"{_meaning(found)}\n{_story(test, found)}" for found in shown)
        ElementTree.SubElement(case, "system-out").text = _legal(stories)
    if test.status is Status.ERROR:
        ElementTree.SubElement(case, "error", type="error", message=_legal(test.note))
    elif test.status in _LEFT_OUT:
        reason = f"{test.status.value}: {', '.join(test.smells) or test.note}".rstrip(": ")
        ElementTree.SubElement(case, "skipped", type=test.status.value, message=_legal(reason))
    return case


def _meaning(found: FoundDefect) -> str:
    """``warning unprepared (group 3f2a): ``."""
    judgement = found.judgement
    if judgement is None:
        return ""
    return f"{judgement.severity.value} {judgement.kind.value} (group {judgement.group}): "


def _split_parametrized(name: str) -> list[str]:
    """The parts of ``Class::test[a::b]``: what stands in the brackets is not a part."""
    bare, bracket, parameters = name.partition("[")
    parts = bare.split("::")
    return [*parts[:-1], parts[-1] + bracket + parameters]


def _story(test: TestResult, found: FoundDefect) -> str:
    lines = [
        f"{fault.what}  {fault.sender} -> {fault.receiver}  {fault.message}  {why}"
        for fault, why in explanations(test, found)
    ]
    return "\n".join([*lines, found.defect.failure.location, f"replay: {found.command}"])


def _legal(text: str) -> str:
    """``text`` without what XML 1.0 cannot hold."""
    return _ILLEGAL.sub("\ufffd", text)
