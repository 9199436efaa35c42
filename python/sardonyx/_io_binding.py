"""IOBinding: inputs and outputs fixed once and used by many runs."""

import numpy as np

from . import _native
from ._device import CDevice, need_cpu
from ._types import element_code
from ._value import OrtValue, OrtValueVector


class SessionIOBinding:
    """What an IOBinding holds, over values of the C interface."""

    def __init__(self, session, /):
        self._session = session
        self._inputs = {}
        self._outputs = {}  # name -> value to write into, or None: made by each run
        self._results = []
        self._known = {port[0] for port in (*session.inputs(), *session.overridable())}

    def _bind(self, name, value):
        if name not in self._known:
            raise RuntimeError(f"Failed to find NodeArg with name: {name} in the def list: the inputs are {sorted(self._known)}")
        self._inputs[name] = value

    def bind_input(self, name, *where):
        """(name, array), or (name, device, element_type, shape, address)."""
        if len(where) == 1:
            self._bind(name, _native.OrtValue.from_array(np.asarray(where[0])))
        else:
            self._bind(name, _at_address(*where))

    def bind_output(self, name, *where):
        """(name, device), or (name, device, element_type, shape, address)."""
        need_cpu(where[0])
        self._outputs[name] = None if len(where) == 1 else _at_address(*where)

    def bind_ortvalue_input(self, name, value, /):
        self._bind(name, value)

    def bind_ortvalue_output(self, name, value, /):
        self._outputs[name] = value

    def synchronize_inputs(self):
        """Nothing to wait for on the CPU."""

    def synchronize_outputs(self):
        """Nothing to wait for on the CPU."""

    def clear_binding_inputs(self):
        self._inputs.clear()

    def clear_binding_outputs(self):
        self._outputs.clear()
        self._results = []

    def get_outputs(self):
        """The values of the last run, in the order in which they were bound."""
        return OrtValueVector(self._results)

    def copy_outputs_to_cpu(self):
        return [value.numpy() for value in self._results]


def _at_address(device, element_type, shape, address):
    need_cpu(device)
    return _native.OrtValue.at_address(int(address), element_code(element_type), [int(dim) for dim in shape])


class IOBinding:
    """Inputs and outputs for InferenceSession.run_with_iobinding. Made by InferenceSession.io_binding()."""

    def __init__(self, session):
        self._iobinding = SessionIOBinding(session._sess)

    def bind_cpu_input(self, name, arr_on_cpu):
        """An array for the input `name`; its memory is shared where it is contiguous and aligned."""
        self._iobinding.bind_input(name, arr_on_cpu)

    def bind_input(self, name, device_type, device_id, element_type, shape, buffer_ptr):
        """Memory at the address `buffer_ptr`, which must stay valid while it is bound.

        `element_type`: a numpy dtype or ONNX's number of a type.
        """
        need_cpu(device_type, device_id)
        self._iobinding.bind_input(name, CDevice(0, 0, device_id), element_type, shape, buffer_ptr)

    def bind_ortvalue_input(self, name, ortvalue):
        """An OrtValue for the input `name`."""
        self._iobinding.bind_ortvalue_input(name, ortvalue._ortvalue)

    def bind_output(self, name, device_type="cpu", device_id=0, element_type=None, shape=None, buffer_ptr=None):
        """Memory for the output `name`: at `buffer_ptr`, of that type and shape, or made by each run."""
        need_cpu(device_type, device_id)
        device = CDevice(0, 0, device_id)
        if buffer_ptr is None:
            self._iobinding.bind_output(name, device)
        elif element_type is None or shape is None:
            raise ValueError("`element_type` and `shape` are to be provided if pre-allocated memory is provided")
        else:
            self._iobinding.bind_output(name, device, element_type, shape, buffer_ptr)

    def bind_ortvalue_output(self, name, ortvalue):
        """An OrtValue that runs write the output `name` into."""
        self._iobinding.bind_ortvalue_output(name, ortvalue._ortvalue)

    def synchronize_inputs(self):
        """Nothing to wait for on the CPU."""

    def synchronize_outputs(self):
        """Nothing to wait for on the CPU."""

    def get_outputs(self):
        """The outputs of the last run as OrtValues, in the order in which they were bound."""
        return [OrtValue(value) for value in self._iobinding._results]

    def get_outputs_as_ortvaluevector(self):
        """The same over values of the C interface."""
        return self._iobinding.get_outputs()

    def copy_outputs_to_cpu(self):
        """The outputs of the last run as arrays."""
        return self._iobinding.copy_outputs_to_cpu()

    def clear_binding_inputs(self):
        self._iobinding.clear_binding_inputs()

    def clear_binding_outputs(self):
        self._iobinding.clear_binding_outputs()
