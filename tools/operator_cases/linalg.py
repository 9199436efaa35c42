"""Products and convolutions, plain ones too."""
import numpy as np

from operator_cases import Case, Constant, integers, normal


def matmul(a, b, dtype=np.float32, constant=True):
    right = normal(*b, dtype=dtype)
    name = f"MatMul {'x'.join(map(str, a))} by {'x'.join(map(str, b))}"
    return Case(name + ("" if dtype is np.float32 else f" {np.dtype(dtype).name}") + ("" if constant else ", both inputs"),
                "MatMul", [normal(*a, dtype=dtype), Constant(right) if constant else right], opset=13)


def conv(name, x, w, op="Conv", **attributes):
    return Case(f"{op} {name}", op, [x, Constant(0.1 * w)], attributes)


def qlinear_conv(name, x, w, **attributes):
    count = w[0]
    return Case(f"QLinearConv {name}", "QLinearConv", [
        integers(256, *x, dtype=np.uint8), Constant(np.float32(0.02)), Constant(np.uint8(128)),
        Constant(integers(200, *w, dtype=np.int8)), Constant(np.full(count, 0.01, np.float32)),
        Constant(np.zeros(count, np.int8)), Constant(np.float32(0.05)), Constant(np.uint8(120))], attributes, opset=13)


CASES = [
    matmul((1, 768), (768, 768)),
    matmul((128, 768), (768, 3072)),
    matmul((32, 16), (16, 32)),
    matmul((4, 4), (4, 4), constant=False),
    matmul((1000, 8), (8, 8)),
    matmul((64, 64), (64, 64), constant=False),
    matmul((12, 128, 64), (12, 64, 128), constant=False),
    matmul((1000, 4, 4), (1000, 4, 4), constant=False),
    matmul((32, 1, 64), (32, 64, 100), constant=False),
    matmul((256,), (256, 512)),
    matmul((128, 512), (512,)),
    matmul((512, 512), (512, 512), np.float64),
    matmul((256, 256), (256, 256), np.float16),
    matmul((1, 512), (512, 512), np.float16),
    Case("MatMul 128x128x128 int32", "MatMul",
         [integers(9, 128, 128, dtype=np.int32), integers(9, 128, 128, dtype=np.int32)], opset=13),
    Case("Gemm 128x512x512, transposed, bias", "Gemm",
         [normal(128, 512), Constant(normal(512, 512)), Constant(normal(512))], dict(transB=1), opset=13),
    Case("Gemm 64x1000x256, alpha and beta, c of all", "Gemm",
         [normal(64, 256), Constant(normal(256, 1000)), normal(64, 1000)], dict(alpha=0.5, beta=2.0), opset=13),
    Case("MatMulInteger 128x768x768", "MatMulInteger", [
        integers(256, 128, 768, dtype=np.uint8), Constant(integers(200, 768, 768, dtype=np.int8)), Constant(np.uint8(7))],
         opset=10),
    Case("QLinearMatMul 128x768x768", "QLinearMatMul", [
        integers(256, 128, 768, dtype=np.uint8), Constant(np.float32(0.02)), Constant(np.uint8(128)),
        Constant(integers(200, 768, 768, dtype=np.int8)), Constant(np.float32(0.01)), Constant(np.int8(0)),
        Constant(np.float32(0.5)), Constant(np.uint8(128))], opset=21),
    Case("Einsum bij,bjk->bik", "Einsum", [normal(8, 64, 64), normal(8, 64, 64)], dict(equation="bij,bjk->bik"), opset=12),
    Case("Einsum bcihw,bcj->bjihw", "Einsum", [normal(1, 32, 4, 16, 16), normal(1, 32, 16)],
         dict(equation="bcihw,bcj->bjihw"), opset=12),
    conv("3x3, 64 of 56x56", normal(1, 64, 56, 56), normal(64, 64, 3, 3), pads=[1] * 4),
    conv("3x3, dilated by 2, 64 of 28x28", normal(1, 64, 28, 28), normal(64, 64, 3, 3), pads=[2] * 4, dilations=[2, 2]),
    conv("3x3, 8 groups, 64 of 28x28", normal(1, 64, 28, 28), normal(64, 8, 3, 3), pads=[1] * 4, group=8),
    conv("depthwise 5x5, 96 of 28x28", normal(1, 96, 28, 28), normal(96, 1, 5, 5), pads=[2] * 4, group=96),
    conv("1-D 3, 256 of 400", normal(1, 256, 400), normal(256, 256, 3), pads=[1, 1]),
    conv("1-D 9, 1 to 16 of 16000", normal(1, 1, 16000), normal(16, 1, 9), strides=[4]),
    conv("3-D 3x3x3, 16 of 16x28x28", normal(1, 16, 16, 28, 28), normal(16, 16, 3, 3, 3), pads=[1] * 6),
    conv("3x3, 64 of 28x28 float16", normal(1, 64, 28, 28, dtype=np.float16), normal(64, 64, 3, 3).astype(np.float16),
         pads=[1] * 4),
    conv("3x3 by 2, 128 of 14x14", normal(1, 128, 14, 14), normal(128, 64, 3, 3), "ConvTranspose", pads=[1] * 4,
         output_padding=[1, 1], strides=[2, 2]),
    conv("4x4 by 2, 64 of 28x28", normal(1, 64, 28, 28), normal(64, 64, 4, 4), "ConvTranspose", pads=[1] * 4, strides=[2, 2]),
    conv("1-D 16 by 8, 64 of 500", normal(1, 64, 500), normal(64, 32, 16), "ConvTranspose", pads=[4, 4], strides=[8]),
    qlinear_conv("3x3, 64 of 28x28", (1, 64, 28, 28), (64, 64, 3, 3), pads=[1] * 4),
    qlinear_conv("depthwise 3x3, 96 of 56x56", (1, 96, 56, 56), (96, 1, 3, 3), pads=[1] * 4, group=96),
    qlinear_conv("1-D 3, 64 of 400", (1, 64, 400), (64, 64, 3), pads=[1, 1]),
    Case("ConvInteger 3x3, 32 of 28x28", "ConvInteger", [
        integers(256, 1, 32, 28, 28, dtype=np.uint8), Constant(integers(200, 32, 32, 3, 3, dtype=np.uint8)),
        Constant(np.uint8(128)), Constant(np.uint8(99))], dict(pads=[1] * 4), opset=10),
]
