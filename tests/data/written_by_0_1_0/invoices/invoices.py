"""Tasks that bill: one that runs twice bills twice, and the last price is the one that came last."""

import dramatiq
from dramatiq.brokers.stub import StubBroker

broker = StubBroker()
dramatiq.set_broker(broker)

written = []
prices = {}


@dramatiq.actor
def bill(customer, amount):
    written.append((customer, amount))


@dramatiq.actor
def set_price(article, price):
    prices[article] = price
