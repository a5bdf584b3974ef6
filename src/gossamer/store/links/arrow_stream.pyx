"""Read Arrow streams as numpy arrays, without pyarrow, which takes longer to import than most webs to read.

Source: the Arrow C data and C stream interfaces, https://arrow.apache.org/docs/format/CDataInterface.html
"""

import numpy as np

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <stdint.h>
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    struct ArrowSchema {
        const char *format, *name, *metadata;
        int64_t flags, n_children;
        struct ArrowSchema **children, *dictionary;
        void (*release)(struct ArrowSchema *);
        void *private_data;
    };
    struct ArrowArray {
        int64_t length, null_count, offset, n_buffers, n_children;
        const void **buffers;
        struct ArrowArray **children, *dictionary;
        void (*release)(struct ArrowArray *);
        void *private_data;
    };
    #endif
    #ifndef ARROW_C_STREAM_INTERFACE
    #define ARROW_C_STREAM_INTERFACE
    struct ArrowArrayStream {
        int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
        int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
        const char *(*get_last_error)(struct ArrowArrayStream *);
        void (*release)(struct ArrowArrayStream *);
        void *private_data;
    };
    #endif
    """
    struct ArrowSchema:
        const char *format
        int64_t n_children
        ArrowSchema **children
        void (*release)(ArrowSchema *) noexcept

    struct ArrowArray:
        int64_t length, null_count, offset, n_children
        const void **buffers
        ArrowArray **children
        void (*release)(ArrowArray *) noexcept

    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *) noexcept
        int (*get_next)(ArrowArrayStream *, ArrowArray *) noexcept nogil
        const char *(*get_last_error)(ArrowArrayStream *) noexcept

_NUMBERS = {b"l": np.int64, b"g": np.float64}
_BYTES = (b"z", b"u")


class StreamFailed(Exception):
    """The stream reports an error, or has columns of an unexpected type."""


def read_batches(stream):
    """Yield the columns of each batch of a stream: any object that has `__arrow_c_stream__`.

    A column of 64-bit numbers becomes an array; texts and bytes become two: all values concatenated, and their starts.
    """
    capsule = stream.__arrow_c_stream__()
    formats = _read_formats(capsule)
    while (columns := _read_next(capsule, formats)) is not None:
        yield columns


cdef ArrowArrayStream *_unwrap(capsule) except NULL:
    return <ArrowArrayStream *> PyCapsule_GetPointer(capsule, "arrow_array_stream")


cdef list _read_formats(capsule):
    """Return the Arrow format of each column."""
    cdef ArrowArrayStream *stream = _unwrap(capsule)
    cdef ArrowSchema schema
    cdef int64_t at
    if stream.get_schema(stream, &schema) != 0:
        raise StreamFailed(_read_error(stream))
    try:
        return [bytes(schema.children[at].format) for at in range(schema.n_children)]
    finally:
        schema.release(&schema)


def _read_next(capsule, list formats not None):
    """Return the columns of the next batch, or None after the last."""
    cdef ArrowArrayStream *stream = _unwrap(capsule)
    cdef ArrowArray batch
    cdef int failed
    cdef int64_t at
    with nogil:
        failed = stream.get_next(stream, &batch)
    if failed:
        raise StreamFailed(_read_error(stream))
    if batch.release == NULL:
        return None
    try:
        if batch.n_children != len(formats) or batch.offset != 0:
            raise StreamFailed("a batch does not have the columns of its stream")
        return [_read_column(batch.children[at], formats[at]) for at in range(batch.n_children)]
    finally:
        batch.release(&batch)


cdef _read_column(const ArrowArray *column, bytes format):
    if column.null_count > 0:
        raise StreamFailed("there is a value missing")
    if format in _NUMBERS:
        return _copy_values(<const uint8_t *> column.buffers[1] + 8 * column.offset, column.length, _NUMBERS[format])
    if format in _BYTES:
        return _read_texts(column)
    raise StreamFailed(f"there is a column of the type {format!r}")


cdef _read_texts(const ArrowArray *column):
    cdef const int32_t *offsets = <const int32_t *> column.buffers[1] + column.offset
    starts = _copy_values(<const uint8_t *> offsets, column.length + 1, np.int32).astype(np.int64)
    held = _copy_values(<const uint8_t *> column.buffers[2] + offsets[0], offsets[column.length] - offsets[0], np.uint8)
    return held, starts - starts[0]


cdef _copy_values(const uint8_t *source, int64_t count, kind):
    """Copy values, so that they outlive the stream."""
    array = np.empty(count, kind)
    cdef uint8_t[::1] room = array.view(np.uint8)
    if len(room):
        memcpy(&room[0], source, len(room))
    return array


cdef str _read_error(ArrowArrayStream *stream):
    cdef const char *said = stream.get_last_error(stream)
    return said.decode("utf-8", "replace") if said != NULL else "the stream broke off"
