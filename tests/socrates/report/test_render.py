"""The one way in: every format answers, unknown ones are refused, and imports stay lazy."""

from __future__ import annotations

import subprocess
import sys

import pytest

from socrates.errors import SocratesError
from socrates.findings import CheckResult
from socrates.report import FORMATS, ReportContext, render


def test_formats_are_those_that_users_know() -> None:
    assert FORMATS == (
        "full",
        "concise",
        "grouped",
        "json",
        "json-lines",
        "sarif",
        "github",
        "gitlab",
        "junit",
        "html",
    )


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_ends_with_a_line_end(
    output_format: str, result: CheckResult, context: ReportContext
) -> None:
    assert render(result, output_format, context).endswith("\n")


@pytest.mark.parametrize("output_format", FORMATS)
def test_every_format_is_deterministic(
    output_format: str, result: CheckResult, context: ReportContext
) -> None:
    assert render(result, output_format, context) == render(result, output_format, context)


def test_unknown_format_is_refused_with_the_choice(context: ReportContext) -> None:
    with pytest.raises(SocratesError, match="no format 'xml'; choose one of full, concise"):
        render(CheckResult(), "xml", context)


def test_json_imports_no_terminal_library() -> None:
    code = (
        "import sys; from pathlib import Path; from socrates.findings import CheckResult;"
        "from socrates.report import ReportContext, render;"
        "render(CheckResult(), 'json', ReportContext(Path()));"
        "sys.exit(sorted({'rich', 'libcst', 'astroid', 'pytest'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
