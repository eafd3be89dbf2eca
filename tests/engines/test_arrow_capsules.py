"""What is no Arrow array, or a damaged one, is an error with a message, and never more than that."""

import ctypes
import struct

import pytest
from capsules import RELEASE_ARRAY, RELEASE_SCHEMA, RELEASE_STREAM, Producer, StreamProducer

import urlkey.arrow

URL = b"HTTP://a.example"


def offsets(*ends, width="i"):
    return struct.pack(f"{len(ends)}{width}", *ends)


def view(text, buffer=0, start=0, length=None):
    length = len(text) if length is None else length
    if length <= 12:
        return struct.pack("i12s", length, text)
    return struct.pack("i4sii", length, text[:4], buffer, start)


def good():
    return Producer(b"u", [None, offsets(0, 16, 16), URL], 2)


def views(view, buffers=(URL,), lengths=None):
    lengths = [len(buffer) for buffer in buffers] if lengths is None else lengths
    return Producer(b"vu", [None, view, *buffers, struct.pack(f"{len(lengths)}q", *lengths)], 1)


def indexed(indices, format=b"c", length=1, **fields):
    return Producer(format, [None, indices], length, **fields).with_dictionary(good())


def test_what_is_made_here_is_read():
    """The producer of these tests is right where nothing is wrong on purpose."""
    for producer in (good(), StreamProducer(good(), good())):
        assert set(urlkey.arrow.keys(producer).to_pylist()) == {"http://a.example/", None}
        assert producer.released == 1
    assert urlkey.arrow.keys(views(view(URL))).to_pylist() == ["http://a.example/"]
    assert urlkey.arrow.keys(views(view(b"http://a.b"))).to_pylist() == ["http://a.b/"]
    assert urlkey.arrow.keys(indexed(b"\0")).to_pylist() == ["http://a.example/"]


@pytest.mark.parametrize("given", ["http://a.example/", ["http://a.example/"], None, 3, object()])
def test_what_is_no_arrow_array_is_a_type_error(given):
    with pytest.raises(TypeError, match="array must be an Arrow array"):
        urlkey.arrow.keys(given)


@pytest.mark.parametrize("answer", [None, (), (1, 2), (1, 2, 3), "ab", [1, 2]])
def test_what_is_no_pair_of_capsules_is_a_type_error(answer):
    class Wrong:
        def __arrow_c_array__(self, requested_schema=None):
            return answer

    with pytest.raises(TypeError, match="capsule"):
        urlkey.arrow.keys(Wrong())


@pytest.mark.parametrize("names", [(b"arrow_array", b"arrow_schema"), (b"arrow_schema", b"x"), (b"arrow_schema", None)])
def test_a_capsule_of_another_name_is_a_type_error(names):
    producer = good()
    producer.names = names
    with pytest.raises(TypeError, match="there must be a capsule named"):
        urlkey.arrow.keys(producer)
    assert producer.released == 0


def test_an_exception_of_the_producer_is_raised_as_it_is():
    class Failing:
        def __arrow_c_array__(self, requested_schema=None):
            raise RuntimeError("the source is gone")

    class FailingStream:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("the source is gone")

    for producer in (Failing(), FailingStream()):
        with pytest.raises(RuntimeError, match="the source is gone"):
            urlkey.arrow.keys(producer)


DAMAGED = {
    "a length below zero": lambda: Producer(b"u", [None, offsets(0), b""], -1),
    "a length beyond memory": lambda: Producer(b"u", [None, offsets(0), b""], 2**62),
    "an offset below zero": lambda: Producer(b"u", [None, offsets(0, 0), b""], 1, offset=-1),
    "an offset beyond memory": lambda: Producer(b"u", [None, offsets(0, 0), b""], 1, offset=2**62),
    "buffers below zero": lambda: Producer(b"u", [], 1, n_buffers=-1),
    "no buffers": lambda: Producer(b"u", [], 1),
    "no pointer to buffers": lambda: Producer(b"u", [], 1, n_buffers=3).without_buffers(),
    "no offsets": lambda: Producer(b"u", [None, None, URL], 1),
    "no values": lambda: Producer(b"u", [None, offsets(0, 16), None], 1),
    "a buffer too few": lambda: Producer(b"u", [None, offsets(0, 16)], 1),
    "offsets that fall": lambda: Producer(b"u", [None, offsets(0, 16, 8), URL], 2),
    "offsets below zero": lambda: Producer(b"u", [None, offsets(-4, 8), URL], 1),
    "an end below zero": lambda: Producer(b"u", [None, offsets(0, -8), URL], 1),
    "long offsets that fall": lambda: Producer(b"U", [None, offsets(0, 16, 8, width="q"), URL], 2),
    "long offsets below zero": lambda: Producer(b"U", [None, offsets(-4, 8, width="q"), URL], 1),
    "views of no buffer": lambda: views(view(URL), buffers=()),
    "views of another buffer": lambda: views(view(URL, buffer=1)),
    "views of a buffer below zero": lambda: views(view(URL, buffer=-1)),
    "views from below zero": lambda: views(view(URL, start=-1)),
    "views beyond the end": lambda: views(view(URL, start=1)),
    "views below zero": lambda: views(struct.pack("i4sii", -5, URL[:4], 0, 0)),
    "lengths below zero": lambda: views(view(URL), lengths=[-1]),
    "views without lengths": lambda: Producer(b"vu", [None, view(URL)], 1),
    "an index beyond the values": lambda: indexed(b"\2"),
    "an index below zero": lambda: indexed(b"\xff"),
    "a wide index below zero": lambda: indexed(struct.pack("q", -1), b"l"),
    "indices that are no integers": lambda: indexed(URL, b"g"),
    "indices that are missing": lambda: indexed(None),
    "another type": lambda: Producer(b"l", [None, offsets(1, width="q")], 1),
    "a record batch": lambda: Producer(b"+s", [None], 2).with_children(good()),
    "children that no type has": lambda: Producer(b"u", [None, offsets(0, 0), b""], 1, n_children=1),
    "children below zero": lambda: Producer(b"u", [None, offsets(0, 0), b""], 1, n_children=-1),
    "an unknown type": lambda: Producer(b"?", [None], 1),
    "an empty type": lambda: Producer(b"", [None], 1),
}


