"""May this visitor run programs here? Only on a server for one's own machine, and only with the token that it printed.

The token is part of the address that the server opens, as with Jupyter. The first request turns it into a cookie that no other
site can send, and leads to the address without it.
"""

import hmac
import secrets
from urllib.parse import parse_qsl, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TOKEN_PARAM = "token"  # noqa: S105 - the name of a parameter
MAX_TOKEN_CHARS = 100


class _Current:
    token = ""  # empty: no program runs here
    cookie = ""


def allow_programs(port: int) -> str:
    """Let visitors with a new token run programs. Return the token."""
    _Current.token = secrets.token_urlsafe(24)
    _Current.cookie = f"plyscope_token_{port}"  # cookies do not tell ports apart
    return _Current.token


def forbid_programs() -> None:
    """Let nobody run programs."""
    _Current.token = ""


def are_programs_allowed() -> bool:
    """Return True if this server runs programs at all."""
    return bool(_Current.token)


def has_right_token(cookies: dict[str, str]) -> bool:
    """Return True if a visitor has the token in a cookie."""
    return _is_right(cookies.get(_Current.cookie, ""))


def _is_right(token: str) -> bool:
    sent = token[:MAX_TOKEN_CHARS].encode(errors="replace")
    return bool(_Current.token) and hmac.compare_digest(sent, _Current.token.encode())


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
        if _is_right(tokens[0]):
            answer.set_cookie(_Current.cookie, tokens[0], httponly=True, samesite="strict", path="/")
        await answer(scope, receive, send)
