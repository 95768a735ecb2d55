"""A cluster of Ray and the nodes that an executor takes from it, with a stand-in for Ray."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from socrates.errors import SocratesError
from socrates_amplify.executors.base import Suite
from socrates_amplify.executors.cancelling import Cancelled
from socrates_amplify.executors.ray import cluster as clusters
from socrates_amplify.executors.ray import executor as executors
from socrates_amplify.executors.ray.cluster import Cluster, Place, Unreachable
from socrates_amplify.executors.ray.executor import RayExecutor, _Member
from socrates_amplify.executors.ray.versions import about_here
from socrates_amplify.model.events import Trace, Turn

ONE, TWO = Place("id1", "one", 2), Place("id2", "two", 3)
TRACE = Trace((Turn("A", "t"),))


class RayError(Exception):
    """What Ray raises when a node is lost."""


def never(*given: object, **named: object) -> Any:
    raise AssertionError("nobody asks for this")


class Ray:
    """Says what it is told to, and writes down what it is asked."""

    cloudpickle = SimpleNamespace(register_pickle_by_value=lambda module: None)
    exceptions = SimpleNamespace(RayError=RayError)

    def __init__(self) -> None:
        self.log: list[Any] = []
        self.options: dict[str, object] = {}
        self.variables: dict[str, str] = {}
        self.fails: BaseException | None = None
        self.is_ready = True
        self.says: object = None
        self.alive: list[dict[str, object]] = []

    def init(self, **options: object) -> None:
        self.options = options
        self.variables = dict(os.environ)
        if self.fails is not None:
            raise self.fails

    def nodes(self) -> list[dict[str, object]]:
        return self.alive

    def wait(self, replies: list[object], **given: object) -> tuple[list[object], list[object]]:
        return (replies, []) if self.is_ready else ([], replies)

    def get(self, reply: object) -> object:
        if isinstance(reply, Exception):
            raise reply
        return reply

    def remote(self, *what: object, **groups: object) -> Any:
        """Whatever runs elsewhere says the same."""
        answer = SimpleNamespace(remote=lambda *given: self.says)

        def options(**given: object) -> Any:
            self.log.append(given)
            actor = SimpleNamespace(collect=answer)
            return SimpleNamespace(remote=lambda *asked: actor if groups else self.says)

        return (
            (lambda cls: SimpleNamespace(options=options))
            if groups
            else SimpleNamespace(options=options)
        )

    def kill(self, actor: object) -> None:
        self.log.append(("kill", actor))

    def shutdown(self) -> None:
        self.log.append("shutdown")


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ray:
    made = Ray()
    monkeypatch.setattr(clusters, "load_ray", lambda: made)
    monkeypatch.setattr(clusters, "_hush", lambda: lambda: made.log.append("talks again"))
    monkeypatch.setattr(clusters, "check_address", lambda address: made.log.append(address))
    monkeypatch.setattr(clusters, "_short_folder", lambda: tmp_path / "home")
    monkeypatch.setattr(
        clusters.reaping, "kill_inheritors", lambda *mark: made.log.append(("killed", *mark))
    )
    monkeypatch.setattr(Cluster, "on", lambda self, place: place.id)
    for name in ("RAY_AUTH_MODE", "RAY_USAGE_STATS_ENABLED", "RAY_RUNTIME_ENV_IGNORE_GITIGNORE"):
        monkeypatch.delenv(name, raising=False)
    return made


def test_ray_that_is_not_installed_is_named_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SocratesError, match=r"pip install 'socrates-lint\[ray\]'"):
        clusters.load_ray()


def test_cluster_of_our_own_is_made_in_its_folder(ray: Ray, tmp_path: Path) -> None:
    Cluster("", Path("/p"), ())
    own = {name: ray.options.get(name) for name in ("address", "include_dashboard", "_temp_dir")}
    assert own == {
        "address": None,
        "include_dashboard": False,
        "_temp_dir": str(tmp_path / "home"),
    }


def test_cluster_that_is_there_is_asked_for_by_its_address(ray: Ray) -> None:
    Cluster("10.0.0.1:6379", Path("/p"), ())
    assert (ray.options["address"], "_temp_dir" in ray.options, ray.log) == (
        "10.0.0.1:6379",
        False,
        ["10.0.0.1:6379"],
    )


def test_address_that_ray_finds_itself_is_not_looked_at(ray: Ray) -> None:
    Cluster("auto", Path("/p"), ())
    assert (ray.options["address"], ray.log) == ("auto", [])


def test_project_is_sent_without_output_and_without_the_logs_of_others(ray: Ray) -> None:
    Cluster("auto", Path("/p"), ())
    assert {name: ray.options[name] for name in ("namespace", "log_to_driver", "runtime_env")} == {
        "namespace": "socrates",
        "log_to_driver": False,
        "runtime_env": {
            "working_dir": "/p",
            "env_vars": {"RAY_kill_child_processes_on_worker_exit": "false"},
        },
    }


def test_packages_are_installed_on_nodes_if_asked_for(ray: Ray) -> None:
    Cluster("auto", Path("/p"), ("a==1", "b"))
    environment: Any = ray.options["runtime_env"]
    assert environment["pip"] == ["a==1", "b"]


@pytest.mark.parametrize(
    ("address", "own"), [("", ("disabled", "0")), ("auto", (None, None))], ids=["own", "theirs"]
)
def test_variables_of_ray_are_set_while_it_starts(
    address: str, own: tuple[str | None, str | None], ray: Ray, tmp_path: Path
) -> None:
    Cluster(address, Path("/p"), ())
    names = ("RAY_RUNTIME_ENV_IGNORE_GITIGNORE", "RAY_AUTH_MODE", "RAY_USAGE_STATS_ENABLED")
    during = tuple(ray.variables.get(name) for name in names)
    assert (during, [name in os.environ for name in names]) == (("1", *own), [False] * 3)


def test_processes_of_our_own_cluster_are_marked(ray: Ray, tmp_path: Path) -> None:
    Cluster("", Path("/p"), ())
    assert ray.variables["SOCRATES_CLUSTER"] == str(tmp_path / "home")


@pytest.mark.parametrize(("address", "where"), [("", "--executor ray"), ("auto", "--address auto")])
def test_cluster_that_does_not_start_is_told_in_one_line(
    address: str, where: str, ray: Ray
) -> None:
    ray.fails = RuntimeError("no\nway\nout")
    with pytest.raises(SocratesError, match=f"^{where}: no way$"):
        Cluster(address, Path("/p"), ())
    assert "shutdown" in ray.log


def test_start_that_is_interrupted_leaves_nothing_behind(ray: Ray, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    ray.fails = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        Cluster("", Path("/p"), ())
    killed = ("killed", "SOCRATES_CLUSTER", str(tmp_path / "home"))
    assert (ray.log, (tmp_path / "home").exists()) == (["shutdown", "talks again", killed], False)


def test_cluster_of_others_goes_on(ray: Ray) -> None:
    Cluster("auto", Path("/p"), ()).close()
    assert ray.log == ["shutdown", "talks again"]


def test_nodes_that_are_alive_and_have_a_processor_are_places(ray: Ray) -> None:
    def node(number: int, alive: bool, **resources: float) -> dict[str, object]:
        about = {"NodeID": f"{number}234567", "NodeManagerAddress": "10.0.0.1"}
        return {**about, "Alive": alive, "Resources": resources}

    ray.alive = [node(1, True, CPU=1.0), node(2, False, CPU=8.0), node(3, True, CPU=0.5)]
    ray.alive += [node(4, True)]
    found = Cluster("auto", Path("/p"), ()).places()
    assert found == [Place("1234567", "10.0.0.1 (123456)", 1)]


def test_waiting_ends_when_the_run_does(ray: Ray) -> None:
    made = Cluster("auto", Path("/p"), ())
    made.closing = True
    with pytest.raises(Cancelled):
        made.get("reply")


def test_waiting_has_a_limit(ray: Ray) -> None:
    ray.is_ready = False
    with pytest.raises(TimeoutError):
        Cluster("auto", Path("/p"), ()).get("reply", 0.0)


@pytest.mark.parametrize("seconds", [None, 60.0])
def test_reply_that_is_there_is_given(seconds: float | None, ray: Ray) -> None:
    assert Cluster("auto", Path("/p"), ()).get("reply", seconds) == "reply"


def test_node_with_the_same_packages_is_sound(ray: Ray) -> None:
    ray.says = about_here()
    Cluster("auto", Path("/p"), ()).check(ONE)
    assert ray.log == [{"num_cpus": 0, "scheduling_strategy": "id1", "max_retries": 0}]


def test_node_with_other_packages_is_refused_with_the_way_out(
    ray: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters.ray_versions, "difference", lambda here, there: "has another")
    with pytest.raises(SocratesError, match="node one has another; install the same there, or"):
        Cluster("auto", Path("/p"), ()).check(ONE)


@pytest.mark.parametrize(
    ("said", "told"),
    [(TimeoutError(), "did not answer within 60 s"), (RayError("it died"), "it died")],
    ids=["late", "lost"],
)
def test_node_that_does_not_answer_can_not_be_reached(said: Exception, told: str, ray: Ray) -> None:
    ray.says = said
    with pytest.raises(Unreachable, match=f"node one.*{told}"):
        Cluster("auto", Path("/p"), ()).check(ONE)


@pytest.mark.parametrize(
    ("usual", "expected"), [("/short", "/short"), ("/a/very/long/folder/for/sockets", "/tmp")]
)
def test_sockets_are_in_a_folder_with_a_short_name(
    usual: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters.tempfile, "gettempdir", lambda: usual)
    monkeypatch.setattr(clusters.temporary, "make", Path)
    assert clusters._short_folder() == Path(expected)


@pytest.mark.parametrize("has_it", [True, False])
def test_ray_is_silent_until_it_may_talk_again(
    has_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module: Any = ModuleType("ray._private.worker")
    if has_it:
        module.print_to_stdstream = "prints"
    monkeypatch.setattr(clusters.importlib, "import_module", lambda name: module)
    talk = clusters._hush()
    during = getattr(module, "print_to_stdstream", None)
    talk()
    after = getattr(module, "print_to_stdstream", None)
    assert (during == "prints", after) == (False, "prints" if has_it else None)


class Nodes:
    """A cluster as an executor sees it."""

    def __init__(self, ray: Ray, places: tuple[Place, ...] = (ONE, TWO)) -> None:
        self.ray = ray
        self.closing = False
        self.there = list(places)
        self.problems: dict[str, Exception] = {}
        self.says: dict[str, object] = {}
        self.closed = False
        self._checked = ""

    def places(self) -> list[Place]:
        return self.there

    def check(self, place: Place) -> None:
        self._checked = place.name
        if place.name in self.problems:
            raise self.problems[place.name]

    def on(self, place: Place) -> str:
        return place.name

    def get(self, reply: object, seconds: float | None = None) -> Any:
        said = self.says.get(self._checked, {"tests": ["a"]})
        if isinstance(said, Exception):
            raise said
        return said

    def close(self) -> None:
        self.closed = True


class Local:
    """The executor that collects here."""

    def __init__(self, root: Path) -> None:
        self.rootdir = root
        self.closed = False

    def collect(self) -> list[str]:
        return ["a"]

    def close(self) -> None:
        self.closed = True


class Lab:
    """An executor whose cluster is ``nodes``; its project is empty."""

    def __init__(self, ray: Ray, root: Path) -> None:
        self.nodes = Nodes(ray)
        self.local = Local(root)
        self.ray = ray
        self.executor = RayExecutor(Suite(root / "sub"), lambda name, suite: self.local)  # type: ignore[arg-type,return-value]

    @property
    def used(self) -> list[str]:
        return [member.place.name for member in self.executor._members]


@pytest.fixture
def lab(ray: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lab]:
    made = Lab(ray, tmp_path)
    monkeypatch.setattr(executors, "stage", lambda root, folder, limit: None)
    monkeypatch.setattr(executors, "Cluster", lambda address, folder, pip: made.nodes)
    monkeypatch.setattr(executors.threading, "Thread", AtOnce)
    # The nodes are asked one after the other, so that what each says is its own.
    monkeypatch.setattr(executors, "ThreadPoolExecutor", OneByOne)
    yield made
    made.executor.close()


class AtOnce:
    """A thread that has done its work when it starts."""

    def __init__(self, target: Any, daemon: bool) -> None:
        self.start = target


class OneByOne:
    """Threads that work one after the other."""

    def __init__(self, count: int) -> None:
        self.map = map

    def __enter__(self) -> OneByOne:
        return self

    def __exit__(self, *exc: object) -> None: ...


def test_every_node_that_collects_the_same_is_used(lab: Lab) -> None:
    found = lab.executor.collect()
    assert (found, lab.used, lab.executor.processors) == (["a"], ["one", "two"], 5)


def test_what_collected_here_is_closed(lab: Lab) -> None:
    lab.executor.collect()
    assert (lab.local.closed, lab.executor.rootdir) == (True, lab.local.rootdir)


def test_nodes_are_started_once(lab: Lab) -> None:
    lab.executor.collect()
    lab.executor.collect()
    assert len(lab.ray.log) == 2


def test_actor_of_a_node_runs_as_much_at_once_as_it_has_processors(lab: Lab) -> None:
    lab.executor.collect()
    assert lab.ray.log[1] == {
        "num_cpus": 1,
        "max_restarts": 0,
        "max_concurrency": 3,
        "scheduling_strategy": "two",
    }


def test_node_that_can_not_be_reached_is_left_out_with_a_warning(lab: Lab) -> None:
    lab.nodes.problems = {"one": Unreachable("node one: gone")}
    lab.executor.collect()
    assert (lab.used, lab.executor.warnings) == (["two"], ["node one: gone; it is not used"])


def test_node_that_is_lost_while_it_collects_is_left_out(lab: Lab) -> None:
    lab.nodes.says = {"two": RayError("it died")}
    lab.executor.collect()
    assert (lab.used, lab.executor.warnings) == (["one"], ["node two: it died; it is not used"])


def test_node_without_room_is_left_out_and_its_actor_killed(lab: Lab) -> None:
    lab.nodes.says = {"one": TimeoutError()}
    lab.executor.collect()
    assert (lab.used, lab.ray.log[1][0], lab.executor.warnings) == (
        ["two"],
        "kill",
        ["node one made no room within 60 s; it is not used"],
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"error": "no module named x"}, "node two: no module named x"),
        ({"tests": ["b", "a"]}, "node two collects what is not collected here: b"),
    ],
    ids=["mistake", "other tests"],
)
def test_node_that_differs_ends_the_run(said: object, told: str, lab: Lab) -> None:
    lab.nodes.says = {"two": said}
    with pytest.raises(SocratesError, match=told):
        lab.executor.collect()
    assert lab.nodes.closing


def test_cluster_without_places_can_not_be_used(lab: Lab) -> None:
    lab.nodes.there = []
    with pytest.raises(SocratesError, match="can be used, or none has a processor to offer"):
        lab.executor.collect()


def test_cluster_of_which_no_node_answers_can_not_be_used(lab: Lab) -> None:
    lab.nodes.problems = {name: Unreachable(f"node {name}: gone") for name in ("one", "two")}
    with pytest.raises(SocratesError, match="can be used: node one: gone"):
        lab.executor.collect()


def test_tests_are_not_run_together_on_a_cluster(lab: Lab) -> None:
    assert not lab.executor.run_together(["a"], never, 1.0, never)  # type: ignore[arg-type]


def test_names_that_are_learned_are_taught_anew(lab: Lab) -> None:
    lab.executor.collect()
    for member in lab.executor._members:
        member.taught.update({"a", "b"})
    lab.executor.learn("a", TRACE)
    taught = [member.taught for member in lab.executor._members]
    assert (taught, lab.executor._traces) == ([{"b"}, {"b"}], {"a": TRACE})


def member_of(lab: Lab, number: int = 0) -> _Member:
    lab.executor.collect()
    return lab.executor._members[number]


def test_lost_node_is_dropped_and_its_actor_killed(lab: Lab) -> None:
    lost = member_of(lab)
    lab.nodes.there = [TWO]
    lab.executor._lost(lost)
    assert (lab.used, lab.ray.log[-1]) == (["two"], ("kill", lost.actor))


def test_lost_node_that_is_there_again_gets_a_new_actor(lab: Lab) -> None:
    lost = member_of(lab)
    lab.executor._lost(lost)
    assert (lab.used, lab.executor._members[1] is lost) == (["two", "one"], False)


def test_nodes_that_can_not_be_used_do_not_join(lab: Lab) -> None:
    lost = member_of(lab)
    lab.nodes.problems = {"one": Unreachable("gone")}
    lab.executor._lost(lost)
    assert (lab.used, lab.executor._recruiting) == (["two"], False)


def test_one_thread_looks_for_nodes(lab: Lab) -> None:
    lost = member_of(lab)
    lab.executor._recruiting = True
    lab.executor._lost(lost)
    lab.executor._recruiting = False
    assert lab.used == ["two"]


def test_cluster_that_is_gone_ends_the_search_for_nodes(lab: Lab) -> None:
    lost = member_of(lab)
    lab.nodes.places = never  # type: ignore[method-assign]
    lab.executor._lost(lost)
    assert not lab.executor._recruiting


def test_nothing_is_lost_once_it_is_closed(lab: Lab) -> None:
    lost = member_of(lab)
    lab.executor.close()
    with pytest.raises(Cancelled):
        lab.executor._lost(lost)


def test_node_that_is_found_too_late_does_not_join(lab: Lab) -> None:
    late = member_of(lab)
    lab.executor.close()
    lab.executor._join(late)
    assert lab.used == []


def test_closing_ends_the_actors_and_the_cluster(lab: Lab) -> None:
    actors = [member_of(lab, number).actor for number in (0, 1)]
    lab.executor.close()
    killed = [("kill", actor) for actor in actors]
    assert (lab.ray.log[-2:], lab.nodes.closing, lab.nodes.closed) == (killed, True, True)


def test_closing_what_never_started_asks_ray_for_nothing(lab: Lab) -> None:
    lab.executor.close()
    assert (lab.ray.log, lab.nodes.closed) == ([], False)
