"""Three mistakes with threads, each beside its repair: two locks taken in two orders, a last line
that does not wait for the others, and a sum that is read and written in two steps."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor


class Bank:
    """Takes both locks of a transfer, the payer's first."""

    def __init__(self) -> None:
        self._locks = [threading.Lock(), threading.Lock()]
        self.balances = [100, 100]

    def transfer(self, payer: int, payee: int, amount: int) -> None:
        first, second = self.order(payer, payee)
        with self._locks[first], self._locks[second]:
            self.balances[payer] -= amount
            self.balances[payee] += amount

    def order(self, payer: int, payee: int) -> tuple[int, int]:
        return payer, payee


class RepairedBank(Bank):
    def order(self, payer: int, payee: int) -> tuple[int, int]:
        return min(payer, payee), max(payer, payee)


def transfers(kind: type[Bank]) -> list[int]:
    bank = kind()
    both = [
        threading.Thread(target=bank.transfer, args=(0, 1, 30)),
        threading.Thread(target=bank.transfer, args=(1, 0, 20)),
    ]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    return bank.balances


class Journal:
    """Writers put lines into a queue; one who closes it does not wait for the writers."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self._writer = threading.Thread(target=self.write)

    def write(self) -> None:
        self.lines.put("one line")

    def close(self) -> None:
        self.lines.put("closed")

    def run(self) -> None:
        closer = threading.Thread(target=self.close)
        self._writer.start()
        closer.start()
        self._writer.join()
        closer.join()


class RepairedJournal(Journal):
    def close(self) -> None:
        self._writer.join()
        super().close()


def journal(kind: type[Journal]) -> list[str]:
    written = kind()
    written.run()
    return [written.lines.get() for _ in range(2)]


class Counter:
    """Reads the sum, looks something up, and writes the sum."""

    def __init__(self) -> None:
        self.sum = 0

    def add(self, number: int) -> None:
        before = self.sum
        time.sleep(0.001)
        self.sum = before + number


class RepairedCounter(Counter):
    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()

    def add(self, number: int) -> None:
        with self._lock:
            super().add(number)


def counted(kind: type[Counter]) -> int:
    counter = kind()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(counter.add, [1, 2]))
    return counter.sum
