"""Compare clients of S3 by what a segment costs them: CPU of the client, and time, to put, get and read a part of it.

The server is the one of the tests, or any that AWS_ENDPOINT_URL and its keys name, with a bucket `web-bytes`. Clients that
are not installed are left out: s3fs and boto3 need different versions of one package, so they take two environments. Rounds
alternate, and the best of each counts. Random bytes, as WARC segments are compressed.

    python bench/object_clients.py [--json]
"""

import importlib
import io
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

BUCKET = "web-bytes"
SIZES = (1_000_000, 5_000_000, 20_000_000)
RANGE_BYTES = 1 << 19
ROUNDS = 12


class Client(NamedTuple):
    """The three requests that an archive makes."""

    put: Callable[[str, bytes], object]
    get: Callable[[str], bytes]
    get_range: Callable[[str, int, int], bytes]


def load_clients() -> Iterator[tuple[str, Client]]:
    """Yield the clients that are installed, ready for the server of the environment."""
    for name, make in (
        ("obstore", make_obstore),
        ("opendal", make_opendal),
        ("pyarrow", make_pyarrow),
        ("boto3", make_boto3),
        ("minio", make_minio),
        ("s3fs", make_s3fs),
    ):
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        yield f"{name} {find_version(name)}", make(module)


def find_version(name: str) -> str:
    """Return the version of a package."""
    from importlib.metadata import version

    return version(name)


def make_obstore(module: Any) -> Client:
    """Return obstore's requests, in one part each."""
    store = importlib.import_module("obstore.store").S3Store(
        BUCKET, client_options={"allow_http": True}, endpoint=os.environ["AWS_ENDPOINT_URL"]
    )
    return Client(
        lambda name, data: module.put(store, name, data, use_multipart=False),
        lambda name: bytes(module.get(store, name).bytes()),
        lambda name, start, length: bytes(module.get_range(store, name, start=start, length=length)),
    )


def make_opendal(module: Any) -> Client:
    """Return OpenDAL's requests."""
    operator = module.Operator("s3", bucket=BUCKET, endpoint=os.environ["AWS_ENDPOINT_URL"], region="default")

    def get_range(name: str, start: int, length: int) -> bytes:
        return bytes(operator.read(name, offset=start, size=length))

    return Client(operator.write, lambda name: bytes(operator.read(name)), get_range)


def make_pyarrow(_: Any) -> Client:
    """Return the requests of Arrow's file system."""
    files = importlib.import_module("pyarrow.fs").S3FileSystem(
        endpoint_override=os.environ["AWS_ENDPOINT_URL"].removeprefix("http://"),
        scheme="http",
        region="default",
    )

    def put(name: str, data: bytes) -> None:
        with files.open_output_stream(f"{BUCKET}/{name}") as stream:
            stream.write(data)

    def get(name: str) -> bytes:
        with files.open_input_file(f"{BUCKET}/{name}") as file:
            return bytes(file.read())

    def get_range(name: str, start: int, length: int) -> bytes:
        with files.open_input_file(f"{BUCKET}/{name}") as file:
            return bytes(file.read_at(length, start))

    return Client(put, get, get_range)


def make_boto3(module: Any) -> Client:
    """Return boto3's requests."""
    client = module.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"], region_name="default")

    def get_range(name: str, start: int, length: int) -> bytes:
        part = f"bytes={start}-{start + length - 1}"
        return bytes(client.get_object(Bucket=BUCKET, Key=name, Range=part)["Body"].read())

    return Client(
        lambda name, data: client.put_object(Bucket=BUCKET, Key=name, Body=data),
        lambda name: bytes(client.get_object(Bucket=BUCKET, Key=name)["Body"].read()),
        get_range,
    )


def make_minio(module: Any) -> Client:
    """Return the requests of the client of MinIO."""
    keys = os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"]
    address = os.environ["AWS_ENDPOINT_URL"].removeprefix("http://")
    client = module.Minio(
        endpoint=address, access_key=keys[0], secret_key=keys[1], secure=False, region="default"
    )

    def get(name: str, start: int = 0, length: int = 0) -> bytes:
        answer = client.get_object(bucket_name=BUCKET, object_name=name, offset=start, length=length)
        try:
            return bytes(answer.data)
        finally:
            answer.close()
            answer.release_conn()

    def put(name: str, data: bytes) -> object:
        return client.put_object(
            bucket_name=BUCKET,
            object_name=name,
            data=io.BytesIO(data),
            length=len(data),
            part_size=100_000_000,
        )

    return Client(put, get, get)


def make_s3fs(module: Any) -> Client:
    """Return the requests of s3fs."""
    files = module.S3FileSystem(endpoint_url=os.environ["AWS_ENDPOINT_URL"], use_listings_cache=False)
    return Client(
        lambda name, data: files.pipe_file(f"{BUCKET}/{name}", data, chunksize=100_000_000),
        lambda name: bytes(files.cat_file(f"{BUCKET}/{name}")),
        lambda name, start, length: bytes(
            files.cat_file(f"{BUCKET}/{name}", start=start, end=start + length)
        ),
    )


def measure(client: Client, size: int, best: dict[str, tuple[float, float]]) -> None:
    """Do each of the requests once, and keep the least CPU and the least time of each."""
    name, data = f"bench/{os.urandom(8).hex()}", os.urandom(size)
    start = size // 4
    requests: dict[str, Callable[[], object]] = {
        "put": lambda: client.put(name, data),
        "get": lambda: client.get(name),
        "range": lambda: client.get_range(name, start, RANGE_BYTES),
    }
    for what, do in requests.items():
        cpu_s, began_s = time.process_time(), time.perf_counter()
        found = do()
        took = time.process_time() - cpu_s, time.perf_counter() - began_s
        assert what == "put" or found == (data if what == "get" else data[start : start + RANGE_BYTES])
        before = best.get(what, (math.inf, math.inf))
        best[what] = min(before[0], took[0]), min(before[1], took[1])


def main() -> None:
    """Measure every client that is installed."""
    clients = dict(load_clients())
    found = []
    for size in SIZES:
        best: dict[str, dict[str, tuple[float, float]]] = {name: {} for name in clients}
        for _ in range(ROUNDS):
            for name, client in list(clients.items()):
                try:
                    measure(client, size, best[name])
                except Exception as error:  # noqa: BLE001 - each has its own errors
                    print(f"{name} fails: {str(error)[:300]}", file=sys.stderr)
                    del clients[name], best[name]
        for name, figures in best.items():
            row = {"client": name, "MB": size / 1e6}
            for what, (cpu_s, took_s) in figures.items():
                row |= {f"{what} CPU ms": round(1000 * cpu_s, 1), f"{what} ms": round(1000 * took_s, 1)}
            found.append(row)
            if "--json" not in sys.argv:
                print("  ".join(f"{key} {value}" for key, value in row.items()))
    if "--json" in sys.argv:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
