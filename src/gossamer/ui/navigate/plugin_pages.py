"""Pages that plug-ins of readers make, in a sandbox: they run no scripts, load nothing, and cannot act as the server's own pages."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from gossamer.navigate.plugin_page import PluginPage, PluginRequest
from gossamer.ui.access.visitor import get_user
from gossamer.ui.navigate.reading_parts import get_reading

_NOT_FOUND, _FAILED = 404, 500
# What a plug-in quotes from the web may be hostile, so nothing of its page runs.
_HEADERS = {
    "content-security-policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "sandbox allow-top-navigation-by-user-activation"
    ),
    "cache-control": "no-store",
}


def show_page(request: Request) -> Response:
    """Show a page of a plug-in."""
    name, path = request.path_params["name"], request.path_params.get("path", "")
    plugins = get_reading(request).plugins
    if name not in plugins.page_names:
        return PlainTextResponse(
            "No plug-in of this name serves pages; name it by `gossamer serve --plugins NAME`.", _NOT_FOUND
        )
    asked = PluginRequest(path, dict(request.query_params), get_user(request).name)
    made = plugins.make_page(name, asked)
    if isinstance(made, PluginPage):
        return Response(made.content, 200, _HEADERS, made.media_type)
    if made == "missing":
        return PlainTextResponse("This plug-in has no such page.", _NOT_FOUND)
    return PlainTextResponse(
        "The plug-in failed; the log of the server names the error, once for each plug-in.", _FAILED
    )


ROUTES = (Route("/plugins/{name}", show_page), Route("/plugins/{name}/{path:path}", show_page))
