"""Clients that send nonsense or go away: the server answers or ends, and never stays behind."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys

import pytest

PATIENCE = 60


@pytest.fixture
def server(start):
    """A server that was introduced to its client."""
    client = start()
    client.initialize()
    return client


@pytest.fixture
def unread(tmp_path):
    """A server whose output nobody will ever read."""
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "socrates", "lsp"]
    process = subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    os.close(reading)
    yield process
    process.kill()
    process.wait(PATIENCE)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()


def test_orderly_end_exits_with_0(server):
    assert server.end() == 0


def test_exit_without_shutdown_exits_with_1(server):
    server.notify("exit")
    assert server.process.wait(PATIENCE) == 1


def test_closed_input_ends_it(server):
    server.hang_up()
    assert server.process.wait(PATIENCE) == 1


def test_closed_input_before_the_first_message_ends_it(start):
    client = start()
    client.hang_up()
    assert client.process.wait(PATIENCE) == 1


def test_client_that_reads_nothing_ends_it(unread):
    unread.stdin.write(b"Content-Length: 2\r\n\r\n{}")
    unread.stdin.flush()
    assert unread.wait(PATIENCE) == 1


@pytest.mark.skipif(os.name != "posix", reason="processes are watched on POSIX only")
def test_dead_client_ends_it_although_the_pipe_is_open(start):
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    client = start()
    client.initialize(processId=parent.pid)
    parent.communicate(b"\n", timeout=120)
    assert client.process.wait(PATIENCE) == 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: me\r\n\r\n", id="another protocol"),
        pytest.param(b"\x00\xff\xfe" * 5000, id="bytes without lines"),
        pytest.param(b"Content-Length: 99999999999\r\n\r\n", id="a huge message"),
        pytest.param(b"Content-Length: " + b"9" * 40 + b"\r\n\r\n{", id="a length beyond reason"),
        pytest.param(b"Content-Length: minus one\r\n\r\n", id="a length that is no number"),
    ],
)
def test_frame_that_can_not_be_read_is_answered_and_ends_it(server, data):
    server.send_bytes(data)
    server.hang_up()
    assert server.wait(lambda message: "error" in message)["id"] is None
    assert server.process.wait(PATIENCE) == 1


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"{nonsense", id="no JSON"),
        pytest.param(b"[1, 2]", id="no object"),
        pytest.param(b'{"method": "x", "id": 1}', id="no JSON-RPC"),
        pytest.param(b"[" * 100_000, id="nested too deeply"),
        pytest.param(b"\xff\xfe\xfd", id="no UTF-8"),
    ],
)
def test_message_that_makes_no_sense_is_answered_and_the_next_one_works(client, body):
    client.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    assert client.wait(lambda message: "error" in message)["id"] is None
    assert client.actions("file:///nowhere/test_a.py", 0) == []


def test_unknown_method_without_parameters_is_unknown(client):
    client.send(id=99, method="socrates/unheardOf")
    assert client.answer(99)["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        pytest.param("socrates/unheardOf", {}, -32601, id="unknown method"),
        pytest.param("textDocument/hover", {"position": "here"}, -32602, id="wrong parameters"),
        pytest.param("textDocument/codeAction", None, -32602, id="no parameters"),
    ],
)
def test_request_that_can_not_be_served_is_refused(client, method, params, code):
    assert client.answer(client.ask(method, params))["error"]["code"] == code
    assert client.actions("file:///nowhere/test_a.py", 0) == []


def test_headers_may_be_spelt_in_any_case(start):
    client = start()
    body = b'{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"capabilities":{}}}'
    head = b"content-type: application/vscode-jsonrpc\r\ncontent-length:%d\r\n\r\n" % len(body)
    client.send_bytes(head + body)
    assert client.answer(7)["result"]["serverInfo"]["name"] == "socrates"


def test_unnamed_buffer_is_left_alone(client):
    item = {"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": "x"}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert client.actions("untitled:Untitled-1", 0) == []


def test_change_of_a_file_that_was_never_opened_is_survived(client, tmp_path):
    uri = (tmp_path / "test_a.py").as_uri()
    client.change(uri, "x = 1\n", 2)
    assert client.actions(uri, 0) == []


def test_what_others_print_does_not_reach_the_client(tmp_path):
    code = (
        "from socrates.lsp.streams import take_stdio\n"
        "source, sink = take_stdio()\n"
        "print('noise')\n"
        "sink.write(b'message')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, timeout=120
    )
    assert (ran.stdout, ran.stderr) == (b"message", b"noise\n")


def test_missing_pygls_is_one_line_with_the_command_that_installs_it(tmp_path):
    code = (
        "import sys; sys.modules['pygls'] = None\n"
        "from socrates.cli import main; sys.exit(main(['lsp']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        input="",
        timeout=120,
    )
    assert ran.returncode == 2
    assert ran.stderr == (
        "socrates: error: lsp: needs pygls; install it with `pip install 'pygls>=2.0'`\n"
    )
