"""What every hosted model needs around its SDK: retries, waits asked for by the server, errors in words, money.

The SDK's own retries are switched off: here they are counted, their waits are injected, and only what can pass by
itself is tried again. Nothing here imports an SDK; an adapter turns its SDK's exceptions into the errors below.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pincite.errors import GeneratorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pincite.config import Prices

T = TypeVar("T")

_UNAUTHORISED, _FORBIDDEN, _NOT_FOUND, _TIMEOUT, _CONFLICT, _TOO_MANY = 401, 403, 404, 408, 409, 429
_SERVER_ERROR = 500
_OUT_OF_MONEY = ("insufficient_quota", "billing", "credit balance", "exceeded your current quota")
_LONGEST_DETAIL = 300
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class HostedError(GeneratorError):
    """A model server gave nothing usable.

    ``retryable`` says whether the same request may work later, ``retry_after_s`` when the server asked to be called
    again (None when it did not say), ``status`` the HTTP status if there was one, ``attempts`` the requests made.
    """

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        retryable: bool = False,
        retry_after_s: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message, hint=hint)
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.status = status
        self.attempts = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Service:
    """Whom we talk to, in the words that messages use. ``key_variable`` is a name, never a key."""

    name: str
    where: str
    model: str
    key_variable: str
    timeout_s: float = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Retry:
    """How often and how patiently. ``sleep`` and ``uniform`` (a number from 0 to 1) are injected by tests."""

    attempts: int = 3
    base_s: float = 0.5
    max_wait_s: float = 20.0
    sleep: Callable[[float], None] = time.sleep
    uniform: Callable[[], float] = random.random


@dataclass(frozen=True, kw_only=True, slots=True)
class Attempted(Generic[T]):
    """What came back, and after how many requests."""

    value: T
    attempts: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Tokens as the provider counted them. ``input_tokens`` includes ``cached_tokens``; None where it did not say."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None


def read_key(service: Service, *, extra: str, environ: Mapping[str, str] = os.environ) -> str:
    """The key from its environment variable.

    Raises:
        HostedError: naming the variable and the extra when it is not set or blank.
    """
    key = environ.get(service.key_variable, "").strip()
    if not key:
        raise HostedError(
            f"no key for {service.name}: the environment variable {service.key_variable} is not set "
            f"(the adapter is the extra pincite[{extra}])",
            hint=f"Run `export {service.key_variable}=...` with your key, or name another variable in api_key_env.",
        )
    return key


def with_retries(call: Callable[[], T], retry: Retry) -> Attempted[T]:
    """Call until it works, fails for good, or has failed ``retry.attempts`` times.

    The wait doubles from ``base_s`` with full jitter; a wait that the server asks for is kept to, and when it is over
    ``max_wait_s`` the error is raised at once, still retryable, with the wait in its hint.

    Raises:
        HostedError: the last one, with ``attempts`` set.
    """
    for attempt in range(1, max(1, retry.attempts) + 1):
        try:
            return Attempted(value=call(), attempts=attempt)
        except HostedError as exc:
            exc.attempts = attempt
            wait_s = _wait_s(exc, attempt, retry)
            if wait_s is None:
                raise
            retry.sleep(wait_s)
    raise AssertionError("the last attempt either returned or raised")  # pragma: no cover


def _wait_s(exc: HostedError, attempt: int, retry: Retry) -> float | None:
    """Seconds to wait before the next request, or None when there is to be none."""
    if not exc.retryable or attempt >= retry.attempts:
        return None
    asked_s = exc.retry_after_s
    if asked_s is None:
        return min(retry.max_wait_s, retry.base_s * float(2 ** (attempt - 1))) * retry.uniform()
    return asked_s if asked_s <= retry.max_wait_s else None


def cost_usd(usage: Usage, prices: Prices) -> float | None:
    """What the tokens cost; None when a count or a price that is needed is not known."""
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    if prices.input_usd is None or prices.output_usd is None:
        return None
    cached = min(usage.cached_tokens or 0, usage.input_tokens)
    cached_usd = prices.input_usd if prices.cached_usd is None else prices.cached_usd
    plain = usage.input_tokens - cached
    total = plain * prices.input_usd + cached * cached_usd + usage.output_tokens * prices.output_usd
    return round(total / 1_000_000, 9)


def added(usages: Iterable[Usage]) -> Usage:
    """The sum; a count that every part lacks stays None."""
    parts = list(usages)

    def total(values: list[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return Usage(
        input_tokens=total([part.input_tokens for part in parts]),
        cached_tokens=total([part.cached_tokens for part in parts]),
        output_tokens=total([part.output_tokens for part in parts]),
    )


def refused_status(service: Service, status: int, body: object, headers: Mapping[str, str]) -> HostedError:
    """The error for an HTTP status that is not success. ``body`` is parsed JSON or text; header names in any case."""
    low = {name.lower(): value for name, value in headers.items()}
    detail = detail_of(body)
    said = f": {detail}" if detail else ""
    if status in {_UNAUTHORISED, _FORBIDDEN}:
        return HostedError(
            f"{service.name} refused the key ({status}){said}",
            hint=f"Check the key in {service.key_variable} and that it may use {service.model}.",
            status=status,
        )
    if status == _NOT_FOUND:
        return HostedError(
            f"{service.where} does not know the model {service.model} or the address ({status}){said}",
            hint="Correct `model` or `base_url` under [generate] in pincite.toml.",
            status=status,
        )
    if status == _TOO_MANY:
        return _too_many(service, body, low, said)
    transient = status in {_TIMEOUT, _CONFLICT} or status >= _SERVER_ERROR
    return HostedError(
        f"{service.name} answered with status {status}{said}",
        hint="Try again later; if it stays, look at the provider's status page or the server's log."
        if transient
        else "The request was refused as it is; the message says why. Check the settings under [generate].",
        retryable=transient and low.get("x-should-retry") != "false",
        retry_after_s=retry_after_s(low),
        status=status,
    )


def _too_many(service: Service, body: object, headers: Mapping[str, str], said: str) -> HostedError:
    if any(word in json.dumps(body, default=str).lower() for word in _OUT_OF_MONEY):
        return HostedError(
            f"the quota behind {service.key_variable} is used up{said}",
            hint="Add credit or raise the limit with the provider; trying again does not help.",
            status=_TOO_MANY,
        )
    wait_s = retry_after_s(headers)
    when = f"in {wait_s:g} s" if wait_s is not None else "in a while"
    return HostedError(
        f"{service.name} is receiving too many requests from this key{said}",
        hint=f"Ask again {when}, or ask less often.",
        retryable=True,
        retry_after_s=wait_s,
        status=_TOO_MANY,
    )


def unreachable(service: Service) -> HostedError:
    """Nobody answers at the address."""
    return HostedError(
        f"no connection to {service.where}",
        hint=f"Is the server running at {service.where}? Check `base_url` under [generate] and the network.",
        retryable=True,
    )


def too_slow(service: Service) -> HostedError:
    """No byte for ``timeout_s``: at the start, or between two pieces of a stream."""
    return HostedError(
        f"{service.name} sent nothing for {service.timeout_s:g} s",
        hint="Raise `timeout_s` under [generate], or use a smaller model.",
        retryable=True,
    )


def cut_off(service: Service) -> HostedError:
    """The connection ended before the reply did."""
    return HostedError(
        f"the reply of {service.name} broke off before its end",
        hint="Try again; a proxy that closes long replies early is a common cause.",
        retryable=True,
    )


def stopped(service: Service, why: str) -> HostedError:
    """The provider filtered or refused in the middle, after some of the text had been given on."""
    return HostedError(f"{service.name} stopped its reply: {why}")


def not_a_reply(service: Service, what: str, *, detail: str = "") -> HostedError:
    """Success in name only: a web page, an error in a 200, no choices, JSON that does not parse. Not tried again."""
    said = f": {detail}" if detail else ""
    return HostedError(
        f"{service.where} answered with {what}{said}",
        hint="Check that `base_url` under [generate] is the API's address (it often ends in /v1).",
    )


def detail_of(body: object) -> str:
    """The server's own words about an error, shortened, from any of the usual shapes; empty when there are none."""
    if isinstance(body, dict):
        inner: Any = body.get("error", body)
        inner = inner.get("message", "") if isinstance(inner, dict) else inner
        return " ".join(str(inner).split())[:_LONGEST_DETAIL]
    if isinstance(body, str):
        return "a web page" if looks_like_html(body) else " ".join(body.split())[:_LONGEST_DETAIL]
    return ""


