"""The enumerations of the C interface. As in onnxruntime, a member equals its number and can be made from any number."""

import enum


class _Enum:
    """A number with a name. `Kind(3)` is the member of value 3, or one named "???" where there is none."""

    __slots__ = ("_value",)
    __members__ = {}

    def __init__(self, value):
        if isinstance(value, (str, float)):
            raise TypeError(f"{type(self).__name__} is made from an int; {value!r} is none")
        self._value = int(value)

    def __init_subclass__(cls, members=(), **kwargs):
        super().__init_subclass__(**kwargs)
        cls.__members__ = {}
        for name, value in members:
            cls.__members__[name] = member = cls(value)
            setattr(cls, name, member)

    @property
    def name(self):
        return next((name for name, member in self.__members__.items() if member._value == self._value), "???")

    @property
    def value(self):
        return self._value

    def __int__(self):
        return self._value

    __index__ = __int__

    def __eq__(self, other):
        if isinstance(other, type(self)):
            return self._value == other._value
        return self._value == other if isinstance(other, int) else NotImplemented

    def __hash__(self):
        return hash(self._value)

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self):
        return f"<{self}: {self._value}>"

    def __reduce__(self):
        return type(self), (self._value,)


def _kind(name, doc, **members):
    kind = type(_Enum)(name, (_Enum,), {"__slots__": (), "__doc__": doc, "__module__": __name__}, members=members.items())
    globals()[name] = kind


_kind("GraphOptimizationLevel", "How far a session rewrites its model.", ORT_DISABLE_ALL=0, ORT_ENABLE_BASIC=1,
      ORT_ENABLE_EXTENDED=2, ORT_ENABLE_LAYOUT=3, ORT_ENABLE_ALL=99)
_kind("ExecutionMode", "Whether branches of a model may run side by side.", ORT_SEQUENTIAL=0, ORT_PARALLEL=1)
_kind("ExecutionOrder", "In which order nodes run. The planner's choice in any case.", DEFAULT=0, PRIORITY_BASED=1,
      MEMORY_EFFICIENT=2)
_kind("OrtAllocatorType", "What kind of allocator a memory info stands for.", INVALID=-1, ORT_DEVICE_ALLOCATOR=0,
      ORT_ARENA_ALLOCATOR=1)
_kind("OrtDeviceMemoryType", "Memory of a device, or memory that the host reads too.", DEFAULT=0, HOST_ACCESSIBLE=5)
_kind("OrtMemType", "Whose memory it is, as providers say it.", CPU_INPUT=-2, CPU_OUTPUT=-1, CPU=-1, DEFAULT=0)
_kind("OrtMemoryInfoDeviceType", "Kinds of devices, for OrtMemoryInfo.create_v2.", CPU=0, GPU=1, NPU=3, FPGA=2)
_kind("OrtHardwareDeviceType", "Kinds of devices of the machine.", CPU=0, GPU=1, NPU=2)
_kind("OrtSparseFormat", "How a sparse tensor keeps its indices.", ORT_SPARSE_UNDEFINED=0, ORT_SPARSE_COO=1, ORT_SPARSE_CSRC=2,
      ORT_SPARSE_BLOCK_SPARSE=4)
_kind("OrtExecutionProviderDevicePolicy", "What to prefer where providers are chosen by policy.", DEFAULT=0, PREFER_CPU=1,
      PREFER_NPU=2, PREFER_GPU=3, MAX_PERFORMANCE=4, MAX_EFFICIENCY=5, MIN_OVERALL_POWER=6)
_kind("OrtCompileApiFlags", "What a ModelCompiler takes for an error.", NONE=0, ERROR_IF_NO_NODES_COMPILED=1,
      ERROR_IF_OUTPUT_FILE_EXISTS=2)
_kind("OrtCompiledModelCompatibility", "Whether a compiled model fits a device.", EP_NOT_APPLICABLE=0, EP_SUPPORTED_OPTIMAL=1,
      EP_SUPPORTED_PREFER_RECOMPILATION=2, EP_UNSUPPORTED=3)
_kind("OrtDeviceEpIncompatibilityReason", "Why a provider does not run on a device.", NONE=0, DRIVER_INCOMPATIBLE=1,
      DEVICE_INCOMPATIBLE=2, MISSING_DEPENDENCY=4, UNKNOWN=-(2**31))
_kind("ModelPackageWriteMode", "What ModelPackage.commit writes.", PRESERVE=0, DENSE=1)
_kind("ArenaExtendStrategy", "How an arena grows.", kNextPowerOfTwo=0, kSameAsRequested=1)


class OrtDeviceVendorId(enum.IntEnum):
    """Who makes a device: the vendor's number on the PCI bus."""

    NONE = 0
    AMD = 0x1002
    NVIDIA = 0x10DE
    ARM = 0x13B5
    MICROSOFT = 0x1414
    HUAWEI = 0x19E5
    QUALCOMM = 0x5143
    INTEL = 0x8086
