"""Objects in S3, Google Cloud Storage or Azure; the only module that imports obstore."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, cast

from gossamer.errors import BadInput, MissingExtra, StoreAway, StoreFailed
from gossamer.store.shared_archive.aws_settings import read_aws_settings
from gossamer.store.shared_archive.object_store import StoredObject

try:
    import obstore
    from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, UnauthenticatedError
    from obstore.store import AzureStore, GCSStore, S3Store
except ModuleNotFoundError:
    raise MissingExtra("cluster", "obstore") from None

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config

# Where the library asks for the credentials of a machine if the environment has none: AWS, Google, Azure.
_MACHINE = re.compile(r"/latest/(?:api/token|meta-data)|/computeMetadata/|/metadata/identity")
_STATUS = re.compile(r"status code: (\d{3})")
# RFC 9110: the request may be sent again later. Codes from 500 on, too, except for what a server does not have.
_PASSING = {408, 409, 425, 429}
_NOT_IMPLEMENTED = 501
_RANGE = 416
_SERVER = 500
# Longer waits, and words about them, are the business of `wait_for_store`.
_RETRY: "RetryConfig" = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}
# A segment of 20 MB over a line of 2 Mbit/s takes 80 s.
_REQUEST_S, _CONNECT_S = 120, 5
# S3 takes at most 10,000 parts: 160 GB.
_PART_BYTES = 16 << 20
_PARTS_AT_ONCE = 4
_DELETED_AT_ONCE = 1000


def open_cloud_store(scheme: str, bucket: str, prefix: str, address: str) -> "CloudStore":
    """Open a bucket or container; credentials come from the environment. Nothing is asked yet."""
    client: ClientConfig = {"timeout": f"{_REQUEST_S}s", "connect_timeout": f"{_CONNECT_S}s"}
    common: dict[str, Any] = {"prefix": prefix or None, "retry_config": _RETRY, "client_options": client}
    try:
        match scheme:
            case "s3":
                settings = read_aws_settings()
                if settings.get("endpoint", "").startswith("http://"):
                    client["allow_http"] = True
                return CloudStore(S3Store(bucket, config=cast("S3Config", settings), **common), address)
            case "gs":
                return CloudStore(GCSStore(bucket, **common), address)
            case _:
                return CloudStore(AzureStore(bucket, **common), address)
    except (BaseError, ValueError):
        raise BadInput(
            f"the archive at {address} cannot be opened: the settings for it in the environment are incomplete"
        ) from None


class CloudStore:
    """An `ObjectStore` in a bucket."""

    def __init__(self, bucket: "S3Store | GCSStore | AzureStore", address: str) -> None:
        self.address = address
        self._bucket = bucket

    def create(self, name: str, data: bytes) -> bool:
        """Write an object that survives a power failure; return False if the name is taken."""
        with self._explain():
            try:
                obstore.put(self._bucket, name, data, mode="create", use_multipart=False)
            except AlreadyExistsError:
                return False
            return True

    def upload(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a large object in pieces.

        obstore can take an iterator, but runs it where no other request can be made. A writer that is not closed stores
        nothing; its parts stay until the bucket's rule for unfinished uploads deletes them.
        """
        with self._explain():
            writer = obstore.open_writer(
                self._bucket, name, buffer_size=_PART_BYTES, max_concurrency=_PARTS_AT_ONCE
            )
            for piece in pieces:
                writer.write(piece)
            writer.close()

    def read(self, name: str, start: int = 0, length: int | None = None) -> bytes | None:
        """Return bytes of an object, fewer where it ends; None if there is no such object."""
        with self._explain():
            try:
                if start == 0 and length is None:
                    return bytes(obstore.get(self._bucket, name).bytes())
                if length is None:
                    options: Any = {"range": {"offset": start}}
                    return bytes(obstore.get(self._bucket, name, options=options).bytes())
                return bytes(obstore.get_range(self._bucket, name, start=start, length=length))
            except FileNotFoundError as error:
                _check_bucket(error, self.address)
                return None
            except BaseError as error:
                if _find_status(error) == _RANGE:
                    return b""
                raise

    def find(self, name: str) -> StoredObject | None:
        """Return what a listing would say about an object; None if there is none."""
        with self._explain():
            try:
                found = obstore.head(self._bucket, name)
            except FileNotFoundError:
                return None
            return StoredObject(name, found["size"], found["last_modified"].timestamp())

    def list(self, folder: str, after: str = "") -> Iterator[StoredObject]:
        """Yield the objects in a folder and the folders within, sorted, whose names come after `after`."""
        with self._explain():
            for pieces in obstore.list(self._bucket, folder, offset=after or None):
                for each in pieces:
                    yield StoredObject(each["path"], each["size"], each["last_modified"].timestamp())

    def delete(self, names: Iterable[str]) -> None:
        """Delete objects; names that are not there are ignored."""
        every = list(names)
        for at in range(0, len(every), _DELETED_AT_ONCE):
            with self._explain():
                obstore.delete(self._bucket, every[at : at + _DELETED_AT_ONCE])

    @contextmanager
    def _explain(self) -> Iterator[None]:
        """Turn errors into one sentence. Those of the library are long, and hold the request."""
        try:
            yield
        except FileNotFoundError as error:
            _check_bucket(error, self.address)
            raise StoreFailed(f"the archive at {self.address} lacks an object") from None
        except (PermissionDeniedError, UnauthenticatedError):
            raise StoreFailed(
                f"the archive at {self.address} refuses these credentials, or has none for this"
            ) from None
        except (BaseError, OSError) as error:
            if _MACHINE.search(str(error)):
                raise StoreAway(
                    f"there are no credentials for the archive at {self.address} in the environment"
                ) from None
            raise _make_failure(self.address, _find_status(error)) from None


def _make_failure(address: str, status: int) -> StoreFailed:
    if status == _NOT_IMPLEMENTED:
        return StoreFailed(f"the archive at {address} cannot create objects on condition, which is needed")
    if not status:
        return StoreAway(f"the archive at {address} cannot be reached")
    kind = StoreAway if status in _PASSING or status >= _SERVER else StoreFailed
    return kind(f"the archive at {address} answered with the error {status}")


def _check_bucket(error: FileNotFoundError, address: str) -> None:
    if "NoSuchBucket" in str(error) or "ContainerNotFound" in str(error):
        raise StoreFailed(f"there is no bucket for the archive at {address}") from None


def _find_status(error: BaseError | OSError) -> int:
    found = _STATUS.search(str(error))
    return int(found[1]) if found else 0
