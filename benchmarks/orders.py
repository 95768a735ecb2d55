"""Order bugs of ``benchmarks/orders``: how soon each is found, how small it is, how often it repeats.

    python benchmarks/orders.py                            everything, about half an hour
    python benchmarks/orders.py --quick                    few repetitions, some minutes
    python benchmarks/orders.py --only search -k barber    one part, for some subjects
    python benchmarks/orders.py --only ""                  only tell what was measured before

Parts: ``search`` (the default search on each bug and its repaired twin), ``repeats`` (the same verdict,
also under load, and replays), ``plain`` (fresh processes), ``repeat`` (pytest-repeat, with the Python of
``--repeat-python``), ``frontrun`` and ``simloom`` (where they apply, from a virtual environment each),
``chance`` (random orders under control), ``delays`` (random delays of 100, 200 and 300 ms
before deliveries), ``coverage`` (pairs that are seen in both orders), ``costs`` (what tracing and
control cost rings of actors, threads and tasks, by ``--rounds``). Numbers
are kept in ``benchmarks/results/orders.json``, so that parts can be measured one after the
other; tables and bars are of all that is there. Exits with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from orders_lab import costs, rivals, searching, told
from orders_lab.coverage import measure_coverage
from orders_lab.subjects import Subject, open_runner, subjects

from socrates_amplify.model.kinds import DEFAULT_KINDS
from socrates_amplify.run.suite_runner import SuiteRunner

RESULTS = Path(__file__).parent / "results"
PARTS = (
    *("search", "repeats", "plain", "repeat", "chance", "coverage"),
    *("frontrun", "simloom", "delays", "costs"),
)
Measure = Callable[[SuiteRunner, Subject], dict[str, Any]]


def arguments() -> argparse.Namespace:
    """What to measure, and how often."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-k", dest="name", default="", help="subjects with this in their name")
    parser.add_argument("--only", default=",".join(PARTS), metavar="PARTS")
    parser.add_argument("--quick", action="store_true", help="few repetitions of everything")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--plain", type=int, default=1000)
    parser.add_argument("--count", type=int, default=1000, help="runs of pytest-repeat")
    parser.add_argument("--repeat-python", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--frontrun", default="", metavar="VENV", help="where it is installed")
    parser.add_argument("--simloom", default="", metavar="VENV", help="where it is installed")
    parser.add_argument("--chances", type=int, default=50)
    parser.add_argument("--series", type=int, default=10, help="of delayed runs, as in the paper")
    parser.add_argument(
        "--patience",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="of a series of delayed runs",
    )
    parser.add_argument("--rounds", type=int, default=9, help="of each ring")
    args = parser.parse_args()
    if args.quick:
        args.rounds = 5
        args.repeats, args.replays, args.plain, args.count = 4, 10, 50, 100
        args.chances, args.series, args.patience = 20, 2, 20.0
    unknown = set(filter(None, args.only.split(","))) - set(PARTS)
    if unknown:
        parser.error(f"--only {args.only}: parts are {', '.join(PARTS)}")
    return args


def measures(args: argparse.Namespace) -> dict[str, Measure]:
    """What is measured subject by subject."""
    return {
        "search": lambda run, one: searching.measure_search(run, one, args.repeats),
        "repeats": lambda run, one: searching.measure_repeats(run, one, args.repeats, args.replays),
        "plain": lambda run, one: rivals.measure_plain(run, one, args.plain),
        "repeat": lambda run, one: rivals.measure_repeat(args.repeat_python, one, args.count),
        "chance": lambda run, one: rivals.measure_chance(run, one, args.chances, args.series),
        "coverage": lambda run, one: measure_coverage(run, one, args.chances),
        "frontrun": lambda run, one: rivals.measure_tool(args.frontrun, "frontrun", one),
        "simloom": lambda run, one: rivals.measure_tool(args.simloom, "simloom", one),
    }


def kept(file: Path, results: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """All numbers that are known, these new ones among them."""
    known: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}
    together = {name: known.get(name, {}) | results.get(name, {}) for name in {**known, **results}}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(together, indent=2))
    return together


def main() -> int:
    """Measure what is asked for, and tell everything that is known."""
    args = arguments()
    results: dict[str, dict[str, Any]] = {}
    parts = list(filter(None, args.only.split(",")))
    say = partial(print, file=sys.stderr, flush=True)
    with ExitStack() as stack:
        runner = stack.enter_context(open_runner())
        everyone, chosen = subjects(runner.tests), subjects(runner.tests, args.name)
        runners = {DEFAULT_KINDS: runner}
        for kinds in {one.kinds for one in chosen} - {DEFAULT_KINDS}:
            runners[kinds] = stack.enter_context(open_runner(kinds=kinds))
        for part, measure in measures(args).items():
            for subject in chosen if part in parts else ():
                if part == "coverage" and not subject.of_paper:
                    continue  # delays of threads leave no trace of their operations
                found = measure(runners[subject.kinds], subject)
                results.setdefault(subject.name, {})[part] = found
                say(f"{part} {subject.title}: {found}")
    if "delays" in parts:
        alone = [subject for subject in chosen if subject.by_order_alone]
        for subject, delay, one in rivals.measure_delays(alone, args.series, args.patience):
            say(f"delays of {delay} ms {subject.title}: {one}")
            results.setdefault(subject.name, {}).setdefault("delays", {})[delay] = one
            kept(RESULTS / "orders.json", results)  # this part takes longest
    if "costs" in parts:
        results[costs.NAME] = {"costs": costs.measure_costs(args.rounds)}
    results = kept(RESULTS / "orders.json", results)
    print("\n".join((*told.tables(everyone, results), *costs.table(results))), end="\n\n")
    told.plot(RESULTS / "orders.svg", everyone, results)
    bars = [*told.bars(everyone, results), *costs.bars(results)]
    for what, met in bars:
        print({True: "met     ", False: "MISSED  ", None: "        "}[met] + what)
    return 1 if any(met is False for _, met in bars) else 0


if __name__ == "__main__":
    sys.exit(main())
