"""Exceptions of the official SDKs and of the connection under them, in our words; bodies that are no reply.

The SDKs of OpenAI and Anthropic name their errors alike, so one translation serves both. Nothing here imports one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pincite.adapters.generators.transport import (
    cut_off,
    looks_like_html,
    not_a_reply,
    refused_status,
    too_slow,
    unreachable,
)

if TYPE_CHECKING:
    from types import ModuleType

    from pincite.adapters.generators.transport import HostedError, Service

_SUCCESS = 200
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "throttlingException": 429,
    "api_error": 500,
    "internalServerException": 500,
    "modelStreamErrorException": 500,
    "serviceUnavailableException": 503,
    "timeout_error": 504,
    "modelTimeoutException": 504,
    "overloaded_error": 529,
}
"""Types of an error event in the middle of a stream, and the status that the same error has as a reply."""


def reply_json(text: str, service: Service) -> Any:
    """A reply's body.

    Raises:
        HostedError: for a web page, nothing, or JSON that does not parse.
    """
    if looks_like_html(text):
        raise not_a_reply(service, "a web page")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise not_a_reply(service, "JSON that does not parse" if text.strip() else "nothing") from exc


def readable(exc: Exception, sdk: ModuleType) -> bool:
    """Whether an exception is the SDK's or the connection's, so that ``translated`` can put it in words."""
    import httpx2

    return isinstance(exc, (_base_error(sdk), httpx2.HTTPError, ValueError))


def translated(exc: Exception, service: Service, sdk: ModuleType) -> HostedError:
    """An exception of the SDK or of the connection under it, in our words."""
    import httpx2

    if isinstance(exc, sdk.APIStatusError):
        return _refused(exc, service)
    cause = exc.__cause__ if isinstance(exc, sdk.APIConnectionError) else exc
    if isinstance(exc, sdk.APITimeoutError) or isinstance(cause, httpx2.ReadTimeout):
        connecting = isinstance(exc.__cause__, httpx2.ConnectTimeout)
        return unreachable(service) if connecting else too_slow(service)
    if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.UnsupportedProtocol)):
        return unreachable(service)
    if isinstance(cause, httpx2.HTTPError):
        return cut_off(service)
    if isinstance(exc, sdk.APIError):
        return not_a_reply(service, "an error inside a success", detail=str(exc.message))
    return not_a_reply(service, "JSON that does not parse")


def _refused(exc: Any, service: Service) -> HostedError:
    body = exc.body if isinstance(exc.body, dict) else exc.response.text
    body = body if not isinstance(body, dict) or "error" in body else {"error": body}
    status = _refused_in_a_success(body) if exc.status_code == _SUCCESS else exc.status_code
    if status is not None:
        return refused_status(service, status, body, exc.response.headers)
    return not_a_reply(service, "an error inside a success", detail=str(exc.message))


def _refused_in_a_success(body: object) -> int | None:
    """The status that an error inside a stream stands for; None when its type is not known."""
    error = body.get("error") if isinstance(body, dict) else None
    return _STATUS_OF_TYPE.get(str(error.get("type"))) if isinstance(error, dict) else None


def _base_error(sdk: ModuleType) -> type[Exception]:
    """``OpenAIError`` or ``AnthropicError``: the parent of every error of the SDK."""
    parent: type[Exception] = sdk.APIError.__mro__[1]
    return parent
