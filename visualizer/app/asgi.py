"""The ASGI app: the pages, and the files that browsers fetch beside them. `streamlit run` serves it; server.py starts that."""

from pathlib import Path

from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.routing import Route
from streamlit.starlette import App

from visualizer.app.pages import PAGE_ICONS, page_path
from visualizer.app.request_guard import RequestGuard, current_access
from visualizer.app.state.download_retention import DownloadTracker, file_thread_pool
from visualizer.app.state.notices import say_page_failed
from visualizer.app.state.program_access import TokenGuard
from visualizer.app.state.uploads import UploadGuard, UploadStore
from visualizer.app.streamlit_compat import (
    cache_config_sections,
    first_page,
    ignore_misfit_values,
    ignore_unknown_pages,
    use_upload_store,
)
from visualizer.viewer.delivery import URL_FOLDER, delivery_store, serve_file
from visualizer.viewer.large_trees.tree_delivery import TREE_FOLDER, serve_tree_query


async def redirect_to_first_page(request: Request) -> RedirectResponse:
    """Redirect /step to the root, where Streamlit serves its first page. The query stays."""
    return RedirectResponse(f"./?{request.url.query}" if request.url.query else "./")


async def serve_page(request: Request) -> HTMLResponse:
    """Serve the HTML of a page."""
    return HTMLResponse(first_page(), headers={"Cache-Control": "no-cache"})


cache_config_sections()
ignore_misfit_values()
ignore_unknown_pages()
use_upload_store(UploadStore)
delivery_store().has_server = True
routes = [  # the app may be served below a path
    Route(f"/{{above:path}}{URL_FOLDER}/{{address}}", serve_file),
    Route(f"/{{above:path}}{TREE_FOLDER}/{{address}}/{{query}}", serve_tree_query),
    Route("/step", redirect_to_first_page),
    Route("/{above:path}/step", redirect_to_first_page),
    Route("/", serve_page),
    *(Route(f"/{{above:path}}{page_path(name)}", serve_page) for name in PAGE_ICONS),
]
middleware = [
    Middleware(RequestGuard, current_access()),
    Middleware(TokenGuard),
    Middleware(UploadGuard),
    Middleware(DownloadTracker),
]
app = App(
    Path(__file__).with_name("main.py"),
    routes=routes,
    lifespan=file_thread_pool,
    middleware=middleware,
    on_script_error=say_page_failed,
)
