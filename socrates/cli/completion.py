"""``socrates completion SHELL``: a script made from the parser itself, so that it never lags behind."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable

from socrates import registry
from socrates.classes.lazy import dataclass
from socrates.cli import terminal
from socrates.printable import one_line

_PATH_WORDS = ("FILE", "FOLDER", "PATH", "DIR", "SCENARIO", "GLOB")
_RULE_WORDS = ("RULES", "CODE|NAME")


@dataclass(frozen=True, slots=True)
class Flag:
    """One option: its spellings, the words that may follow, and whether paths may."""

    names: tuple[str, ...]
    help: str
    takes_value: bool
    words: tuple[str, ...] = ()
    paths: bool = False


@dataclass(frozen=True, slots=True)
class Completed:
    """One command with all that can be completed after it."""

    name: str
    help: str
    flags: tuple[Flag, ...]
    words: tuple[str, ...] = ()
    paths: bool = False


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of ``socrates completion``."""
    parser.add_argument("shell", choices=tuple(_SHELLS), help="the shell to write for")
    parser.epilog = 'For bash: eval "$(socrates completion bash)" in ~/.bashrc.'


def run(args: argparse.Namespace) -> int:
    """The command. Returns 0."""
    from socrates.cli.parser import all_commands, build_parser

    parser = build_parser(*all_commands())
    terminal.write_stdout(_SHELLS[args.shell](_flags(parser), _commands(parser)))
    return 0


# argparse offers no public way to list what a parser knows, hence the underscores below.


def _commands(parser: argparse.ArgumentParser) -> list[Completed]:
    found = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: one_line(choice.help or "") for choice in action._choices_actions}
            found = [
                _command(name, helps.get(name, ""), sub) for name, sub in action.choices.items()
            ]
    return found


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Completed:
    positionals = [action for action in parser._actions if not action.option_strings]
    words = [word for action in positionals for word in _words(action)]
    paths = any(_takes_paths(action) for action in positionals)
    return Completed(name, text, _flags(parser), tuple(words), paths)


def _flags(parser: argparse.ArgumentParser) -> tuple[Flag, ...]:
    return tuple(
        Flag(
            tuple(action.option_strings),
            one_line((action.help or "").replace("%%", "%")),
            action.nargs != 0,
            _words(action),
            _takes_paths(action),
        )
        for action in parser._actions
        if action.option_strings and action.help is not argparse.SUPPRESS
    )


def _words(action: argparse.Action) -> tuple[str, ...]:
    if action.choices is not None:
        return tuple(str(choice) for choice in action.choices)
    if action.metavar in _RULE_WORDS:
        names = registry.installed().names.items()
        return tuple(one_line(word) for pair in names for word in pair)
    return ()


def _takes_paths(action: argparse.Action) -> bool:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return action.nargs != 0 and any(word in metavar for word in _PATH_WORDS)


def _bash(top: Iterable[Flag], commands: list[Completed]) -> str:
    names = [command.name for command in commands]
    lines = [
        "_socrates() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"',
        '    local command="" word words="" paths=""',
        '    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        f'        case "$word" in {"|".join(names)}) command="$word"; break;; esac',
        "    done",
        '    case "$command:$prev" in',
    ]
    for command in commands:
        for flag in command.flags:
            if flag.takes_value:
                pattern = "|".join(f"{command.name}:{name}" for name in flag.names)
                lines.append(f"        {pattern}) {_bash_set(flag.words, flag.paths)};;")
    lines += ['        *) case "$command" in']
    lines.append(f"            '') {_bash_set((*names, *_names(top)), False)};;")
    for command in commands:
        words = (*command.words, *_names(command.flags))
        lines.append(f"            {command.name}) {_bash_set(words, command.paths)};;")
    lines += [
        "        esac;;",
        "    esac",
        "    COMPREPLY=()",
        '    if [[ $cur != -* && -n $paths ]]; then mapfile -t COMPREPLY < <(compgen -f -- "$cur"); fi',
        '    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$cur")',
        "}",
        "complete -o filenames -F _socrates socrates",
    ]
    return "\n".join(lines) + "\n"


def _bash_set(words: Iterable[str], paths: bool) -> str:
    return f"words={_quoted(' '.join(words))} paths={'1' if paths else ''}"


def _zsh(top: Iterable[Flag], commands: list[Completed]) -> str:
    lines = [
        "#compdef socrates",
        "",
        "_socrates() {",
        "    local context state line",
        "    _arguments -C \\",
    ]
    lines += [f"        {_zsh_flag(flag)} \\" for flag in top]
    lines += [
        "        '1: :->command' '*:: :->arguments'",
        "    case $state in",
        "    command)",
        "        local -a commands=(",
    ]
    lines += [f"            {_quoted(_zsh_text(item.name, item.help))}" for item in commands]
    lines += [
        "        )",
        "        _describe command commands;;",
        "    arguments)",
        "        case $line[1] in",
    ]
    for item in commands:
        lines.append(f"        {item.name})")
        lines.append("            _arguments \\")
        lines += [f"                {_zsh_flag(flag)} \\" for flag in item.flags]
        lines.append(f"                {_zsh_rest(item)};;")
    lines += ["        esac;;", "    esac", "}", "", "compdef _socrates socrates"]
    return "\n".join(lines) + "\n"


def _zsh_flag(flag: Flag) -> str:
    text = re.sub(r"[\[\]:]", " ", flag.help)
    value = ""
    if flag.takes_value:
        value = (
            f": :({' '.join(flag.words)})"
            if flag.words
            else ":value:" + ("_files" if flag.paths else "")
        )
    return " ".join(_quoted(f"*{name}[{text}]{value}") for name in flag.names)


def _zsh_rest(item: Completed) -> str:
    if item.words:
        return _quoted(f"*: :({' '.join(item.words)})")
    return _quoted("*:path:_files") if item.paths else _quoted("*: :")


def _zsh_text(name: str, text: str) -> str:
    return f"{name}:{text.replace(':', ' ')}"


def _fish(top: Iterable[Flag], commands: list[Completed]) -> str:
    none = "__fish_use_subcommand"
    lines = ["complete -c socrates -f"]
    lines += [_fish_flag(flag, none) for flag in top]
    for item in commands:
        lines.append(f"complete -c socrates -n {none} -a {item.name} -d {_fish_quoted(item.help)}")
    for item in commands:
        seen = f"'__fish_seen_subcommand_from {item.name}'"
        lines += [_fish_flag(flag, seen) for flag in item.flags]
        if item.words:
            lines.append(f"complete -c socrates -n {seen} -a {_fish_quoted(' '.join(item.words))}")
        if item.paths:
            lines.append(f"complete -c socrates -n {seen} -F")
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Flag, condition: str) -> str:
    parts = [f"complete -c socrates -n {condition}"]
    parts += [
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in flag.names
    ]
    if flag.takes_value:
        parts.append("-r")
        if flag.words:
            parts.append(f"-a {_fish_quoted(' '.join(flag.words))}")
        if flag.paths:
            parts.append("-F")
    parts.append(f"-d {_fish_quoted(flag.help)}")
    return " ".join(parts)


def _names(flags: Iterable[Flag]) -> list[str]:
    return [name for flag in flags for name in flag.names]


def _quoted(text: str) -> str:
    """In single quotes for bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SHELLS: dict[str, Callable[[Iterable[Flag], list[Completed]], str]] = {
    "bash": _bash,
    "zsh": _zsh,
    "fish": _fish,
}
