"""May this visitor run programs here? Only with the token that the server printed.

A server for one's own machine runs programs; a server for others runs them with `--run-programs`, behind the kernel barrier.

The token is part of the address that the server opens, as with Jupyter. The first request turns it into a cookie that no other
site can send, and leads to the address without it. The cookie is a number of the visitor, signed with the token.
"""

import hmac
import secrets
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_PARAM = "token"  # noqa: S105 - the name of a parameter
MAX_TOKEN_CHARS = 200  # of an address or a cookie


class _Current:
    token = ""  # empty: no program runs here
    cookie = ""
    is_isolated = False


def allow_programs(port: int, is_isolated: bool = False) -> str:
    """Let visitors with a new token run programs, behind the kernel barrier or not. Return the token."""
    _Current.token = secrets.token_urlsafe(24)
    _Current.cookie = f"plyscope_token_{port}"  # cookies do not tell ports apart
    _Current.is_isolated = is_isolated
    return _Current.token


def forbid_programs() -> None:
    """Let nobody run programs."""
    _Current.token, _Current.is_isolated = "", False


def are_programs_allowed() -> bool:
    """Return True if this server runs programs at all."""
    return bool(_Current.token)


def are_programs_isolated() -> bool:
    """Return True if this server runs programs of others, behind the kernel barrier."""
    return _Current.is_isolated


def find_visitor(cookies: dict[str, str]) -> str:
    """Return the number of a visitor who has had the token, or ""."""
    visitor, _, signature = cookies.get(_Current.cookie, "")[:MAX_TOKEN_CHARS].partition(".")
    return visitor if visitor and _are_equal(signature, _sign(visitor)) and _Current.token else ""


def has_right_token(cookies: dict[str, str]) -> bool:
    """Return True if a visitor has had the token."""
    return bool(find_visitor(cookies))


def _sign(visitor: str) -> str:
    return hmac.digest(_Current.token.encode(), visitor.encode(errors="replace"), "sha256").hex()


def _are_equal(sent: str, right: str) -> bool:
    return hmac.compare_digest(sent[:MAX_TOKEN_CHARS].encode(errors="replace"), right.encode())


class TokenGuard:
    """ASGI middleware: turns the token of an address into a cookie, and leads to the address without it."""

    def __init__(self, app: ASGIApp):
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope.get("query_string", b"").decode("latin-1")
        parameters = parse_qsl(query, keep_blank_values=True) if TOKEN_PARAM in query else []
        tokens = [value for name, value in parameters if name == TOKEN_PARAM]
        if scope["type"] != "http" or scope["method"] != "GET" or not tokens:
            await self._app(scope, receive, send)
            return
        others = urlencode([(name, value) for name, value in parameters if name != TOKEN_PARAM])
        folder = scope["path"].rpartition("/")[2]
        answer = RedirectResponse(f"./{folder}?{others}" if others else f"./{folder}", 303)
        if _Current.token and _are_equal(tokens[0], _Current.token):
            visitor = find_visitor(Request(scope).cookies) or secrets.token_hex(8)  # the same one if it comes again
            answer.set_cookie(_Current.cookie, f"{visitor}.{_sign(visitor)}", httponly=True, samesite="strict", path="/")
        await answer(scope, receive, send)
