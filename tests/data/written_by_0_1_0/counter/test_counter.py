import pykka
import pytest
from counter import Add, Counter, Total


@pytest.fixture
def counter():
    yield Counter.start()
    pykka.ActorRegistry.stop_all()


def test_amounts_are_added(counter):
    counter.tell(Add(1, 3))
    counter.tell(Add(2, 4))
    assert counter.ask(Total()) == 7


def test_counter_starts_at_zero(counter):
    assert counter.ask(Total()) == 0
