"""Checks of every request to the server, and the headers that tell browsers what its pages may do.

Another site can let its own name lead to this machine (DNS rebinding); its pages would then be served as if they were ours.
That needs a name. So requests to numeric addresses are always answered, and requests to names only if they are this server's.
"""

import base64
import hashlib
import ipaddress
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.core.errors import PlyscopeError

HOST_PATTERN = re.compile(r"(?P<name>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:\d{1,5})?")
NAME_PATTERN = re.compile(r"\*|(\*\.)?[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}")
SITE_PATTERN = re.compile(r"\*|https?://(\*\.)?[A-Za-z0-9.-]{1,253}(:(\d{1,5}|\*))?")
BLOCKED_PATHS = re.compile(r"/_stcore/(metrics|script-health-check|agent(/.*)?)/*$")  # usage counts, runs without a browser
INLINE_SCRIPT = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
HTTP_MISDIRECTED = 421
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
POLICY_VIOLATION = 1008  # close code of a websocket


class BadAccess(PlyscopeError):
    """A host name or a site that is not valid."""


@dataclass(frozen=True)
class Access:
    """The address that the server listens on, the other names it answers to, and the sites that may show it in a frame."""

    listens_on: str = "127.0.0.1"
    allowed_hosts: tuple[str, ...] = ()
    embedded_in: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.allowed_hosts:
            if not NAME_PATTERN.fullmatch(name):
                raise BadAccess(f"{name[:60]!r} is not the name of a host: write it like class.example.org or *.example.org")
        for site in self.embedded_in:
            if not SITE_PATTERN.fullmatch(site):
                raise BadAccess(f"{site[:60]!r} is not a site: write it like https://course.example.org")

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the names that the server answers to, in lower case."""
        names = {"localhost", *self.allowed_hosts}
        if not is_loopback(self.listens_on):
            own = socket.gethostname()
            names |= {self.listens_on, own, f"{own}.local", socket.getfqdn()}
        return frozenset(name.lower().rstrip(".") for name in names)

    def is_allowed(self, host: str) -> bool:
        """Return True if the server answers to this Host header."""
        found = HOST_PATTERN.fullmatch(host)
        if found is None:
            return "*" in self.names
        name = found["name"].lower().rstrip(".")
        if _is_address(name.strip("[]")):
            return True
        wider = (f"*{name[dot.start() :]}" for dot in re.finditer(r"\.", name))
        return not self.names.isdisjoint({name, "*", *wider})

    def content_security_policy(self, host: str) -> str:
        """Return the Content-Security-Policy of an answer to `host`.

        The browser adds styles to elements. Streamlit loads the modules of components from blobs. Some browsers do not count
        websockets as 'self'.
        """
        sockets = f" ws://{host} wss://{host}" if HOST_PATTERN.fullmatch(host) else ""
        return "; ".join(
            (
                "default-src 'self'",
                f"script-src 'self' blob: {' '.join(inline_script_hashes())}",
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "font-src 'self' data:",
                f"connect-src 'self'{sockets}",
                "worker-src 'self' blob:",
                "frame-src 'none'",
                "object-src 'none'",
                "base-uri 'none'",
                "form-action 'self'",
                " ".join(("frame-ancestors 'self'", *self.embedded_in)),
            )
        )


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Return True if only this machine can reach a server that listens on this host."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def is_other_local_page(origin: str, host: str) -> bool:
    """Return True if a request to a server of this machine comes from a page of another one, such as another port.

    Browsers send cookies to all ports of a name, so the token's cookie does not tell these pages apart.
    """
    asked = HOST_PATTERN.fullmatch(host)
    if asked is None or not is_loopback(asked["name"].strip("[]").lower()):
        return False  # behind a proxy the ports may differ
    scheme, _, address = origin.lower().partition("://")
    default = DEFAULT_PORTS.get(scheme, "")
    sent = HOST_PATTERN.fullmatch(address)
    return sent is None or (sent["name"], sent[2] or default) != (asked["name"].lower(), asked[2] or default)


@cache
def inline_script_hashes() -> tuple[str, ...]:
    """Return the hashes of the scripts inside Streamlit's own page: no other inline script is run."""
    from visualizer.app.streamlit_compat import first_page

    digests = (hashlib.sha256(script).digest() for script in INLINE_SCRIPT.findall(first_page()))
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)


class RequestGuard:
    """ASGI middleware: answers only to the server's own names, and adds security headers to all answers."""

    def __init__(self, app: ASGIApp, access: Access):
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        wrong = next((host for host in hosts if not self._access.is_allowed(host)), None)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._missing_headers(message, hosts)]
            await send(message)

        if scope["type"] == "websocket":
            origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
            if wrong is None and not any(is_other_local_page(origin, host) for origin in origins for host in hosts):
                await self._app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        elif wrong is not None:
            sentence = (
                f"This server does not answer to the name {wrong[:100]!r}. "
                "If it is your server, start it with: plyscope app --allowed-host NAME\n"
            )
            await PlainTextResponse(sentence, HTTP_MISDIRECTED)(scope, receive, send_guarded)
        elif BLOCKED_PATHS.search(scope["path"]):
            await PlainTextResponse("Not found\n", 404)(scope, receive, send_guarded)
        else:
            await self._app(scope, receive, send_guarded)

    def _missing_headers(self, message: Message, hosts: list[str]) -> Iterator[tuple[bytes, bytes]]:
        """Yield the headers that an answer does not have yet."""
        known = {name.lower() for name, _ in message.get("headers", [])}
        wanted = {
            "content-security-policy": self._access.content_security_policy(hosts[0] if hosts else ""),
            "x-content-type-options": "nosniff",
            "referrer-policy": "same-origin",
        }
        yield from ((name.encode(), value.encode()) for name, value in wanted.items() if name.encode() not in known)


class _Current:
    access = Access()


def use_access(access: Access) -> None:
    """Set how the server of this process may be reached."""
    _Current.access = access


def current_access() -> Access:
    """Return how the server of this process may be reached."""
    return _Current.access
