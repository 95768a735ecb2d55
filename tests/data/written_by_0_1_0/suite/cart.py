class Cart:
    def __init__(self, items=None):
        self.items = dict(items or {})

    def add(self, article, count):
        self.items[article] = count

    def remove(self, article):
        del self.items[article]

    def empty(self):
        self.items.clear()

    def price(self, single):
        return single * sum(self.items.values())