@pytest.mark.parametrize("make", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_array_is_an_error_and_is_released(make):
    producer = make()
    with pytest.raises(ValueError, match=r"array|column|buffer|row|view|dictionary|type") as error:
        urlkey.arrow.keys(producer)
    assert type(error.value) is ValueError
    assert producer.released == 1


def test_a_dictionary_without_values_is_an_error():
    producer = indexed(b"\0")
    producer.array.dictionary = None
    with pytest.raises(ValueError, match="dictionary"):
        urlkey.arrow.keys(producer)


def test_what_is_released_is_an_error():
    producer = good()
    producer.array.release = RELEASE_ARRAY()
    with pytest.raises(ValueError, match="the array is released"):
        urlkey.arrow.keys(producer)
    producer = good()
    producer.schema.release = RELEASE_SCHEMA()
    with pytest.raises(ValueError, match="the schema is released"):
        urlkey.arrow.keys(producer)
    producer = StreamProducer(good())
    producer.stream.release = RELEASE_STREAM()
    with pytest.raises(ValueError, match="the stream is released"):
        urlkey.arrow.keys(producer)


def test_a_schema_without_a_format_is_an_error():
    producer = good()
    producer.schema.format = None
    with pytest.raises(ValueError, match="the schema has no format"):
        urlkey.arrow.keys(producer)


def test_a_type_that_holds_itself_is_an_error():
    producer = good()
    producer.with_children(producer)
    with pytest.raises(ValueError, match="nested deeper"):
        urlkey.arrow.keys(producer)


def test_damaged_metadata_are_an_error():
    for metadata in (struct.pack("i", -1), struct.pack("ii", 1, -1), struct.pack("ii", 1, 2**30)):
        producer = good()
        kept = ctypes.create_string_buffer(metadata)
        producer.schema.metadata = ctypes.addressof(kept)
        with pytest.raises(ValueError, match="metadata are damaged"):
            urlkey.arrow.keys(producer)


def test_an_array_without_rows_needs_no_buffers():
    for format in (b"u", b"U", b"z", b"n"):
        assert urlkey.arrow.keys(Producer(format, [None, None, None], 0)).to_pylist() == []
    assert urlkey.arrow.keys(Producer(b"vu", [], 0)).to_pylist() == []


def test_bits_are_read_from_the_offset_on():
    producer = Producer(b"u", [b"\x02\x01", offsets(*range(0, 160, 16), 160), URL * 10], 9, offset=1, null_count=-1)
    assert urlkey.arrow.keys(producer).to_pylist() == ["http://a.example/", *[None] * 6, "http://a.example/", None]


def test_a_stream_that_fails_says_why():
    with pytest.raises(ValueError, match="the stream failed: the disk is full"):
        urlkey.arrow.keys(StreamProducer(good(), status=5, message=b"the disk is full\n"))
    with pytest.raises(ValueError, match="the stream failed with status 5"):
        urlkey.arrow.keys(StreamProducer(good(), status=5))
    failing = StreamProducer(good(), schema_status=22, message=b"no schema")
    with pytest.raises(ValueError, match="the stream failed: no schema"):
        urlkey.arrow.keys(failing)
    assert failing.released == 1


def test_a_damaged_array_in_a_stream_is_an_error():
    stream = StreamProducer(good(), DAMAGED["offsets that fall"]())
    with pytest.raises(ValueError, match="damaged"):
        urlkey.arrow.keys(stream)
    assert stream.released == 1
