"""Check that an extra is installed before a verb starts what it could not finish."""

from importlib.util import find_spec

from gossamer.errors import MissingExtra

_MODULES = {
    "lab": ("wordfreq",),
    "ray": ("ray", "grpc", "psycopg", "obstore"),
    "serve": ("starlette", "jinja2", "uvicorn", "tantivy"),
}
"""What verbs cannot do without. Other extras are missed at once, where their packages are imported."""


def check_extra(extra: str) -> None:
    """Raise `MissingExtra` if an extra is not installed; import none of its modules."""
    for module in _MODULES[extra]:
        if find_spec(module) is None:
            raise MissingExtra(extra, module)
