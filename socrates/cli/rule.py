"""``socrates rule``: a rule explained from its own docstring and examples."""

from __future__ import annotations

import argparse
import json

from socrates import registry
from socrates.cli import markdown, terminal
from socrates.errors import SocratesError
from socrates.explain import as_data
from socrates.explain import markdown as page_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates rule``."""
    parser.add_argument("rule", nargs="?", metavar="CODE|NAME", help="such as SOC101 or eager-test")
    parser.add_argument("--all", action="store_true", help="every rule")
    parser.add_argument("--output-format", choices=("text", "json"), default="text")
    markdown.add_color_option(parser)


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0."""
    rules = registry.installed()
    if bool(args.rule) is bool(args.all):
        raise SocratesError("rule: give a code or a name, or --all")
    chosen = list(rules) if args.all else [rules.find(args.rule)]
    if args.output_format == "json":
        data = [as_data(rule, rules.plugin_of(rule)) for rule in chosen]
        terminal.write_stdout(json.dumps(data if args.all else data[0], indent=2) + "\n")
        return 0
    text = "\n---\n\n".join(page_of(rule, rules.plugin_of(rule)) for rule in chosen)
    markdown.show(text, args.color)
    return 0
