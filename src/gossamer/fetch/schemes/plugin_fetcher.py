"""Fetches pages of further schemes by plug-ins, within the limits of a task."""

import asyncio
import inspect
import time
from functools import lru_cache
from typing import Any

from gossamer.fetch.fetcher import FetchOptions, HostAddresses
from gossamer.plugins import Plugin, load_plugin
from gossamer.records import Exchange, Failed, Fetched, Outcome


@lru_cache(maxsize=64)
def load_fetcher(scheme: str) -> Plugin:
    """Load the fetcher of a scheme; raise BadInput if no package offers one."""
    return load_plugin("schemes", scheme)


async def fetch_by_plugin(url: str, where: HostAddresses, options: FetchOptions) -> Outcome:
    """Fetch a page by the plug-in of its scheme, from the first of these addresses, which the guard allows.

    The plug-in gets the URL, the address and the largest number of bytes; it returns a media type and a body.
    """
    scheme = url.partition(":")[0]
    if scheme not in options.settings.schemes or not where.addresses:
        return Failed("protocol", f"the task fetches no pages of {scheme}:")
    plugin, began_s = load_fetcher(scheme), time.time()
    try:
        async with asyncio.timeout(options.settings.page_time_s):
            kind, body = _check_answer(
                await _call(plugin, url, where.addresses[0], options.settings.page_bytes)
            )
    except TimeoutError:
        return Failed("timeout", f"{plugin.kind} {scheme}: no answer in time")
    except OSError as error:
        return Failed("connect", f"{scheme}: {error}"[:200])
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
        return Failed("internal", plugin.describe_failure(error))
    return Fetched(_make_exchange(url, where.addresses[0], kind, body, options.settings.page_bytes, began_s))


async def _call(plugin: Plugin, *given: Any) -> Any:
    if inspect.iscoroutinefunction(plugin.__wrapped__):
        return await plugin(*given)
    return await asyncio.to_thread(plugin, *given)


def _check_answer(answer: Any) -> tuple[str, bytes]:
    match answer:
        case (str(kind), bytes(body)):
            return kind, body
    raise TypeError("it returned no media type and bytes")


def _make_exchange(url: str, address: str, kind: str, body: bytes, most: int, began_s: float) -> Exchange:
    took_s = max(0.0, time.time() - began_s)
    return Exchange(
        url=url,
        status=200,
        request_head=b"",
        response_head=b"",
        payload=body[:most],
        body=body[:most],
        headers=(("content-type", kind),),
        address=address,
        began_s=began_s,
        first_byte_s=took_s,
        took_s=took_s,
        cut="length" if len(body) > most else "",
    )
