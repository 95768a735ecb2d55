import invoices
import pytest
from dramatiq import Worker


@pytest.fixture
def wait():
    invoices.written.clear()
    worker = Worker(invoices.broker, worker_timeout=20, worker_threads=1)
    worker.start()

    def until_done():
        invoices.broker.join("default")
        worker.join()

    yield until_done
    worker.stop()


def test_a_customer_is_billed_once(wait):
    invoices.bill.send("Ada", 30)
    wait()
    assert invoices.written == [("Ada", 30)]


def test_the_last_price_counts(wait):
    invoices.set_price.send("mug", 8)
    invoices.set_price.send("mug", 9)
    wait()
    assert invoices.prices["mug"] == 9
