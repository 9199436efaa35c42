"""Small classes that the C interface's Python names have and that little here uses."""


class OrtExternalInitializerInfo:
    """Where an initializer's data lies in a file: path, offset and size in bytes."""

    __slots__ = ("_values",)

    def __init__(self, filepath, file_offset, byte_size, /):
        self._values = (str(filepath), int(file_offset), int(byte_size))

    filepath = property(lambda self: self._values[0], doc="The file's path.")
    file_offset = property(lambda self: self._values[1], doc="Where the data begins in it.")
    byte_size = property(lambda self: self._values[2], doc="Bytes of data.")


class OrtSyncStream:
    """A stream of work on a device. The CPU has none: OrtEpDevice.create_sync_stream says so."""

    def __init__(self, *args, **kwargs):
        raise TypeError("OrtSyncStream: no constructor; OrtEpDevice.create_sync_stream makes them")

    def get_handle(self):
        """The stream's handle as a number."""
        return 0
