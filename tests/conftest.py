"""Shared by all tests: the folder of the development data, and the settings of hypothesis."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.postgres_server import postgres_server, postgres_web

__all__ = ["postgres_server", "postgres_web"]  # fixtures for all tests

REPOSITORY = Path(__file__).resolve().parents[1]
DATA = REPOSITORY.parent / "shared" / "data"

# Timings on shared machines vary too much for a deadline to mean anything.
settings.register_profile(
    "default", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
# For `make check`: every run tries others.
settings.register_profile("quick", settings.get_profile("default"), max_examples=20)
settings.load_profile("default")


def pytest_collection_finish() -> None:
    """Let the collector skip the modules and the thousands of tests that are loaded by now, and stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def data() -> Path:
    """The development data beside the repository; tests that need it skip without."""
    if not DATA.is_dir():
        pytest.skip(f"no development data at {DATA.relative_to(REPOSITORY.parent)}")
    return DATA


@pytest.fixture(scope="session", autouse=True)
def _no_credentials_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the tests away from the passwords and the cache of the person who runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOSSAMER_CONFIG", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("NETRC", str(tmp_path_factory.mktemp("netrc") / "none"))
        patch.delenv("GOSSAMER_AUTH", raising=False)
        patch.delenv("GOSSAMER_WEB_MODE", raising=False)
        yield
