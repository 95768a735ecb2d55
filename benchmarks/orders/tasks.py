"""Two mistakes with tasks of asyncio, each beside its repair: stock that is read before and written
after a call, and a page that shows what came last."""

from __future__ import annotations

import asyncio


class Stock:
    """Looks at what is left, asks for the payment, and takes one away."""

    def __init__(self) -> None:
        self.left = 1
        self.sold: list[str] = []

    async def buy(self, customer: str, seconds: float) -> None:
        if self.left > 0:
            await self.pay(seconds)
            self.left -= 1
            self.sold.append(customer)

    async def pay(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class RepairedStock(Stock):
    async def buy(self, customer: str, seconds: float) -> None:
        if self.left > 0:
            self.left -= 1
            await self.pay(seconds)
            self.sold.append(customer)


async def sold(kind: type[Stock]) -> int:
    """How many of one piece are sold when a second customer comes while the first one pays."""
    stock = kind()

    async def late() -> None:
        await stock.pay(0.02)
        await stock.buy("late", 0.01)

    await asyncio.gather(stock.buy("early", 0.01), late())
    return len(stock.sold)


class Profile:
    """Loads a name twice, and shows what came last."""

    def __init__(self) -> None:
        self.shown = ""
        self._asked = 0

    async def load(self, name: str, seconds: float) -> None:
        self._asked += 1
        number = self._asked
        await self.fetch(seconds)
        if self.is_wanted(number):
            self.shown = name

    async def fetch(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def is_wanted(self, number: int) -> bool:
        return True


class RepairedProfile(Profile):
    def is_wanted(self, number: int) -> bool:
        return number == self._asked


async def shown(kind: type[Profile]) -> str:
    """What is shown after an old name and a new one were asked for."""
    profile = kind()
    await asyncio.gather(profile.load("old", 0.01), profile.load("new", 0.02))
    return profile.shown
