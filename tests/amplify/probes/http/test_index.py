"""Which call is which: a retry, a loop and a fallback are told apart, in every run."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import httpx
import pytest
import requests

from socrates_amplify.probes.http.calls.outgoing import Outgoing

PATHS = ("/a", "/b", "/c")


def try_twice(url: str, **kwargs: object) -> int:
    """One call, made again if it failed."""
    for _ in range(2):
        try:
            return requests.get(url, timeout=5, **kwargs).status_code
        except requests.RequestException:
            continue
    return 0


def said(ran) -> list[tuple[str, str]]:
    """The calls of a run, each with its target."""
    return [(call.message, call.target) for call in ran.calls]


def named(ran) -> dict[str, str]:
    """The first target of each call."""
    return dict(reversed(said(ran)))


def test_a_retry_in_a_loop_is_not_taken_for_the_next_call(run, shop) -> None:
    def code() -> None:
        for path in PATHS:
            try_twice(f"{shop.url}{path}")

    control = run(code)
    fault = control.fault("connection-error")
    assert named(run(code, [fault], known=control.trace)) == named(control)


def test_a_retry_is_not_taken_for_the_next_call_that_says_something_else(run, shop) -> None:
    def code() -> None:
        for number in range(3):
            try_twice(f"{shop.url}/search", json={"page": number})

    control = run(code)
    fault = control.fault("connection-error")
    ran = run(code, [fault], known=control.trace)
    first, _, *others = [call.target for call in ran.calls]
    assert [first, *others] == [call.target for call in control.calls]


def quote(url: str, path: str) -> int:
    """A call, and if it fails a fallback."""
    try:
        return requests.get(f"{url}{path}", timeout=5).status_code
    except requests.RequestException:
        return fallback(url, path)


def fallback(url: str, path: str) -> int:
    """The same question elsewhere; no status if that fails too."""
    try:
        return requests.post(f"{url}{path}", timeout=5).status_code
    except requests.RequestException:
        return 0


def test_a_fault_of_one_fallback_does_not_hit_that_of_another_call(run, shop) -> None:
    def code() -> list[int]:
        return [quote(shop.url, path) for path in PATHS]

    control = run(code)
    first, _, third = control.faults("connection-error")
    fallback_of_first = run(code, [first], known=control.trace).faults("timeout")[1]
    ran = run(code, [third, fallback_of_first], known=control.trace)
    assert (ran.result, len(ran.recorder.unapplied)) == ([200, 200, 200], 1)


def test_a_call_whose_path_has_another_number_in_every_run_is_found_again(run, shop) -> None:
    numbers = iter((83742, 11234))

    def code() -> int:
        return quote(shop.url, f"/orders/{next(numbers)}")

    control = run(code)
    ran = run(code, [control.fault("status:503")], known=control.trace)
    assert ran.result == 503


def test_calls_of_a_pool_of_threads_have_the_same_targets_in_every_run(run, shop) -> None:
    def code() -> list[int]:
        with ThreadPoolExecutor(3) as pool:
            return list(pool.map(lambda path: try_twice(f"{shop.url}{path}"), PATHS))

    control = run(code)
    faults = control.faults("connection-error")[:1]
    runs = [run(code, faults, known=control.trace) for _ in range(20)]
    assert len({tuple(sorted(said(ran))) for ran in runs}) == 1


@pytest.mark.parametrize("fails", [False, True], ids=["without faults", "with a retry"])
def test_calls_that_are_gathered_have_the_same_targets_in_every_run(run, shop, fails) -> None:
    async def ask(client: httpx.AsyncClient, path: str) -> int:
        for _ in range(2):
            try:
                return (await client.get(f"{shop.url}{path}")).status_code
            except httpx.HTTPError:
                continue
        return 0

    async def gathered() -> list[int]:
        async with httpx.AsyncClient(timeout=5) as client:
            return await asyncio.gather(*(ask(client, path) for path in PATHS))

    def code() -> list[int]:
        return asyncio.run(gathered())

    control = run(code)
    faults = control.faults("connection-error")[1:2] if fails else []
    runs = [run(code, faults, known=control.trace) for _ in range(20)]
    assert len({tuple(sorted(said(ran))) for ran in runs}) == 1


def of_the_test(shop, pool: ThreadPoolExecutor | None = None) -> None:
    """Calls that only a task or a thread makes, as asked for by this file."""

    async def both() -> None:
        async with httpx.AsyncClient() as client:
            await asyncio.gather(client.get(f"{shop.url}/1"), client.get(f"{shop.url}/2"))

    if pool is None:
        asyncio.run(both())
    else:
        pool.submit(requests.get, f"{shop.url}/1", timeout=5).result()


@pytest.mark.parametrize("pooled", [True, False], ids=["pool", "tasks"])
def test_what_a_test_hands_to_a_task_or_a_pool_is_its_own_call(run, shop, pooled: bool) -> None:
    def code() -> None:
        with ThreadPoolExecutor(1) as pool:
            of_the_test(shop, pool if pooled else None)

    calls = run(code, config={"test-calls": False}).calls
    assert {call.internal for call in calls} == {True}


def module_at(path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module of this source, loaded from this file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(source, str(path), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, path.stem, module)
    return module


def test_what_production_code_hands_to_a_thread_is_not(run, shop, tmp_path, monkeypatch) -> None:
    source = "import asyncio\nasync def fetch(f, *a): await asyncio.to_thread(f, *a)\n"
    prices = module_at(tmp_path / "prices.py", source, monkeypatch)

    def code() -> None:
        asyncio.run(prices.fetch(requests.get, f"{shop.url}/1"))

    calls = run(code, config={"test-calls": False}).calls
    assert [call.internal for call in calls] == [False]


LIBRARY = """\
import asyncio
import sys
async def get(client, url): await client.get(url)
async def watch(client, url): await asyncio.create_task(get(client, url))
"""


@pytest.mark.parametrize("asks", ["prices", "lib"])
def test_call_that_a_library_makes_in_a_task_is_of_who_asked_it(
    run, shop, tmp_path, monkeypatch, asks: str
) -> None:
    source = "async def watch(lib, *a): await lib.watch(*a)\n"
    prices = module_at(tmp_path / "prices.py", source, monkeypatch)
    lib = module_at(tmp_path / "site-packages" / "lib.py", LIBRARY, monkeypatch)

    async def watched() -> None:
        async with httpx.AsyncClient() as client:
            url = f"{shop.url}/1"
            await (prices.watch(lib, client, url) if asks == "prices" else lib.watch(client, url))

    def code() -> None:
        loop = asyncio.new_event_loop()
        loop.run_until_complete(watched())
        loop.close()

    calls = run(code, config={"test-calls": False}).calls
    assert [call.internal for call in calls] == [asks == "lib"]


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        pytest.param("at=1763430000", "at=1763430001", True, id="seconds"),
        pytest.param("at=1763430000123&b=1", "at=1763430001456&b=1", True, id="milliseconds"),
        pytest.param("at=2026-11-18T02%3A26%3A51Z", "at=2026-11-18T02%3A26%3A52Z", True, id="date"),
        pytest.param("id=7", "id=8", False, id="number"),
        pytest.param("id=17634300001", "id=17634300002", False, id="long number"),
        pytest.param("q=a%3D1", "q=a%3D2", False, id="text"),
    ],
)
def test_clocks_in_queries_do_not_make_another_call(one: str, two: str, same: bool) -> None:
    urls = (f"http://shop/state?{query}" for query in (one, two))
    assert (len({Outgoing("httpx", "GET", url).digest for url in urls}) == 1) is same
