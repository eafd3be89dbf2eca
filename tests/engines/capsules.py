"""Arrow capsules made by hand, with whatever one likes in them: what a careless or hostile producer hands over."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p, pointer, pythonapi


class Schema(Structure):
    pass


class Array(Structure):
    pass


class Stream(Structure):
    pass


RELEASE_SCHEMA = CFUNCTYPE(None, POINTER(Schema))
RELEASE_ARRAY = CFUNCTYPE(None, POINTER(Array))
RELEASE_STREAM = CFUNCTYPE(None, POINTER(Stream))
GET_SCHEMA = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))
GET_NEXT = CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))
LAST_ERROR = CFUNCTYPE(c_void_p, POINTER(Stream))

Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", RELEASE_SCHEMA),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", RELEASE_ARRAY),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", LAST_ERROR),
    ("release", RELEASE_STREAM),
    ("private_data", c_void_p),
]

new_capsule = pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]


@RELEASE_SCHEMA
def release_schema(schema):
    schema[0].release = RELEASE_SCHEMA()


class Producer:
    """An object with `__arrow_c_array__`. Keeps what its structs point to, and counts how often it was released."""

    def __init__(self, format=b"u", buffers=(), length=0, **fields):
        self.released = 0
        self.kept = [
            ctypes.create_string_buffer(buffer, len(buffer)) if buffer is not None else None for buffer in buffers
        ]
        addresses = [None if buffer is None else ctypes.addressof(buffer) for buffer in self.kept]
        self.addresses = (c_void_p * max(1, len(addresses)))(*addresses)
        self.schema = Schema(format=format, name=b"url", flags=2, release=release_schema)
        self.callback = RELEASE_ARRAY(self.release)
        fields = {
            "length": length,
            "n_buffers": len(buffers),
            "buffers": self.addresses,
            "release": self.callback,
        } | fields
        self.array = Array(**fields)
        self.names = (b"arrow_schema", b"arrow_array")

    def release(self, array):
        self.released += 1
        array[0].release = RELEASE_ARRAY()

    def __arrow_c_array__(self, requested_schema=None):
        structs = (self.schema, self.array)
        return tuple(
            new_capsule(ctypes.addressof(struct), name, None) for struct, name in zip(structs, self.names, strict=True)
        )

    def without_buffers(self):
        self.array.buffers = POINTER(c_void_p)()
        return self

    def with_dictionary(self, values):
        """This one's buffers are indices into the values of another producer."""
        self.values = values
        self.schema.dictionary = pointer(values.schema)
        self.array.dictionary = pointer(values.array)
        return self

    def with_children(self, *children):
        """A record batch of other producers' arrays."""
        self.children = children
        self.child_schemas = (POINTER(Schema) * len(children))(*(pointer(child.schema) for child in children))
        self.child_arrays = (POINTER(Array) * len(children))(*(pointer(child.array) for child in children))
        self.schema.n_children = self.array.n_children = len(children)
        self.schema.children = self.child_schemas
        self.array.children = self.child_arrays
        return self


class StreamProducer:
    """An object with `__arrow_c_stream__` that gives the arrays of producers, then fails or ends."""

    def __init__(self, *producers, status=0, message=None, schema_status=0):
        self.producers = list(producers)
        self.status, self.schema_status = status, schema_status
        self.message = ctypes.create_string_buffer(message) if message is not None else None
        self.released = 0
        self.callbacks = (
            GET_SCHEMA(self.get_schema),
            GET_NEXT(self.get_next),
            LAST_ERROR(lambda _: ctypes.addressof(self.message) if self.message is not None else None),
            RELEASE_STREAM(self.release),
        )
        self.stream = Stream(*self.callbacks)

    def get_schema(self, stream, out):
        ctypes.memmove(
            out, ctypes.byref(self.producers[0].schema if self.producers else Producer().schema), ctypes.sizeof(Schema)
        )
        return self.schema_status

    def get_next(self, stream, out):
        if self.producers:
            ctypes.memmove(out, ctypes.byref(self.producers.pop(0).array), ctypes.sizeof(Array))
            return 0
        out[0].release = RELEASE_ARRAY()
        return self.status

    def release(self, stream):
        self.released += 1
        stream[0].release = RELEASE_STREAM()

    def __arrow_c_stream__(self, requested_schema=None):
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)
