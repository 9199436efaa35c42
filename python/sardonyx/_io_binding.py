"""IOBinding: inputs and outputs fixed once and used by many runs."""

from . import _native
from ._types import element_code
from ._value import OrtDevice, OrtValue


class IOBinding:
    """Made by InferenceSession.io_binding()."""

    def __init__(self, session):
        self._session = session
        self._inputs = {}
        self._outputs = {}  # name -> value to write into, or None: made by each run
        self._results = []
        self._known = {arg.name for arg in (*session.get_inputs(), *session.get_overridable_initializers())}

    def _bind(self, name, value):
        if name not in self._known:
            raise RuntimeError(f"Failed to find NodeArg with name: {name} in the def list")
        self._inputs[name] = value

    def bind_cpu_input(self, name, arr_on_cpu):
        self._bind(name, OrtValue.ortvalue_from_numpy(arr_on_cpu)._ortvalue)

    def bind_input(self, name, device_type, device_id, element_type, shape, buffer_ptr):
        """Memory at the address `buffer_ptr`, which must stay valid while it is bound."""
        OrtDevice(device_type, device_id)
        self._bind(name, _native.Value.at_address(int(buffer_ptr), element_code(element_type), list(shape)))

    def bind_ortvalue_input(self, name, ortvalue):
        self._bind(name, ortvalue._ortvalue)

    def bind_output(self, name, device_type="cpu", device_id=0, element_type=None, shape=None, buffer_ptr=None):
        OrtDevice(device_type, device_id)
        if buffer_ptr is None:
            self._outputs[name] = None
            return
        if element_type is None or shape is None:
            raise ValueError("`element_type` and `shape` are to be provided if pre-allocated memory is provided")
        self._outputs[name] = _native.Value.at_address(int(buffer_ptr), element_code(element_type), list(shape))

    def bind_ortvalue_output(self, name, ortvalue):
        self._outputs[name] = ortvalue._ortvalue

    def synchronize_inputs(self):
        """Nothing to wait for on the CPU."""

    def synchronize_outputs(self):
        """Nothing to wait for on the CPU."""

    def get_outputs(self):
        """The outputs of the last run, in the order in which they were bound."""
        return [OrtValue(value) for value in self._results]

    def get_outputs_as_ortvaluevector(self):
        return self.get_outputs()

    def copy_outputs_to_cpu(self):
        return [value.to_python() for value in self._results]

    def clear_binding_inputs(self):
        self._inputs.clear()

    def clear_binding_outputs(self):
        self._outputs.clear()
        self._results = []
