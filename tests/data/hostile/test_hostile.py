"""Tests that do to their process, and to our files, what tests should not, and leave it so."""

import builtins
import faulthandler
import gc
import io
import json
import os
import resource
import shutil
import signal
import sys
import threading
from pathlib import Path

import pytest
import requests_mock
from shop import price

HERE = Path(__file__).parent
DEEDS = []


def deed(function):
    DEEDS.append(function)
    return function


def broken(*args, **kwargs):
    raise RuntimeError("broken by a test")


@deed
def removes_our_folder(tmp_path):
    shutil.rmtree(HERE / ".socrates", ignore_errors=True)


@deed
def removes_our_store(tmp_path):
    for path in (HERE / ".socrates").glob("store*"):
        path.unlink()


@deed
def removes_temporary_folders(tmp_path):
    shutil.rmtree(tmp_path.parent.parent.parent, ignore_errors=True)


@deed
def closes_descriptors(tmp_path):
    os.closerange(3, 256)


@deed
def closes_standard_streams(tmp_path):
    os.closerange(0, 3)


@deed
def writes_everywhere(tmp_path):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\xff" * 100)
        except OSError:
            pass


@deed
def writes_a_message_everywhere(tmp_path):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\0\0\0\2\0\0\0\2{}{}")
        except OSError:
            pass


@deed
def replaces_json(tmp_path):
    json.dumps = json.loads = json.dump = json.load = broken
    json.JSONEncoder.encode = json.JSONEncoder.iterencode = broken


@deed
def replaces_open(tmp_path):
    builtins.open = io.open = os.open = Path.open = broken


@deed
def replaces_writing(tmp_path):
    os.write = os.read = os.close = os.replace = broken


@deed
def replaces_processes(tmp_path):
    os._exit = os.kill = os.getpid = os.fork = signal.signal = broken


@deed
def replaces_streams(tmp_path):
    sys.stdout = sys.stderr = None


@deed
def replaces_hooks(tmp_path):
    sys.excepthook = sys.unraisablehook = threading.excepthook = broken


@deed
def replaces_threads(tmp_path):
    threading.Thread = threading.Lock = threading.RLock = threading.Condition = broken


@deed
def replaces_print(tmp_path):
    builtins.print = None


@deed
def replaces_builtins(tmp_path):
    builtins.len = builtins.isinstance = builtins.getattr = builtins.str = broken


@deed
def ends_its_process(tmp_path):
    os._exit(0)


@deed
def is_ended_by_an_alarm(tmp_path):
    signal.signal(signal.SIGALRM, lambda *_: os._exit(9))
    # Again and again: the first may come just before the pause, which nothing would end then.
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    signal.pause()


@deed
def leaves_an_alarm(tmp_path):
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 3600)


@deed
def ignores_signals(tmp_path):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)


@deed
def becomes_a_session(tmp_path):
    os.setsid()


@deed
def is_ended_by_faulthandler(tmp_path):
    faulthandler.dump_traceback_later(0.001, exit=True)
    signal.pause()


@deed
def forbids_recursion(tmp_path):
    sys.setrecursionlimit(10)


@deed
def leaves_little_recursion(tmp_path):
    limit = 10
    while sys.getrecursionlimit() > limit:
        try:
            sys.setrecursionlimit(limit)
        except RecursionError:
            limit += 1


@deed
def disables_gc(tmp_path):
    gc.disable()


@deed
def loses_its_folder(tmp_path):
    os.chdir(tmp_path)
    os.rmdir(tmp_path)


@deed
def fills_the_disk(tmp_path):
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))


@deed
def forgets_modules(tmp_path):
    sys.modules.clear()


@deed
def clears_the_environment(tmp_path):
    os.environ.clear()


@deed
def kills_itself(tmp_path):
    os.kill(os.getpid(), signal.SIGKILL)


@deed
def leaves_a_thread(tmp_path):
    threading.Thread(target=threading.Event().wait).start()


@deed
def does_nothing(tmp_path):
    pass


@pytest.fixture
def prices():
    with requests_mock.Mocker() as mocker:
        mocker.get("http://prices/7", json={"price": 7})
        yield


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.__name__)
def test_hostile(prices, tmp_path, deed):
    assert price() in (7, None)
    deed(tmp_path)
