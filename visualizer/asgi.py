"""The pages, and beside them what browsers fetch by itself: what `streamlit run` finds and serves. Started by serve.py."""

from pathlib import Path

from starlette.routing import Route
from streamlit.starlette import App

from visualizer.viewer.delivery import FOLDER, deliveries, hand_out

deliveries().handed_out = True
beside_the_pages = Route(f"/{{above:path}}{FOLDER}/{{address}}", hand_out)  # they may be below another address
app = App(Path(__file__).with_name("app.py"), routes=[beside_the_pages])
