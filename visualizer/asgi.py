"""The pages, and beside them what browsers fetch by itself: what `streamlit run` finds and serves. Started by serve.py."""

from functools import cache
from pathlib import Path

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from streamlit import config
from streamlit.starlette import App

from visualizer.app_pages.held_files import NoteFetched, many_files
from visualizer.viewer.delivery import FOLDER, deliveries, hand_out


async def to_first_page(request: Request) -> RedirectResponse:
    """Where the page Step is: Streamlit gives its first page no name of its own. The rest of the address stays."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


config.get_options_for_section = cache(config.get_options_for_section)  # all options, six times for every run of a page
deliveries().handed_out = True
routes = [  # the pages may be below another address
    Route(f"/{{above:path}}{FOLDER}/{{address}}", hand_out),
    Route("/step", to_first_page),
    Route("/{above:path}/step", to_first_page),
]
app = App(Path(__file__).with_name("app.py"), routes=routes, lifespan=many_files, middleware=[Middleware(NoteFetched)])