def looks_like_html(text: str) -> bool:
    """Whether a body is a page for a browser: a proxy's login, an error page, a wrong address."""
    start = text.lstrip().lower()
    return start.startswith(("<!doctype html", "<html"))


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """How long the server asks to wait, from its headers (lower-case names); None when it does not say.

    Retry-After in seconds or as a date (measured from the reply's own Date, so that no clock is read), then
    retry-after-ms, then the reset times of a rate limit whose remaining count is 0.
    """
    if (ms := _number(headers.get("retry-after-ms"))) is not None:
        return ms / 1000
    stated = headers.get("retry-after")
    if (seconds := _number(stated)) is not None:
        return seconds
    if stated is not None:
        return _between(headers.get("date"), stated)
    waits = [_reset_s(name, value, headers) for name, value in headers.items() if "ratelimit" in name]
    known = [wait for wait in waits if wait is not None]
    return max(known) if known else None


def _reset_s(name: str, value: str, headers: Mapping[str, str]) -> float | None:
    """``x-ratelimit-reset-tokens: 6m0s`` or ``anthropic-ratelimit-tokens-reset: 2026-01-01T00:00:00Z``."""
    if "reset" not in name or headers.get(name.replace("reset", "remaining"), "").strip() != "0":
        return None
    parts = _DURATION.findall(value)
    if parts and "".join(number + unit for number, unit in parts) == value.strip():
        return sum(float(number) * _SECONDS[unit] for number, unit in parts)
    return _number(value) if _number(value) is not None else _between(headers.get("date"), value)


def _between(start: str | None, end: str) -> float | None:
    begun, done = _instant(start or ""), _instant(end)
    return None if begun is None or done is None else max(0.0, (done - begun).total_seconds())


def _instant(text: str) -> datetime | None:
    """An HTTP date or RFC 3339; a time without a zone is taken as UTC."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            found = read(text)
        except ValueError:
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
