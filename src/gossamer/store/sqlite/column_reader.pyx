"""Read the rows of a query as columns, in compiled code, by the copy of SQLite that Python itself uses.

A second copy of SQLite in a process is dangerous: locks on a file belong to the process, and either copy releases those of the
other (https://www.sqlite.org/howtocorrupt.html, section 2.2.1). So nothing is linked here: the functions are looked up in Python's
own module, and a Python that hides them gets `None` from `find_library`.
"""

import ctypes
import sqlite3

import _sqlite3
import numpy as np

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef extern from *:
    """
    typedef struct {
        int (*open_v2)(const char *, void **, int, const char *);
        int (*close_v2)(void *);
        int (*busy_timeout)(void *, int);
        int (*prepare_v2)(void *, const char *, int, void **, const char **);
        int (*step)(void *);
        int (*finalize)(void *);
        int (*column_count)(void *);
        int (*column_type)(void *, int);
        long long (*column_int64)(void *, int);
        double (*column_double)(void *, int);
        const void *(*column_blob)(void *, int);
        int (*column_bytes)(void *, int);
        int (*errcode)(void *);
        const char *(*errmsg)(void *);
    } Library;
    """
    ctypedef struct Library:
        int (*open_v2)(const char *, void **, int, const char *) noexcept nogil
        int (*close_v2)(void *) noexcept nogil
        int (*busy_timeout)(void *, int) noexcept nogil
        int (*prepare_v2)(void *, const char *, int, void **, const char **) noexcept nogil
        int (*step)(void *) noexcept nogil
        int (*finalize)(void *) noexcept nogil
        int (*column_count)(void *) noexcept nogil
        int (*column_type)(void *, int) noexcept nogil
        long long (*column_int64)(void *, int) noexcept nogil
        double (*column_double)(void *, int) noexcept nogil
        const void *(*column_blob)(void *, int) noexcept nogil
        int (*column_bytes)(void *, int) noexcept nogil
        int (*errcode)(void *) noexcept nogil
        const char *(*errmsg)(void *) noexcept nogil

ctypedef struct Column:
    uint8_t kind
    int64_t *numbers
    double *fractions
    int64_t *starts
    uint8_t *held
    int64_t room

cdef enum:
    INTEGER = 1
    FLOAT = 2
    TEXT = 3
    BLOB = 4
    ROW = 100
    DONE = 101
    READ_ONLY_URI = 0x41  # SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
    # What a batch ends with beside the results of SQLite: a value of another type than its column, and no memory.
    WRONG_TYPE = -1
    NO_MEMORY = -2

_NAMES = (
    *("open_v2", "close_v2", "busy_timeout", "prepare_v2", "step", "finalize", "column_count", "column_type"),
    *("column_int64", "column_double", "column_blob", "column_bytes", "errcode", "errmsg"),
)


class ColumnTypeError(Exception):
    """A column has a value that is missing or of another type than its first."""


def find_library():
    """Return the addresses of the functions of SQLite that Python itself uses; None if Python hides them."""
    try:
        found = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        found.sqlite3_libversion.restype = ctypes.c_char_p
        if found.sqlite3_libversion().decode() != sqlite3.sqlite_version:
            return None
        return tuple(ctypes.cast(getattr(found, f"sqlite3_{name}"), ctypes.c_void_p).value for name in _NAMES)
    except (OSError, AttributeError):
        return None


cdef class ColumnReader:
    """A connection that reads a database, and returns columns."""

    cdef Library _library
    cdef void *_database

    def __cinit__(self, str uri not None, tuple addresses not None, int wait_ms):
        self._database = NULL
        if len(addresses) * sizeof(size_t) != sizeof(Library):
            raise ValueError("these are not the functions of SQLite")
        cdef Py_ssize_t at
        cdef size_t *places = <size_t *> &self._library
        for at in range(len(addresses)):
            places[at] = addresses[at]
        path = uri.encode("utf-8")
        cdef const char *name = path
        cdef int result
        with nogil:
            result = self._library.open_v2(name, &self._database, READ_ONLY_URI, NULL)
        if result:
            raise self._make_error(result)
        self._library.busy_timeout(self._database, wait_ms)

    def __dealloc__(self):
        self.close()

    def close(self):
        """Close the connection, and end its transaction."""
        if self._database != NULL:
            self._library.close_v2(self._database)
            self._database = NULL

    def execute(self, str query not None):
        """Carry out a statement that returns nothing."""
        for _ in self.read_batches(query, "", 1):
            pass

    def read_batches(self, str query not None, str columns not None, int most):
        """Yield the rows of a query in batches of columns; `columns` has n for numbers and b for bytes or texts."""
        statement = Statement(self, query, columns)
        try:
            while (batch := (<Statement> statement).read_batch(most)) is not None:
                yield batch
        finally:
            (<Statement> statement).finish()

    cdef _make_error(self, int result):
        cdef const char *said = self._library.errmsg(self._database) if self._database != NULL else NULL
        error = sqlite3.OperationalError(said.decode("utf-8", "replace") if said != NULL else "no memory")
        error.sqlite_errorcode = result
        return error


