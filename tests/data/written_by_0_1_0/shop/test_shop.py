import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import shop

from socrates_amplify import faults


class Service(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"price": 8, "stars": 4}')

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_price_is_shown(address):
    price = shop.price_of(address, "mug")
    assert price == 8 or (faults.injected() and price is None)


def test_stars_are_shown(address):
    stars = shop.stars_of(address, "mug")
    assert stars == 4 or (faults.injected() and stars is None)
