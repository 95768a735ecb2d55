"""Which threads of an ordinary run make it worth a run under control."""

from __future__ import annotations

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from multiprocessing.pool import ThreadPool

import pytest

from socrates_amplify.probes.orders.probe import OrdersProbe
from socrates_amplify.record.recorder import Recorder


def starts_a_thread() -> None:
    thread = threading.Thread(target=len, args=("",))
    thread.start()
    thread.join()


def hands_work_to_an_executor() -> None:
    with ThreadPoolExecutor(1) as pool:
        pool.submit(len, "").result()


def hands_work_to_a_pool_of_threads() -> None:
    with ThreadPool(1) as pool:
        pool.apply(len, ("",))
        pool.close()
        pool.join()


def sends_to_another_process() -> None:
    queue: multiprocessing.Queue[str] = multiprocessing.Queue()
    queue.put("work")
    queue.get()
    queue.close()
    queue.join_thread()


def asks_a_server_in_a_thread() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (starts_a_thread, True),
        (hands_work_to_an_executor, True),
        (hands_work_to_a_pool_of_threads, True),
        (sends_to_another_process, False),
        (asks_a_server_in_a_thread, False),
    ],
)
def test_threads_that_run_code_of_the_project_are_noticed(
    code: Callable[[], None], expected: bool
) -> None:
    recorder = Recorder()
    undo = OrdersProbe().install(recorder, {})
    code()
    undo()
    assert recorder.concurrent is expected