cdef class Statement:
    """One query that is being read."""

    cdef ColumnReader _reader
    cdef void *_statement
    cdef Column *_columns
    cdef int _width
    cdef str _kinds
    cdef bint _is_done

    def __cinit__(self, ColumnReader reader not None, str query not None, str kinds not None):
        self._statement, self._columns = NULL, NULL
        self._reader, self._kinds, self._width, self._is_done = reader, kinds, len(kinds), False
        if reader._database == NULL:
            raise ValueError("the connection is closed")
        text = query.encode("utf-8")
        cdef const char *start = text
        cdef int result
        with nogil:
            result = reader._library.prepare_v2(reader._database, start, -1, &self._statement, NULL)
        if result:
            raise reader._make_error(result)
        if reader._library.column_count(self._statement) != self._width:
            raise ValueError(f"{query} has other columns than {kinds!r}")
        self._columns = <Column *> malloc(max(1, self._width) * sizeof(Column))
        if self._columns == NULL:
            raise MemoryError
        cdef int at
        for at in range(self._width):
            self._columns[at] = Column(BLOB if kinds[at] == "b" else 0, NULL, NULL, NULL, NULL, 0)

    def __dealloc__(self):
        self.finish()

    cdef void finish(self) noexcept:
        cdef int at
        if self._columns != NULL:
            for at in range(self._width):
                free(self._columns[at].held)
            free(self._columns)
            self._columns = NULL
        if self._statement != NULL:
            self._reader._library.finalize(self._statement)
            self._statement = NULL

    cdef read_batch(self, int most):
        """Return the columns of the next rows; None after the last."""
        if self._is_done:
            return None
        cdef int at, result
        cdef int64_t count = 0
        cdef int64_t[::1] room
        rooms = []
        for at in range(self._width):
            array = np.empty(most + 1, np.int64)
            room = array
            self._columns[at].numbers = self._columns[at].starts = &room[0]
            self._columns[at].fractions = <double *> &room[0]
            rooms.append(array)
        with nogil:
            result = self._fill(most, &count)
        self._is_done = result != ROW
        if result == WRONG_TYPE:
            raise ColumnTypeError
        if result == NO_MEMORY:
            raise MemoryError
        if result != ROW and result != DONE:
            raise self._reader._make_error(result)
        return [self._take(at, rooms[at], count) for at in range(self._width)] if count else None

    cdef int _fill(self, int64_t most, int64_t *count) noexcept nogil:
        """Read rows until the batch is full; return the last result."""
        cdef int at, result = ROW
        for at in range(self._width):
            if self._columns[at].kind == BLOB:
                self._columns[at].starts[0] = 0
        while count[0] < most:
            result = self._reader._library.step(self._statement)
            if result != ROW:
                return result
            for at in range(self._width):
                result = self._read_value(at, count[0])
                if result != ROW:
                    return result
            count[0] += 1
        return ROW

    cdef int _read_value(self, int at, int64_t row) noexcept nogil:
        cdef Library *library = &self._reader._library
        cdef Column *column = &self._columns[at]
        cdef int kind = library.column_type(self._statement, at)
        cdef int size
        if column.kind == BLOB:
            if kind != BLOB and kind != TEXT:
                return WRONG_TYPE
            value = library.column_blob(self._statement, at)
            size = library.column_bytes(self._statement, at)
            if column.starts[row] + size > column.room and not _make_room(column, column.starts[row] + size):
                return NO_MEMORY
            if size:
                if value == NULL:
                    return NO_MEMORY
                memcpy(column.held + column.starts[row], value, size)
            column.starts[row + 1] = column.starts[row] + size
            return ROW
        if kind != INTEGER and kind != FLOAT:
            return WRONG_TYPE
        if column.kind == 0:
            column.kind = kind
        if column.kind == FLOAT:
            column.fractions[row] = library.column_double(self._statement, at)
        elif kind == INTEGER:
            column.numbers[row] = library.column_int64(self._statement, at)
        else:
            return WRONG_TYPE
        return ROW

    cdef _take(self, int at, room, int64_t count):
        """Return a filled column as arrays that outlive this batch."""
        cdef Column *column = &self._columns[at]
        if column.kind != BLOB:
            numbers = room[:count]
            return numbers.view(np.float64) if column.kind == FLOAT else numbers
        held = np.empty(column.starts[count], np.uint8)
        cdef uint8_t[::1] into = held
        if len(into):
            memcpy(&into[0], column.held, len(into))
        return held, room[: count + 1]


cdef bint _make_room(Column *column, int64_t size) noexcept nogil:
    cdef int64_t room = max(2 * column.room, max(size, 65536))
    cdef uint8_t *larger = <uint8_t *> realloc(column.held, room)
    if larger == NULL:
        return False
    column.held, column.room = larger, room
    return True
