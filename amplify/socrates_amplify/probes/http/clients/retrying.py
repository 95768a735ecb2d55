"""Retries above a fake of requests: what urllib3 would have done, had the call come to it.

A fake takes the place of the adapter, and with it of urllib3, which retries. So that a test above a
fake needs as many faults as one against a server, the policy of the adapter is asked here.
"""

from __future__ import annotations

from typing import Any


def policy_of(session: Any, url: str) -> Any:
    """The ``Retry`` of the adapter that is mounted for an address; None where there is none."""
    from requests.adapters import HTTPAdapter

    for prefix, adapter in session.adapters.items():
        if url.lower().startswith(prefix.lower()):
            return adapter.max_retries if isinstance(adapter, HTTPAdapter) else None
    return None


class Retrying:
    """The tries of one request. ``error`` is what requests raises once they are used up."""

    def __init__(self, policy: Any, request: Any) -> None:
        self._policy = policy
        self._request = request
        self.error: Exception | None = None

    def left(self, adapter: Any) -> Any:
        """An adapter like this one, for a fake that retries itself: with the tries that are left."""
        from requests.adapters import HTTPAdapter

        if self._policy is None or not isinstance(adapter, HTTPAdapter):
            return adapter
        # Not by ``copy``: an adapter keeps only what it knows then, not what a class of the project adds.
        twin = object.__new__(type(adapter))
        twin.__dict__.update({**adapter.__dict__, "max_retries": self._policy})
        return twin

    def again(self, result: Any) -> bool:
        """Whether the policy asks for another try after ``result``, a raw response or an error.

        Waits as long as the policy says.
        """
        if self._policy is None:
            return False
        method, url = str(self._request.method), str(self._request.url)
        failed = isinstance(result, Exception)
        if not failed and not self._policy.is_retry(
            method, result.status, "Retry-After" in result.headers
        ):
            return False
        from requests.exceptions import ConnectionError, RetryError
        from urllib3.exceptions import HTTPError, MaxRetryError, ReadTimeoutError

        try:
            tried = {"error": result} if failed else {"response": result}
            self._policy = self._policy.increment(method, url, **tried)
        except MaxRetryError as spent:
            if not failed and self._policy.raise_on_status:
                self.error = RetryError(spent, request=self._request)
            elif isinstance(result, ReadTimeoutError):
                self.error = ConnectionError(spent, request=self._request)
            return False
        except HTTPError:
            return False  # the policy has no retries for errors of this kind
        self._policy.sleep(None if failed else result)
        return True
