"""The explorer that looks for orders alone."""

from __future__ import annotations

from socrates_amplify.exploration.orders.search import Orders
from socrates_amplify.model.search import (
    BudgetSpent,
    Defect,
    Exploration,
    ExploreOptions,
    Problem,
)


class SchedulesExplorer:
    """Looks for orders alone, whatever other faults there are."""

    name = "schedules"
    reads_orders = True

    def explore(self, problem: Problem, options: ExploreOptions) -> Exploration:
        """Search until every free pair was seen in both orders, or limits end it."""
        defects: list[Defect] = []

        def report(defect: Defect) -> None:
            defects.append(defect)
            if options.max_defects is not None and len(defects) >= options.max_defects:
                raise _EnoughError

        orders = Orders(problem, options, report)
        try:
            orders.run()
        except BudgetSpent as spent:
            if orders.unfinished is not None:
                defects.append(orders.unfinished.defect(str(spent)))
            note = "; ".join(filter(None, (orders.note, str(spent))))
            return Exploration(
                tuple(defects), False, note, orders=orders.coverage, passing=orders.passing
            )
        except _EnoughError:
            pass
        return Exploration(
            tuple(defects),
            True,
            orders.note,
            idle=orders.idle,
            orders=orders.coverage,
            passing=orders.passing,
        )


class _EnoughError(Exception):
    """As many defects as wanted."""
