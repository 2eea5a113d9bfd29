from __future__ import annotations

import pytest

from pincite.adapters.generators import transport
from pincite.adapters.generators.transport import HostedError, Retry, Service, Usage
from pincite.config import Prices

SERVICE = Service(name="openai", where="https://models.test/v1", model="m-1", key_variable="MY_KEY", timeout_s=5)


class Flaky:
    """Fails with the errors in order, then works."""

    def __init__(self, *errors: HostedError) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "done"


def patient(waits: list[float], **fields: float) -> Retry:
    return Retry(sleep=waits.append, uniform=lambda: 0.5, **fields)  # type: ignore[arg-type]


def test_a_transient_error_is_tried_again_after_a_growing_jittered_wait() -> None:
    waits: list[float] = []
    call = Flaky(transport.unreachable(SERVICE), transport.too_slow(SERVICE))
    done = transport.with_retries(call, patient(waits))
    assert (done.value, done.attempts, waits) == ("done", 3, [0.25, 0.5])


def test_an_error_that_cannot_pass_by_itself_is_not_tried_again() -> None:
    call = Flaky(transport.refused_status(SERVICE, 400, {"error": {"message": "bad"}}, {}))
    with pytest.raises(HostedError) as caught:
        transport.with_retries(call, patient([]))
    assert (call.calls, caught.value.attempts, caught.value.retryable) == (1, 1, False)


def test_the_last_error_is_raised_with_the_number_of_requests() -> None:
    waits: list[float] = []
    call = Flaky(*[transport.refused_status(SERVICE, 503, "", {}) for _ in range(5)])
    with pytest.raises(HostedError) as caught:
        transport.with_retries(call, patient(waits))
    assert (call.calls, caught.value.attempts, caught.value.status, len(waits)) == (3, 3, 503, 2)


def test_the_wait_that_the_server_asks_for_is_kept_to() -> None:
    waits: list[float] = []
    transport.with_retries(Flaky(transport.refused_status(SERVICE, 429, {}, {"Retry-After": "7"})), patient(waits))
    assert waits == [7.0]


def test_a_wait_longer_than_we_are_ready_for_is_reported_instead() -> None:
    call = Flaky(transport.refused_status(SERVICE, 429, {}, {"retry-after": "3600"}))
    with pytest.raises(HostedError) as caught:
        transport.with_retries(call, patient([]))
    assert call.calls == 1
    assert caught.value.retryable
    assert "3600 s" in caught.value.hint


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:09 GMT", "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 9.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:09 GMT"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-4"}, None),
        ({"retry-after": "inf"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2.5s"}, 62.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-requests": "4", "x-ratelimit-reset-requests": "20s"}, None),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-11-30T10:00:30Z",
                "date": "Mon, 30 Nov 2026 10:00:00 GMT",
            },
            30.0,
        ),
        ({}, None),
    ],
)
def test_the_wait_is_read_from_whatever_header_states_it(headers: dict[str, str], seconds: float | None) -> None:
    assert transport.retry_after_s(headers) == seconds


@pytest.mark.parametrize(
    ("status", "body", "retryable", "says", "hint"),
    [
        (401, {"error": {"message": "Incorrect API key"}}, False, "refused the key (401): Incorrect", "MY_KEY"),
        (403, {}, False, "refused the key (403)", "m-1"),
        (404, {"error": {"message": "no such model"}}, False, "does not know the model m-1", "base_url"),
        (400, {"error": {"message": "too long"}}, False, "status 400: too long", "[generate]"),
        (408, {}, True, "status 408", "later"),
        (429, {"error": {"message": "slow down"}}, True, "too many requests", "Ask again"),
        (429, {"error": {"code": "insufficient_quota", "message": "x"}}, False, "quota", "credit"),
        (500, "<html><body>oops", True, "a web page", "later"),
        (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, True, "Over", "later"),
    ],
)
def test_a_status_becomes_an_error_that_says_what_to_do(
    status: int,
    body: object,
    retryable: bool,  # noqa: FBT001
    says: str,
    hint: str,
) -> None:
    error = transport.refused_status(SERVICE, status, body, {})
    assert (error.status, error.retryable) == (status, retryable)
    assert says in str(error)
    assert hint in error.hint


def test_a_server_that_says_not_to_try_again_is_believed() -> None:
    assert not transport.refused_status(SERVICE, 500, {}, {"X-Should-Retry": "false"}).retryable


def test_a_missing_key_is_named_by_its_variable_and_its_extra() -> None:
    for environ in ({}, {"MY_KEY": "  "}):
        with pytest.raises(HostedError) as caught:
            transport.read_key(SERVICE, extra="openai", environ=environ)
        assert "MY_KEY" in str(caught.value)
        assert "pincite[openai]" in str(caught.value)
    assert transport.read_key(SERVICE, extra="openai", environ={"MY_KEY": " k "}) == "k"


def test_a_connection_that_fails_asks_whether_the_server_runs() -> None:
    assert "Is the server running at https://models.test/v1?" in transport.unreachable(SERVICE).hint


def test_money_is_counted_from_tokens_and_unknown_stays_unknown() -> None:
    usage = Usage(input_tokens=1_000, cached_tokens=400, output_tokens=100)
    full = Prices(input_usd=2.0, cached_usd=0.5, output_usd=8.0)
    assert transport.cost_usd(usage, full) == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 8) / 1e6)
    assert transport.cost_usd(usage, Prices(input_usd=2.0, output_usd=8.0)) == pytest.approx((2_000 + 800) / 1e6)
    assert transport.cost_usd(usage, Prices(input_usd=2.0)) is None
    assert transport.cost_usd(Usage(output_tokens=3), full) is None


def test_usages_add_up_and_what_nobody_counted_stays_unknown() -> None:
    assert transport.added([Usage(input_tokens=3), Usage(input_tokens=4, output_tokens=1)]) == Usage(
        input_tokens=7, output_tokens=1
    )
    assert transport.added([]) == Usage()
