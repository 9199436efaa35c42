"""Products by weights in blocks of codes, as onnxruntime's quantizer, genai's builder and torch write them."""
import numpy as np
from onnx import TensorProto, helper

from sheet import Sheet

K, N, BLOCK = 72, 24, 32
BLOCKS = -(-K // BLOCK)
RANGES = {TensorProto.INT4: (-8, 8), TensorProto.UINT4: (0, 16), TensorProto.INT8: (-128, 128), TensorProto.UINT8: (0, 256)}


def codes(s, kind, *shape):
    low, high = RANGES[kind]
    values = s.rng.integers(low, high, shape)
    return s.tensor(helper.make_tensor("", kind, shape, values.ravel().tolist()))


def by_codes(kind, zeros, form):
    """form: "rows" [K, N], "turned" [N, K] and a Transpose, "gemm" [N, K]."""
    s = Sheet(21)
    x = s.floats("x", ["rows", K], rows=5)
    by_column = form != "rows"
    of_blocks = (N, BLOCKS) if by_column else (BLOCKS, N)
    operands = [codes(s, kind, *((N, K) if by_column else (K, N))), s.weight(np.abs(s.normal(*of_blocks)) / 16 + 0.01)]
    if zeros:
        operands.append(codes(s, kind, *of_blocks))
    w = s.op("DequantizeLinear", *operands, axis=-1 if by_column else 0, block_size=BLOCK)
    if form == "gemm":
        y = s.op("Gemm", x, w, s.weight(s.normal(N)), transB=1)
    else:
        y = s.op("MatMul", x, s.transpose(w, 1, 0) if by_column else w)
        y = s.op("Add", y, s.weight(s.normal(N)))
    s.output(y, 2)
    return s


WANTED = {"MatMulNBits": 1, "DequantizeLinear": 0, "MatMul": 0, "Gemm": 0, "Add": 0}
FORMS = {
    f"nbits_{form}_{TensorProto.DataType.Name(kind).lower()}{'_zeros' if zeros else ''}": (
        lambda kind=kind, zeros=zeros, form=form: by_codes(kind, zeros, form),
        WANTED,
    )
    for form in ("rows", "turned", "gemm")
    for kind in RANGES
    for zeros in (False, True)
}
