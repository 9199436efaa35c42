"""Devices: where values live. This build has the CPU; names of others are known, so that errors can say so."""

import functools

from . import _native
from ._enums import OrtDeviceVendorId

# Name -> (number of the device's kind, vendor where the name implies one).
_KINDS = {
    "cpu": (0, None),
    "cuda": (1, OrtDeviceVendorId.NVIDIA),
    "gpu": (1, None),
    "fpga": (2, None),
    "npu": (3, None),
    "cann": (3, OrtDeviceVendorId.HUAWEI),
    "dml": (4, OrtDeviceVendorId.MICROSOFT),
    "webgpu": (1, OrtDeviceVendorId.NONE),
}


def get_ort_device_type(device_type: str) -> int:
    """The number of a kind of device given by its name: "cpu", "cuda", "gpu", "dml", "npu", "cann", "webgpu"."""
    if device_type not in _KINDS:
        raise Exception(f"Unsupported device type: {device_type}; one of {', '.join(sorted(_KINDS))} is wanted")  # noqa: TRY002
    return _KINDS[device_type][0]


def get_vendor_id_for_device_type(device_type: str) -> "OrtDeviceVendorId | None":
    """The vendor that a device's name implies, or None."""
    get_ort_device_type(device_type)
    return _KINDS[device_type][1]


class CDevice:
    """A device by numbers: (kind, memory, index) or (kind, memory, vendor, index)."""

    __slots__ = ("_id", "_kind", "_memory", "_vendor")

    def __init__(self, *numbers):
        if len(numbers) not in (3, 4):
            raise TypeError(f"a device is made from 3 or 4 numbers, {len(numbers)} are given")
        self._kind, self._memory, self._id = int(numbers[0]), int(numbers[1]), int(numbers[-1])
        self._vendor = int(numbers[2]) if len(numbers) == 4 else 0
        if self._kind == _KINDS["dml"][0]:  # an older number for Microsoft's way to a GPU
            self._kind, self._vendor = _KINDS["gpu"][0], self._vendor or int(OrtDeviceVendorId.MICROSOFT)

    def device_type(self):
        return self._kind

    def device_id(self):
        return self._id

    def mem_type(self):
        return self._memory

    def vendor_id(self):
        return self._vendor


CDevice.__name__ = CDevice.__qualname__ = "OrtDevice"
for _name, (_number, _) in _KINDS.items():
    setattr(CDevice, _name, staticmethod(functools.partial(int, _number)))
CDevice.default_memory = staticmethod(lambda: 0)


class OrtDevice:
    """A place where values live. Made by OrtDevice.make("cpu", 0)."""

    def __init__(self, c_ort_device):
        if not isinstance(c_ort_device, CDevice):
            raise ValueError(f"OrtDevice is made by OrtDevice.make; {type(c_ort_device)} is no OrtDevice of the C interface")
        self._ort_device = c_ort_device

    @staticmethod
    def make(ort_device_name, device_id, vendor_id: "int | OrtDeviceVendorId" = -1):
        """The device of that name and index. `vendor_id` -1: the one that the name implies."""
        if vendor_id < 0:
            implied = get_vendor_id_for_device_type(ort_device_name)
            vendor_id = 0 if implied is None else int(implied)
        return OrtDevice(CDevice(get_ort_device_type(ort_device_name), 0, vendor_id, device_id))

    def _get_c_device(self):
        return self._ort_device

    def device_id(self):
        return self._ort_device.device_id()

    def device_type(self):
        return self._ort_device.device_type()

    def device_vendor_id(self):
        return self._ort_device.vendor_id()

    def device_mem_type(self):
        return self._ort_device.mem_type()


def need_cpu(device, device_id=0, vendor_id=-1):
    """Raises RuntimeError unless the device, given by name or as an object, is the CPU."""
    if device == "cpu":
        return
    kind = get_ort_device_type(device) if isinstance(device, str) else device.device_type()
    if kind != 0:
        name = device if isinstance(device, str) else next(name for name, known in _KINDS.items() if known[0] == kind)
        raise RuntimeError(
            f"Can't allocate memory on the {name} device using this package: it has the CPU only. "
            "A package for that hardware is needed to use it."
        )


class OrtArenaCfg:
    """How an arena grows: numbers of bytes, -1 (0 for max_mem) leaves the default.

    OrtArenaCfg(max_mem, arena_extend_strategy, initial_chunk_size_bytes, max_dead_bytes_per_chunk), or a dict of the attributes.
    """

    _NAMES = ("max_mem", "arena_extend_strategy", "initial_chunk_size_bytes", "max_dead_bytes_per_chunk",
              "initial_growth_chunk_size_bytes", "max_power_of_two_extend_bytes")
    __slots__ = _NAMES

    def __init__(self, *args):
        values = dict.fromkeys(self._NAMES, -1)
        if len(args) == 1 and isinstance(args[0], dict):
            for key in args[0]:
                if key not in values:
                    raise RuntimeError(f"Invalid OrtArenaCfg option: {key}; one of {', '.join(values)} is wanted")
            values["max_mem"] = 0
            values.update(args[0])
        elif len(args) == 4:
            values.update(zip(self._NAMES, args, strict=False))
        else:
            raise TypeError(f"OrtArenaCfg is made from 4 numbers or a dict; {args!r} is given")
        for key, value in values.items():
            setattr(self, key, int(value))


def _register(provider, memory_info, options, arena):
    sizes = {} if arena is None else {key: getattr(arena, key) for key in OrtArenaCfg._NAMES if key != "arena_extend_strategy"}
    if arena is not None:
        sizes["arena_extend_strategy"] = arena.arena_extend_strategy
    _native.register_allocator(provider, memory_info, {str(k): str(v) for k, v in options.items()}, sizes)


def create_and_register_allocator(memory_info, arena_cfg, /):
    """An allocator that sessions may share. The engine has one pool of memory for all sessions in any case."""
    _register("", memory_info, {}, arena_cfg)


def create_and_register_allocator_v2(provider_type, memory_info, options, arena_cfg, /):
    """The same for a provider's memory."""
    _register(provider_type, memory_info, options, arena_cfg)
