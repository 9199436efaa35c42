// A program in C11 against the public header; its checks run at compile time, its calls inside abi_layout_test.
#pragma once

#include "onnxruntime_c_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Asks the table for NOT_IMPLEMENTED by hand, as C programs do. Returns the code, or -1 when the message is missing.
int c_client_round_trip(const OrtApi* api);

#ifdef __cplusplus
}
#endif
