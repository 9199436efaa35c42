"""The adapter's file: a FlatBuffer with the identifier TORT.

Adapter{format_version:int, adapter_version:int, model_version:int, parameters:[Parameter]}
Parameter{name:string, dims:[long], data_type:int, raw_data:[ubyte]}
"""

import struct

_IDENTIFIER = b"TORT"


class Damaged(Exception):
    """What the file says is wrong with it."""


class _Reader:
    """Offsets are checked against the file's end before they are followed."""

    def __init__(self, content):
        self._content = memoryview(content)

    def number(self, form, place):
        size = struct.calcsize(form)
        if place < 0 or place + size > len(self._content):
            raise Damaged(f"something at byte {place} of {len(self._content)} is pointed to")
        return struct.unpack_from("<" + form, self._content, place)[0]

    def follow(self, place):
        return place + self.number("I", place)

    def field(self, table, index):
        """The place of a table's field, or None."""
        directory = table - self.number("i", table)
        entry = 4 + 2 * index
        if entry >= self.number("H", directory):
            return None
        offset = self.number("H", directory + entry)
        return table + offset if offset else None

    def int(self, table, index):
        place = self.field(table, index)
        return 0 if place is None else self.number("i", place)

    def vector(self, table, index, size):
        """(place of the first element, count)."""
        place = self.field(table, index)
        if place is None:
            return 0, 0
        start = self.follow(place)
        count = self.number("I", start)
        if start + 4 + count * size > len(self._content):
            raise Damaged(f"a vector of {count} elements at byte {start} reaches past the end")
        return start + 4, count

    def bytes(self, table, index):
        start, count = self.vector(table, index, 1)
        return self._content[start : start + count]


def read_adapter(content):
    """((format version, adapter version, model version), [(name, (type, dims, bytes))])."""
    if content[4:8] != _IDENTIFIER:
        raise Damaged(f"it begins with {bytes(content[:8])!r}, the identifier TORT at byte 4 is wanted")
    reader = _Reader(content)
    root = reader.follow(0)
    start, count = reader.vector(root, 3, 4)
    parameters = []
    for i in range(count):
        table = reader.follow(start + 4 * i)
        dims_start, dims_count = reader.vector(table, 1, 8)
        dims = [reader.number("q", dims_start + 8 * k) for k in range(dims_count)]
        name = str(reader.bytes(table, 0), "utf-8", "surrogateescape")
        parameters.append((name, (reader.int(table, 2), dims, reader.bytes(table, 3))))
    return tuple(reader.int(root, i) for i in range(3)), parameters


class _Writer:
    """Writes front to back: every offset points forward, into what is written later."""

    def __init__(self):
        self.content = bytearray(8)
        self.content[4:8] = _IDENTIFIER

    def align(self, size, head=0):
        """So that the next byte after `head` more is a multiple of `size`."""
        self.content += bytes(-(len(self.content) + head) % size)

    def point(self, place):
        """The offset at `place` points to what comes next."""
        struct.pack_into("<I", self.content, place, len(self.content) - place)

    def vector(self, place, count, payload, alignment):
        self.align(alignment, head=4)
        self.point(place)
        self.content += struct.pack("<I", count) + payload

    def table(self, place, fields):
        """Fields of 4 bytes each: numbers, or None for an offset to be filled. Gives the places of the fields."""
        self.align(4)
        offsets = [4 + 4 * i for i in range(len(fields))]
        entries = struct.pack(f"<{2 + len(fields)}H", 4 + 2 * len(fields), 4 + 4 * len(fields), *offsets)
        start = len(self.content)
        self.content += entries + bytes(-len(entries) % 4)
        table = len(self.content)
        self.point(place)
        self.content += struct.pack("<i", table - start)
        places = []
        for field in fields:
            places.append(len(self.content))
            self.content += struct.pack("<i", field or 0)
        return places


def write_adapter(versions, tensors):
    """`tensors`: (name, type, dims, bytes)."""
    writer = _Writer()
    *_, parameters = writer.table(0, [*versions, None])
    writer.vector(parameters, len(tensors), bytes(4 * len(tensors)), 4)
    first = len(writer.content) - 4 * len(tensors)
    for i, (name, code, dims, content) in enumerate(tensors):
        name_at, dims_at, _, data_at = writer.table(first + 4 * i, [None, None, code, None])
        text = name.encode("utf-8", "surrogateescape")
        writer.vector(name_at, len(text), text + b"\0", 4)
        writer.vector(dims_at, len(dims), struct.pack(f"<{len(dims)}q", *dims), 8)
        writer.vector(data_at, len(content), content, 8)
    writer.align(8)
    return bytes(writer.content)
