"""The pages, and beside them what browsers fetch by itself: what `streamlit run` finds and serves. Started by server.py."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.routing import Route
from streamlit.starlette import App

from visualizer.app.request_guard import GuardRequests, current_access
from visualizer.app.state.download_retention import NoteFetched, many_files
from visualizer.app.state.notices import say_page_failed
from visualizer.app.state.uploads import GuardUploads, UploadStore
from visualizer.app.streamlit_compat import cache_config_sections, ignore_misfit_values, use_upload_store
from visualizer.viewer.delivery import FOLDER, deliveries, hand_out


async def to_first_page(request: Request) -> RedirectResponse:
    """Where the page Step is: Streamlit gives its first page no name of its own. The rest of the address stays."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


cache_config_sections()
ignore_misfit_values()
use_upload_store(UploadStore)
deliveries().handed_out = True
routes = [  # the pages may be below another address
    Route(f"/{{above:path}}{FOLDER}/{{address}}", hand_out),
    Route("/step", to_first_page),
    Route("/{above:path}/step", to_first_page),
]
middleware = [Middleware(GuardRequests, current_access()), Middleware(GuardUploads), Middleware(NoteFetched)]
app = App(
    Path(__file__).with_name("main.py"),
    routes=routes,
    lifespan=many_files,
    middleware=middleware,
    on_script_error=say_page_failed,
)
