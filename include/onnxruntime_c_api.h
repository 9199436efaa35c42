// The C ABI of ONNX Runtime, API versions 1 to 32, as Sardonyx serves it. For C11 and C++.
// Written by tools/gen_c_api_header.py from tables of interface facts; change the generator, not this file.
// Entry point: OrtGetApiBase()->GetApi(ORT_API_VERSION).
#ifndef ONNXRUNTIME_C_API_H_
#define ONNXRUNTIME_C_API_H_

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

// The newest version served. A program asks for the one that it was built against.
#define ORT_API_VERSION 32

// Platform: calling convention, export, path characters.
#ifdef _WIN32
#define ORT_API_CALL __stdcall
#define ORT_EXPORT __declspec(dllexport)
#define ORTCHAR_T wchar_t
#define ORT_TSTR(text) L##text
#define ORT_TSTR_ON_MACRO(text) ORT_TSTR(text)
#else
#define ORT_API_CALL
#define ORT_EXPORT __attribute__((visibility("default")))
#define ORTCHAR_T char
#define ORT_TSTR(text) text
#define ORT_TSTR_ON_MACRO(text) text
#endif
#define ORT_FILE ORT_TSTR_ON_MACRO(__FILE__)
#define ORT_MUST_USE_RESULT

// Table entries never throw. Callbacks are declared without the promise, so either kind of function fits.
#ifdef __cplusplus
#define NO_EXCEPTION noexcept
#define ORT_ENUM_BASE : int  // a caller in C may pass any number
#define SDX_DEFAULT(value) = value
#define SDX_ENUM_TOP_BIT (-0x7fffffff - 1)
#else
#define NO_EXCEPTION
#define ORT_ENUM_BASE
#define SDX_DEFAULT(value)
#define SDX_ENUM_TOP_BIT (-0x7fffffff - 1)
#endif

// Source annotations that programs use on their own callbacks. Only MSVC gives them a meaning.
#ifdef _MSC_VER
#include <sal.h>
#else
#ifndef _In_
#define _In_
#define _In_z_
#define _In_opt_
#define _In_opt_z_
#define _In_reads_(count)
#define _Inout_
#define _Inout_opt_
#define _Inout_updates_(count)
#define _Inout_updates_all_(count)
#define _Out_
#define _Out_opt_
#define _Out_writes_(count)
#define _Out_writes_all_(count)
#define _Out_writes_bytes_all_(count)
#define _Outptr_
#define _Outptr_opt_
#define _Outptr_result_maybenull_
#define _Outptr_result_buffer_(count)
#define _Outptr_result_buffer_maybenull_(count)
#define _Frees_ptr_opt_
#define _Ret_maybenull_
#define _Ret_notnull_
#define _Check_return_
#define _Success_(condition)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

// ---- Enumerations ----

typedef enum OrtErrorCode ORT_ENUM_BASE {
  ORT_OK = 0,
  ORT_FAIL = 1,
  ORT_INVALID_ARGUMENT = 2,
  ORT_NO_SUCHFILE = 3,
  ORT_NO_MODEL = 4,
  ORT_ENGINE_ERROR = 5,
  ORT_RUNTIME_EXCEPTION = 6,
  ORT_INVALID_PROTOBUF = 7,
  ORT_MODEL_LOADED = 8,
  ORT_NOT_IMPLEMENTED = 9,
  ORT_INVALID_GRAPH = 10,
  ORT_EP_FAIL = 11,
  ORT_MODEL_LOAD_CANCELED = 12,
  ORT_MODEL_REQUIRES_COMPILATION = 13,
  ORT_NOT_FOUND = 14,
  ORT_DEVICE_RESET = 15,
} OrtErrorCode;

typedef enum ONNXTensorElementDataType ORT_ENUM_BASE {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED = 0,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT = 1,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 = 2,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 = 3,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 = 4,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 = 5,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 = 6,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING = 8,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL = 9,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 = 10,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE = 11,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 = 12,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 = 13,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64 = 14,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128 = 15,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 = 16,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN = 17,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ = 18,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2 = 19,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ = 20,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4 = 21,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4 = 22,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1 = 23,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2 = 24,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2 = 25,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0 = 26,
} ONNXTensorElementDataType;

typedef enum ONNXType ORT_ENUM_BASE {
  ONNX_TYPE_UNKNOWN = 0,
  ONNX_TYPE_TENSOR = 1,
  ONNX_TYPE_SEQUENCE = 2,
  ONNX_TYPE_MAP = 3,
  ONNX_TYPE_OPAQUE = 4,
  ONNX_TYPE_SPARSETENSOR = 5,
  ONNX_TYPE_OPTIONAL = 6,
} ONNXType;

typedef enum OrtSparseFormat ORT_ENUM_BASE {
  ORT_SPARSE_UNDEFINED = 0,
  ORT_SPARSE_COO = 1,
  ORT_SPARSE_CSRC = 2,
  ORT_SPARSE_BLOCK_SPARSE = 4,
} OrtSparseFormat;

typedef enum OrtSparseIndicesFormat ORT_ENUM_BASE {
  ORT_SPARSE_COO_INDICES = 0,
  ORT_SPARSE_CSR_INNER_INDICES = 1,
  ORT_SPARSE_CSR_OUTER_INDICES = 2,
  ORT_SPARSE_BLOCK_SPARSE_INDICES = 3,
} OrtSparseIndicesFormat;

typedef enum OrtLoggingLevel ORT_ENUM_BASE {
  ORT_LOGGING_LEVEL_VERBOSE = 0,
  ORT_LOGGING_LEVEL_INFO = 1,
  ORT_LOGGING_LEVEL_WARNING = 2,
  ORT_LOGGING_LEVEL_ERROR = 3,
  ORT_LOGGING_LEVEL_FATAL = 4,
} OrtLoggingLevel;

typedef enum OrtOpAttrType ORT_ENUM_BASE {
  ORT_OP_ATTR_UNDEFINED = 0,
  ORT_OP_ATTR_INT = 1,
  ORT_OP_ATTR_INTS = 2,
  ORT_OP_ATTR_FLOAT = 3,
  ORT_OP_ATTR_FLOATS = 4,
  ORT_OP_ATTR_STRING = 5,
  ORT_OP_ATTR_STRINGS = 6,
  ORT_OP_ATTR_GRAPH = 7,
  ORT_OP_ATTR_TENSOR = 8,
} OrtOpAttrType;

typedef enum GraphOptimizationLevel ORT_ENUM_BASE {
  ORT_DISABLE_ALL = 0,
  ORT_ENABLE_BASIC = 1,
  ORT_ENABLE_EXTENDED = 2,
  ORT_ENABLE_LAYOUT = 3,
  ORT_ENABLE_ALL = 99,
} GraphOptimizationLevel;

typedef enum ExecutionMode ORT_ENUM_BASE {
  ORT_SEQUENTIAL = 0,
  ORT_PARALLEL = 1,
} ExecutionMode;

typedef enum OrtLanguageProjection ORT_ENUM_BASE {
  ORT_PROJECTION_C = 0,
  ORT_PROJECTION_CPLUSPLUS = 1,
  ORT_PROJECTION_CSHARP = 2,
  ORT_PROJECTION_PYTHON = 3,
  ORT_PROJECTION_JAVA = 4,
  ORT_PROJECTION_WINML = 5,
  ORT_PROJECTION_NODEJS = 6,
} OrtLanguageProjection;

typedef enum OrtAllocatorType ORT_ENUM_BASE {
  OrtInvalidAllocator = -1,
  OrtDeviceAllocator = 0,
  OrtArenaAllocator = 1,
  OrtReadOnlyAllocator = 2,
} OrtAllocatorType;

typedef enum OrtMemType ORT_ENUM_BASE {
  OrtMemTypeCPUInput = -2,
  OrtMemTypeCPUOutput = -1,
  OrtMemTypeCPU = -1,
  OrtMemTypeDefault = 0,
} OrtMemType;

typedef enum OrtDeviceMemoryType ORT_ENUM_BASE {
  OrtDeviceMemoryType_DEFAULT = 0,
  OrtDeviceMemoryType_HOST_ACCESSIBLE = 5,
} OrtDeviceMemoryType;

typedef enum OrtMemoryInfoDeviceType ORT_ENUM_BASE {
  OrtMemoryInfoDeviceType_CPU = 0,
  OrtMemoryInfoDeviceType_GPU = 1,
  OrtMemoryInfoDeviceType_FPGA = 2,
  OrtMemoryInfoDeviceType_NPU = 3,
} OrtMemoryInfoDeviceType;

typedef enum OrtHardwareDeviceType ORT_ENUM_BASE {
  OrtHardwareDeviceType_CPU = 0,
  OrtHardwareDeviceType_GPU = 1,
  OrtHardwareDeviceType_NPU = 2,
} OrtHardwareDeviceType;

typedef enum OrtExecutionProviderDevicePolicy ORT_ENUM_BASE {
  OrtExecutionProviderDevicePolicy_DEFAULT = 0,
  OrtExecutionProviderDevicePolicy_PREFER_CPU = 1,
  OrtExecutionProviderDevicePolicy_PREFER_NPU = 2,
  OrtExecutionProviderDevicePolicy_PREFER_GPU = 3,
  OrtExecutionProviderDevicePolicy_MAX_PERFORMANCE = 4,
  OrtExecutionProviderDevicePolicy_MAX_EFFICIENCY = 5,
  OrtExecutionProviderDevicePolicy_MIN_OVERALL_POWER = 6,
} OrtExecutionProviderDevicePolicy;

typedef enum OrtDeviceEpIncompatibilityReason ORT_ENUM_BASE {
  OrtDeviceEpIncompatibility_NONE = 0,
  OrtDeviceEpIncompatibility_DRIVER_INCOMPATIBLE = 1,
  OrtDeviceEpIncompatibility_DEVICE_INCOMPATIBLE = 2,
  OrtDeviceEpIncompatibility_MISSING_DEPENDENCY = 4,
  OrtDeviceEpIncompatibility_UNKNOWN = SDX_ENUM_TOP_BIT,
} OrtDeviceEpIncompatibilityReason;

typedef enum OrtCudnnConvAlgoSearch ORT_ENUM_BASE {
  OrtCudnnConvAlgoSearchExhaustive = 0,
  OrtCudnnConvAlgoSearchHeuristic = 1,
  OrtCudnnConvAlgoSearchDefault = 2,
} OrtCudnnConvAlgoSearch;

typedef enum OrtExternalMemoryHandleType ORT_ENUM_BASE {
  ORT_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE = 0,
  ORT_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP = 1,
  ORT_EXTERNAL_MEMORY_HANDLE_TYPE_VK_MEMORY_WIN32 = 2,
  ORT_EXTERNAL_MEMORY_HANDLE_TYPE_VK_MEMORY_OPAQUE_FD = 3,
} OrtExternalMemoryHandleType;

typedef enum OrtExternalSemaphoreType ORT_ENUM_BASE {
  ORT_EXTERNAL_SEMAPHORE_D3D12_FENCE = 0,
  ORT_EXTERNAL_SEMAPHORE_VK_TIMELINE_SEMAPHORE_WIN32 = 1,
  ORT_EXTERNAL_SEMAPHORE_VK_TIMELINE_SEMAPHORE_OPAQUE_FD = 2,
} OrtExternalSemaphoreType;

typedef enum OrtGraphicsApi ORT_ENUM_BASE {
  ORT_GRAPHICS_API_NONE = 0,
  ORT_GRAPHICS_API_D3D12 = 1,
  ORT_GRAPHICS_API_VULKAN = 2,
} OrtGraphicsApi;

typedef enum OrtCompiledModelCompatibility ORT_ENUM_BASE {
  OrtCompiledModelCompatibility_EP_NOT_APPLICABLE = 0,
  OrtCompiledModelCompatibility_EP_SUPPORTED_OPTIMAL = 1,
  OrtCompiledModelCompatibility_EP_SUPPORTED_PREFER_RECOMPILATION = 2,
  OrtCompiledModelCompatibility_EP_UNSUPPORTED = 3,
} OrtCompiledModelCompatibility;

typedef enum OrtCustomOpInputOutputCharacteristic ORT_ENUM_BASE {
  INPUT_OUTPUT_REQUIRED = 0,
  INPUT_OUTPUT_OPTIONAL = 1,
  INPUT_OUTPUT_VARIADIC = 2,
} OrtCustomOpInputOutputCharacteristic;

typedef enum OrtCompileApiFlags ORT_ENUM_BASE {
  OrtCompileApiFlags_NONE = 0,
  OrtCompileApiFlags_ERROR_IF_NO_NODES_COMPILED = 1,
  OrtCompileApiFlags_ERROR_IF_OUTPUT_FILE_EXISTS = 2,
} OrtCompileApiFlags;

typedef enum OrtProfilingEventCategory ORT_ENUM_BASE {
  OrtProfilingEventCategory_SESSION = 0,
  OrtProfilingEventCategory_NODE = 1,
  OrtProfilingEventCategory_KERNEL = 2,
  OrtProfilingEventCategory_API = 3,
} OrtProfilingEventCategory;

typedef enum OrtResourceCountKind ORT_ENUM_BASE {
  OrtResourceCountKind_None = 0,
  OrtResourceCountKind_TotalBytes = 1,
} OrtResourceCountKind;

typedef enum OrtEpDataLayout ORT_ENUM_BASE {
  OrtEpDataLayout_NCHW = 0,
  OrtEpDataLayout_NHWC = 1,
  OrtEpDataLayout_Default = 0,
} OrtEpDataLayout;

typedef enum OrtGraphCaptureNodeAssignmentPolicy ORT_ENUM_BASE {
  OrtGraphCaptureNodeAssignmentPolicy_ALL_NODES_ON_EP = 0,
  OrtGraphCaptureNodeAssignmentPolicy_ALLOW_CPU_FOR_SHAPES = 1,
} OrtGraphCaptureNodeAssignmentPolicy;

typedef enum OrtWeightlessSupport ORT_ENUM_BASE {
  OrtWeightlessSupport_NONE = 0,
  OrtWeightlessSupport_EXTERNAL_ONLY = 1,
  OrtWeightlessSupport_ALL = 2,
} OrtWeightlessSupport;

// ---- Opaque handles: made by a Create entry, freed by the Release entry of the same name ----

typedef struct OrtArenaCfg OrtArenaCfg;
typedef struct OrtCANNProviderOptions OrtCANNProviderOptions;
typedef struct OrtCUDAProviderOptionsV2 OrtCUDAProviderOptionsV2;
typedef struct OrtCustomOpDomain OrtCustomOpDomain;
typedef struct OrtDataType OrtDataType;
typedef struct OrtDeviceEpIncompatibilityDetails OrtDeviceEpIncompatibilityDetails;
typedef struct OrtDnnlProviderOptions OrtDnnlProviderOptions;
typedef struct OrtEnv OrtEnv;
typedef struct OrtEpAssignedNode OrtEpAssignedNode;
typedef struct OrtEpAssignedSubgraph OrtEpAssignedSubgraph;
typedef struct OrtEpContextConfig OrtEpContextConfig;
typedef struct OrtEpDevice OrtEpDevice;
typedef struct OrtEpGraphSupportInfo OrtEpGraphSupportInfo;
typedef struct OrtExternalInitializerInfo OrtExternalInitializerInfo;
typedef struct OrtExternalResourceImporter OrtExternalResourceImporter;
typedef struct OrtGraph OrtGraph;
typedef struct OrtHardwareDevice OrtHardwareDevice;
typedef struct OrtIoBinding OrtIoBinding;
typedef struct OrtKernelContext OrtKernelContext;
typedef struct OrtKernelDef OrtKernelDef;
typedef struct OrtKernelDefBuilder OrtKernelDefBuilder;
typedef struct OrtKernelInfo OrtKernelInfo;
typedef struct OrtKernelRegistry OrtKernelRegistry;
typedef struct OrtKeyValuePairs OrtKeyValuePairs;
typedef struct OrtLogger OrtLogger;
typedef struct OrtLoraAdapter OrtLoraAdapter;
typedef struct OrtMapTypeInfo OrtMapTypeInfo;
typedef struct OrtMemoryDevice OrtMemoryDevice;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtModel OrtModel;
typedef struct OrtModelCompilationOptions OrtModelCompilationOptions;
typedef struct OrtModelMetadata OrtModelMetadata;
typedef struct OrtModelPackageComponentContext OrtModelPackageComponentContext;
typedef struct OrtModelPackageContext OrtModelPackageContext;
typedef struct OrtModelPackageOptions OrtModelPackageOptions;
typedef struct OrtNode OrtNode;
typedef struct OrtNodeComputeContext OrtNodeComputeContext;
typedef struct OrtOp OrtOp;
typedef struct OrtOpAttr OrtOpAttr;
typedef struct OrtOpSchema OrtOpSchema;
typedef struct OrtOpSchemaTypeConstraint OrtOpSchemaTypeConstraint;
typedef struct OrtOptionalTypeInfo OrtOptionalTypeInfo;
typedef struct OrtPrepackedWeightsContainer OrtPrepackedWeightsContainer;
typedef struct OrtProfilingEvent OrtProfilingEvent;
typedef struct OrtProfilingEventsContainer OrtProfilingEventsContainer;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtSequenceTypeInfo OrtSequenceTypeInfo;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtShapeInferContext OrtShapeInferContext;
typedef struct OrtSharedPrePackedWeightCache OrtSharedPrePackedWeightCache;
typedef struct OrtStatus OrtStatus;
typedef struct OrtSyncStream OrtSyncStream;
typedef struct OrtTensorRTProviderOptionsV2 OrtTensorRTProviderOptionsV2;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtThreadingOptions OrtThreadingOptions;
typedef struct OrtTrainingApi OrtTrainingApi;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtValueInfo OrtValueInfo;

// ---- Structs and tables that are defined below ----

typedef struct OrtAllocator OrtAllocator;
typedef struct OrtCUDAProviderOptions OrtCUDAProviderOptions;
typedef struct OrtROCMProviderOptions OrtROCMProviderOptions;
typedef struct OrtTensorRTProviderOptions OrtTensorRTProviderOptions;
typedef struct OrtMIGraphXProviderOptions OrtMIGraphXProviderOptions;
typedef struct OrtOpenVINOProviderOptions OrtOpenVINOProviderOptions;
typedef struct OrtApiBase OrtApiBase;
typedef struct OrtThreadPoolCallbacksConfig OrtThreadPoolCallbacksConfig;
typedef struct OrtExternalMemoryDescriptor OrtExternalMemoryDescriptor;
typedef struct OrtExternalSemaphoreDescriptor OrtExternalSemaphoreDescriptor;
typedef struct OrtGraphicsInteropConfig OrtGraphicsInteropConfig;
typedef struct OrtExternalTensorDescriptor OrtExternalTensorDescriptor;
typedef struct OrtEnvCreationOptions OrtEnvCreationOptions;
typedef struct OrtCustomOp OrtCustomOp;
typedef struct OrtExternalMemoryHandle OrtExternalMemoryHandle;
typedef struct OrtExternalSemaphoreHandle OrtExternalSemaphoreHandle;
typedef struct OrtDataTransferImpl OrtDataTransferImpl;
typedef struct OrtSyncNotificationImpl OrtSyncNotificationImpl;
typedef struct OrtSyncStreamImpl OrtSyncStreamImpl;
typedef struct OrtExternalResourceImporterImpl OrtExternalResourceImporterImpl;
typedef struct OrtEpProfilerImpl OrtEpProfilerImpl;
typedef struct OrtNodeFusionOptions OrtNodeFusionOptions;
typedef struct OrtNodeComputeInfo OrtNodeComputeInfo;
typedef struct OrtKernelImpl OrtKernelImpl;
typedef struct OrtLoopKernelHelper OrtLoopKernelHelper;
typedef struct OrtScanKernelHelper OrtScanKernelHelper;
typedef struct OrtResourceCount OrtResourceCount;
typedef struct OrtEp OrtEp;
typedef struct OrtEpFactory OrtEpFactory;
typedef struct OrtApi OrtApi;
typedef struct OrtModelEditorApi OrtModelEditorApi;
typedef struct OrtCompileApi OrtCompileApi;
typedef struct OrtInteropApi OrtInteropApi;
typedef struct OrtEpApi OrtEpApi;
typedef struct OrtModelPackageApi OrtModelPackageApi;

// ---- Callback types ----

typedef OrtStatus* OrtStatusPtr;
typedef void(ORT_API_CALL* OrtExperimentalFnPtr)(void);
typedef void(ORT_API_CALL* OrtLoggingFunction)(
    void* param, OrtLoggingLevel severity, const char* category, const char* logid, const char* code_location,
    const char* message);
typedef OrtStatus*(ORT_API_CALL* EpSelectionDelegate)(
    const OrtEpDevice** ep_devices, size_t num_devices, const OrtKeyValuePairs* model_metadata,
    const OrtKeyValuePairs* runtime_metadata, const OrtEpDevice** selected, size_t max_selected,
    size_t* num_selected, void* state);
typedef OrtStatus*(ORT_API_CALL* OrtWriteBufferFunc)(
    void* state, const void* buffer, size_t buffer_num_bytes);
typedef OrtStatus*(ORT_API_CALL* OrtGetInitializerLocationFunc)(
    void* state, const char* initializer_name, const OrtValue* initializer_value,
    const OrtExternalInitializerInfo* external_info, OrtExternalInitializerInfo** new_external_info);
typedef void(ORT_API_CALL* OrtThreadWorkerFn)(void* ort_worker_fn_param);
struct OrtCustomHandleType {
  char __place_holder;
};
typedef const struct OrtCustomHandleType* OrtCustomThreadHandle;
typedef OrtCustomThreadHandle(ORT_API_CALL* OrtCustomCreateThreadFn)(
    void* ort_custom_thread_creation_options, OrtThreadWorkerFn ort_thread_worker_fn,
    void* ort_worker_fn_param);
typedef void(ORT_API_CALL* OrtCustomJoinThreadFn)(OrtCustomThreadHandle ort_custom_thread_handle);
typedef void*(ORT_API_CALL* OrtThreadPoolWorkEnqueueFn)(void* user_context);
typedef void(ORT_API_CALL* OrtThreadPoolWorkStartFn)(void* user_context, void* enqueue_data);
typedef void(ORT_API_CALL* OrtThreadPoolWorkStopFn)(void* user_context, void* enqueue_data);
typedef void(ORT_API_CALL* OrtThreadPoolWorkAbandonFn)(void* user_context, void* enqueue_data);
typedef OrtStatus*(ORT_API_CALL* RegisterCustomOpsFn)(OrtSessionOptions* options, const OrtApiBase* api);
typedef void(ORT_API_CALL* RunAsyncCallbackFn)(
    void* user_data, OrtValue** outputs, size_t num_outputs, OrtStatusPtr status);
typedef OrtStatus*(ORT_API_CALL* OrtKernelCreateFunc)(
    void* kernel_create_func_state, const OrtKernelInfo* info, OrtKernelImpl** kernel_out);
typedef OrtStatus*(ORT_API_CALL* CreateEpApiFactoriesFn)(
    const char* registered_name, const OrtApiBase* ort_api_base, const OrtLogger* default_logger,
    OrtEpFactory** factories, size_t max_factories, size_t* num_factories);
typedef OrtStatus*(ORT_API_CALL* ReleaseEpApiFactoryFn)(OrtEpFactory* factory);
typedef OrtStatus*(ORT_API_CALL* OrtReadNamedBufferFunc)(
    void* state, const char* name, OrtAllocator* allocator, void** buffer, size_t* data_size);
typedef OrtStatus*(ORT_API_CALL* OrtWriteNamedBufferFunc)(
    void* state, const char* name, const void* buffer, size_t buffer_num_bytes);

// ---- Structs that cross the boundary. Whoever fills one writes the API version it knows into the first field ----

struct OrtAllocator {
  uint32_t version;
  void*(ORT_API_CALL* Alloc)(OrtAllocator* this_, size_t size);
  void(ORT_API_CALL* Free)(OrtAllocator* this_, void* p);
  const OrtMemoryInfo*(ORT_API_CALL* Info)(const OrtAllocator* this_);
  void*(ORT_API_CALL* Reserve)(OrtAllocator* this_, size_t size);
  OrtStatusPtr(ORT_API_CALL* GetStats)(const OrtAllocator* this_, OrtKeyValuePairs** out);
  void*(ORT_API_CALL* AllocOnStream)(OrtAllocator* this_, size_t size, OrtSyncStream* stream);
  OrtStatusPtr(ORT_API_CALL* Shrink)(OrtAllocator* this_);
};

struct OrtCUDAProviderOptions {
  int device_id SDX_DEFAULT(0);
  OrtCudnnConvAlgoSearch cudnn_conv_algo_search SDX_DEFAULT(OrtCudnnConvAlgoSearchExhaustive);
  size_t gpu_mem_limit SDX_DEFAULT(SIZE_MAX);
  int arena_extend_strategy SDX_DEFAULT(0);
  int do_copy_in_default_stream SDX_DEFAULT(1);
  int has_user_compute_stream SDX_DEFAULT(0);
  void* user_compute_stream SDX_DEFAULT(NULL);
  OrtArenaCfg* default_memory_arena_cfg SDX_DEFAULT(NULL);
  int tunable_op_enable SDX_DEFAULT(0);
  int tunable_op_tuning_enable SDX_DEFAULT(0);
  int tunable_op_max_tuning_duration_ms SDX_DEFAULT(0);
};

struct OrtROCMProviderOptions {
  int device_id SDX_DEFAULT(0);
  int miopen_conv_exhaustive_search SDX_DEFAULT(0);
  size_t gpu_mem_limit SDX_DEFAULT(SIZE_MAX);
  int arena_extend_strategy SDX_DEFAULT(0);
  int do_copy_in_default_stream SDX_DEFAULT(1);
  int has_user_compute_stream SDX_DEFAULT(0);
  void* user_compute_stream SDX_DEFAULT(NULL);
  OrtArenaCfg* default_memory_arena_cfg SDX_DEFAULT(NULL);
  int enable_hip_graph SDX_DEFAULT(0);
  int tunable_op_enable SDX_DEFAULT(0);
  int tunable_op_tuning_enable SDX_DEFAULT(0);
  int tunable_op_max_tuning_duration_ms SDX_DEFAULT(0);
};

struct OrtTensorRTProviderOptions {
  int device_id;
  int has_user_compute_stream;
  void* user_compute_stream;
  int trt_max_partition_iterations;
  int trt_min_subgraph_size;
  size_t trt_max_workspace_size;
  int trt_fp16_enable;
  int trt_int8_enable;
  const char* trt_int8_calibration_table_name;
  int trt_int8_use_native_calibration_table;
  int trt_dla_enable;
  int trt_dla_core;
  int trt_dump_subgraphs;
  int trt_engine_cache_enable;
  const char* trt_engine_cache_path;
  int trt_engine_decryption_enable;
  const char* trt_engine_decryption_lib_path;
  int trt_force_sequential_engine_build;
};

struct OrtMIGraphXProviderOptions {
  int device_id;
  int migraphx_fp16_enable;
  int migraphx_fp8_enable;
  int migraphx_int8_enable;
  int migraphx_use_native_calibration_table;
  const char* migraphx_int8_calibration_table_name;
  int migraphx_save_compiled_model;
  const char* migraphx_save_model_path;
  int migraphx_load_compiled_model;
  const char* migraphx_load_model_path;
  bool migraphx_exhaustive_tune;
  size_t migraphx_mem_limit;
  int migraphx_arena_extend_strategy;
};

struct OrtOpenVINOProviderOptions {
  const char* device_type SDX_DEFAULT(NULL);
  unsigned char enable_npu_fast_compile SDX_DEFAULT(0);
  const char* device_id SDX_DEFAULT(NULL);
  size_t num_of_threads SDX_DEFAULT(0);
  const char* cache_dir SDX_DEFAULT(NULL);
  void* context SDX_DEFAULT(NULL);
  unsigned char enable_opencl_throttling SDX_DEFAULT(0);
  unsigned char enable_dynamic_shapes SDX_DEFAULT(0);
};

struct OrtApiBase {
  const OrtApi*(ORT_API_CALL* GetApi)(uint32_t version);
  const char*(ORT_API_CALL* GetVersionString)(void);
};

struct OrtThreadPoolCallbacksConfig {
  uint32_t version;
  OrtThreadPoolWorkEnqueueFn on_enqueue;
  OrtThreadPoolWorkStartFn on_start_work;
  OrtThreadPoolWorkStopFn on_stop_work;
  OrtThreadPoolWorkAbandonFn on_abandon;
  void* user_context;
};

struct OrtExternalMemoryDescriptor {
  uint32_t version;
  OrtExternalMemoryHandleType handle_type;
  void* native_handle;
  size_t size_bytes;
  size_t offset_bytes;
};

struct OrtExternalSemaphoreDescriptor {
  uint32_t version;
  OrtExternalSemaphoreType type;
  void* native_handle;
};

struct OrtGraphicsInteropConfig {
  uint32_t version;
  OrtGraphicsApi graphics_api;
  void* command_queue;
  const OrtKeyValuePairs* additional_options;
};

struct OrtExternalTensorDescriptor {
  uint32_t version;
  ONNXTensorElementDataType element_type;
  const int64_t* shape;
  size_t rank;
  size_t offset_bytes;
};

struct OrtEnvCreationOptions {
  uint32_t version;
  int32_t logging_severity_level;
  const char* log_id;
  OrtLoggingFunction custom_logging_function;
  void* custom_logging_param;
  const OrtThreadingOptions* threading_options;
  const OrtKeyValuePairs* config_entries;
};

struct OrtCustomOp {
  uint32_t version;
  void*(ORT_API_CALL* CreateKernel)(const OrtCustomOp* op, const OrtApi* api, const OrtKernelInfo* info);
  const char*(ORT_API_CALL* GetName)(const OrtCustomOp* op);
  const char*(ORT_API_CALL* GetExecutionProviderType)(const OrtCustomOp* op);
  ONNXTensorElementDataType(ORT_API_CALL* GetInputType)(const OrtCustomOp* op, size_t index);
  size_t(ORT_API_CALL* GetInputTypeCount)(const OrtCustomOp* op);
  ONNXTensorElementDataType(ORT_API_CALL* GetOutputType)(const OrtCustomOp* op, size_t index);
  size_t(ORT_API_CALL* GetOutputTypeCount)(const OrtCustomOp* op);
  void(ORT_API_CALL* KernelCompute)(void* op_kernel, OrtKernelContext* context);
  void(ORT_API_CALL* KernelDestroy)(void* op_kernel);
  OrtCustomOpInputOutputCharacteristic(ORT_API_CALL* GetInputCharacteristic)(
      const OrtCustomOp* op, size_t index);
  OrtCustomOpInputOutputCharacteristic(ORT_API_CALL* GetOutputCharacteristic)(
      const OrtCustomOp* op, size_t index);
  OrtMemType(ORT_API_CALL* GetInputMemoryType)(const OrtCustomOp* op, size_t index);
  int(ORT_API_CALL* GetVariadicInputMinArity)(const OrtCustomOp* op);
  int(ORT_API_CALL* GetVariadicInputHomogeneity)(const OrtCustomOp* op);
  int(ORT_API_CALL* GetVariadicOutputMinArity)(const OrtCustomOp* op);
  int(ORT_API_CALL* GetVariadicOutputHomogeneity)(const OrtCustomOp* op);
  OrtStatusPtr(ORT_API_CALL* CreateKernelV2)(
      const OrtCustomOp* op, const OrtApi* api, const OrtKernelInfo* info, void** kernel);
  OrtStatusPtr(ORT_API_CALL* KernelComputeV2)(void* op_kernel, OrtKernelContext* context);
  OrtStatusPtr(ORT_API_CALL* InferOutputShapeFn)(const OrtCustomOp* op, OrtShapeInferContext* context);
  int(ORT_API_CALL* GetStartVersion)(const OrtCustomOp* op);
  int(ORT_API_CALL* GetEndVersion)(const OrtCustomOp* op);
  size_t(ORT_API_CALL* GetMayInplace)(int** input_index, int** output_index);
  void(ORT_API_CALL* ReleaseMayInplace)(int* input_index, int* output_index);
  size_t(ORT_API_CALL* GetAliasMap)(int** input_index, int** output_index);
  void(ORT_API_CALL* ReleaseAliasMap)(int* input_index, int* output_index);
};

struct OrtExternalMemoryHandle {
  uint32_t version;
  const OrtEpDevice* ep_device;
  OrtExternalMemoryDescriptor descriptor;
  void(ORT_API_CALL* Release)(OrtExternalMemoryHandle* handle);
};

struct OrtExternalSemaphoreHandle {
  uint32_t version;
  const OrtEpDevice* ep_device;
  OrtExternalSemaphoreDescriptor descriptor;
  void(ORT_API_CALL* Release)(OrtExternalSemaphoreHandle* handle);
};

struct OrtDataTransferImpl {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtDataTransferImpl* this_ptr);
  bool(ORT_API_CALL* CanCopy)(
      const OrtDataTransferImpl* this_ptr, const OrtMemoryDevice* src_memory_device,
      const OrtMemoryDevice* dst_memory_device);
  OrtStatusPtr(ORT_API_CALL* CopyTensors)(
      OrtDataTransferImpl* this_ptr, const OrtValue** src_tensors, OrtValue** dst_tensors,
      OrtSyncStream** streams, size_t num_tensors);
};

struct OrtSyncNotificationImpl {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtSyncNotificationImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* Activate)(OrtSyncNotificationImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* WaitOnDevice)(OrtSyncNotificationImpl* this_ptr, OrtSyncStream* consumer_stream);
  OrtStatusPtr(ORT_API_CALL* WaitOnHost)(OrtSyncNotificationImpl* this_ptr);
};

struct OrtSyncStreamImpl {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtSyncStreamImpl* this_ptr);
  void*(ORT_API_CALL* GetHandle)(OrtSyncStreamImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* CreateNotification)(
      OrtSyncStreamImpl* this_ptr, OrtSyncNotificationImpl** notification);
  OrtStatusPtr(ORT_API_CALL* Flush)(OrtSyncStreamImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* OnSessionRunEnd)(OrtSyncStreamImpl* this_ptr);
};

struct OrtExternalResourceImporterImpl {
  uint32_t ort_version_supported;
  bool(ORT_API_CALL* CanImportMemory)(
      const OrtExternalResourceImporterImpl* this_ptr, OrtExternalMemoryHandleType handle_type);
  OrtStatusPtr(ORT_API_CALL* ImportMemory)(
      OrtExternalResourceImporterImpl* this_ptr, const OrtExternalMemoryDescriptor* desc,
      OrtExternalMemoryHandle** out_handle);
  void(ORT_API_CALL* ReleaseMemory)(
      OrtExternalResourceImporterImpl* this_ptr, OrtExternalMemoryHandle* handle);
  OrtStatusPtr(ORT_API_CALL* CreateTensorFromMemory)(
      OrtExternalResourceImporterImpl* this_ptr, const OrtExternalMemoryHandle* mem_handle,
      const OrtExternalTensorDescriptor* tensor_desc, OrtValue** out_tensor);
  bool(ORT_API_CALL* CanImportSemaphore)(
      const OrtExternalResourceImporterImpl* this_ptr, OrtExternalSemaphoreType type);
  OrtStatusPtr(ORT_API_CALL* ImportSemaphore)(
      OrtExternalResourceImporterImpl* this_ptr, const OrtExternalSemaphoreDescriptor* desc,
      OrtExternalSemaphoreHandle** out_handle);
  void(ORT_API_CALL* ReleaseSemaphore)(
      OrtExternalResourceImporterImpl* this_ptr, OrtExternalSemaphoreHandle* handle);
  OrtStatusPtr(ORT_API_CALL* WaitSemaphore)(
      OrtExternalResourceImporterImpl* this_ptr, OrtExternalSemaphoreHandle* handle, OrtSyncStream* stream,
      uint64_t value);
  OrtStatusPtr(ORT_API_CALL* SignalSemaphore)(
      OrtExternalResourceImporterImpl* this_ptr, OrtExternalSemaphoreHandle* handle, OrtSyncStream* stream,
      uint64_t value);
  void(ORT_API_CALL* Release)(OrtExternalResourceImporterImpl* this_ptr);
};

struct OrtEpProfilerImpl {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtEpProfilerImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* StartProfiling)(
      OrtEpProfilerImpl* this_ptr, int64_t ep_profiling_start_offset_ns);
  OrtStatusPtr(ORT_API_CALL* StartEvent)(OrtEpProfilerImpl* this_ptr, uint64_t ort_event_correlation_id);
  OrtStatusPtr(ORT_API_CALL* StopEvent)(
      OrtEpProfilerImpl* this_ptr, uint64_t ort_event_correlation_id, const OrtProfilingEvent* ort_event);
  OrtStatusPtr(ORT_API_CALL* EndProfiling)(
      OrtEpProfilerImpl* this_ptr, OrtProfilingEventsContainer* events_container);
};

struct OrtNodeFusionOptions {
  uint32_t ort_version_supported;
  bool drop_constant_initializers;
};

struct OrtNodeComputeInfo {
  uint32_t ort_version_supported;
  OrtStatus*(ORT_API_CALL* CreateState)(
      OrtNodeComputeInfo* this_ptr, OrtNodeComputeContext* compute_context, void** compute_state);
  OrtStatus*(ORT_API_CALL* Compute)(
      OrtNodeComputeInfo* this_ptr, void* compute_state, OrtKernelContext* kernel_context);
  void(ORT_API_CALL* ReleaseState)(OrtNodeComputeInfo* this_ptr, void* compute_state);
};

struct OrtKernelImpl {
  uint32_t ort_version_supported;
  uint32_t flags;
  OrtStatusPtr(ORT_API_CALL* Compute)(OrtKernelImpl* this_ptr, OrtKernelContext* context);
  void(ORT_API_CALL* Release)(OrtKernelImpl* this_ptr);
  OrtStatusPtr(ORT_API_CALL* PrePackWeight)(
      OrtKernelImpl* this_ptr, const OrtValue* tensor, int input_index, OrtAllocator* allocator,
      OrtSharedPrePackedWeightCache* prepacked_weight_cache, bool* is_packed);
  OrtStatusPtr(ORT_API_CALL* SetSharedPrePackedWeight)(
      OrtKernelImpl* this_ptr, const void* const* buffer_data_ptrs, const size_t* buffer_data_sizes,
      size_t num_buffers, int input_index);
};

struct OrtLoopKernelHelper {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtLoopKernelHelper* this_ptr);
  OrtStatusPtr(ORT_API_CALL* ConcatOutput)(
      OrtLoopKernelHelper* this_ptr, void* stream_handle, const OrtValue* const* per_iteration_outputs,
      size_t num_per_iteration_outputs, void* output, size_t output_size_in_bytes);
};

struct OrtScanKernelHelper {
  uint32_t ort_version_supported;
  void(ORT_API_CALL* Release)(OrtScanKernelHelper* this_ptr);
  OrtStatusPtr(ORT_API_CALL* Transpose)(
      OrtScanKernelHelper* this_ptr, const size_t* permutation, size_t num_permutation_elems,
      const OrtValue* input, OrtSyncStream* stream, OrtValue* output);
};

struct OrtResourceCount {
  uint32_t kind;
  uint32_t reserved;
  union { uint64_t total_bytes; uint64_t reserved_words[6]; } value;
};

struct OrtEp {
  uint32_t ort_version_supported;
  const char*(ORT_API_CALL* GetName)(const OrtEp* this_ptr);
  OrtStatusPtr(ORT_API_CALL* GetCapability)(
      OrtEp* this_ptr, const OrtGraph* graph, OrtEpGraphSupportInfo* graph_support_info);
  OrtStatusPtr(ORT_API_CALL* Compile)(
      OrtEp* this_ptr, const OrtGraph** graphs, const OrtNode** fused_nodes, size_t count,
      OrtNodeComputeInfo** node_compute_infos, OrtNode** ep_context_nodes);
  void(ORT_API_CALL* ReleaseNodeComputeInfos)(
      OrtEp* this_ptr, OrtNodeComputeInfo** node_compute_infos, size_t num_node_compute_infos);
  OrtStatusPtr(ORT_API_CALL* GetPreferredDataLayout)(OrtEp* this_ptr, OrtEpDataLayout* preferred_data_layout);
  OrtStatusPtr(ORT_API_CALL* ShouldConvertDataLayoutForOp)(
      OrtEp* this_ptr, const char* domain, const char* op_type, OrtEpDataLayout target_data_layout,
      int* should_convert);
  OrtStatusPtr(ORT_API_CALL* SetDynamicOptions)(
      OrtEp* this_ptr, const char* const* option_keys, const char* const* option_values, size_t num_options);
  OrtStatusPtr(ORT_API_CALL* OnRunStart)(OrtEp* this_ptr, const OrtRunOptions* run_options);
  OrtStatusPtr(ORT_API_CALL* OnRunEnd)(OrtEp* this_ptr, const OrtRunOptions* run_options, bool sync_stream);
  OrtStatusPtr(ORT_API_CALL* CreateAllocator)(
      OrtEp* this_ptr, const OrtMemoryInfo* memory_info, OrtAllocator** allocator);
  OrtStatusPtr(ORT_API_CALL* CreateSyncStreamForDevice)(
      OrtEp* this_ptr, const OrtMemoryDevice* memory_device, OrtSyncStreamImpl** stream);
  const char*(ORT_API_CALL* GetCompiledModelCompatibilityInfo)(OrtEp* this_ptr, const OrtGraph* graph);
  OrtStatusPtr(ORT_API_CALL* GetKernelRegistry)(OrtEp* this_ptr, const OrtKernelRegistry** kernel_registry);
  OrtStatusPtr(ORT_API_CALL* IsConcurrentRunSupported)(OrtEp* this_ptr, bool* is_supported);
  OrtStatusPtr(ORT_API_CALL* Sync)(OrtEp* this_ptr);
  OrtStatusPtr(ORT_API_CALL* CreateProfiler)(OrtEp* this_ptr, OrtEpProfilerImpl** profiler);
  bool(ORT_API_CALL* IsGraphCaptureEnabled)(const OrtEp* this_ptr);
  bool(ORT_API_CALL* IsGraphCaptured)(const OrtEp* this_ptr, int graph_annotation_id);
  OrtStatusPtr(ORT_API_CALL* ReplayGraph)(OrtEp* this_ptr, int graph_annotation_id);
  OrtGraphCaptureNodeAssignmentPolicy(ORT_API_CALL* GetGraphCaptureNodeAssignmentPolicy)(
      const OrtEp* this_ptr);
  OrtStatusPtr(ORT_API_CALL* GetAvailableResource)(const OrtEp* this_ptr, OrtResourceCount* available);
  OrtStatusPtr(ORT_API_CALL* OnSessionInitializationEnd)(OrtEp* this_ptr);
  OrtStatusPtr(ORT_API_CALL* GetDefaultMemoryDevice)(const OrtEp* this_ptr, const OrtMemoryDevice** device);
  OrtStatusPtr(ORT_API_CALL* ReleaseCapturedGraph)(OrtEp* this_ptr, int graph_annotation_id);
  OrtStatusPtr(ORT_API_CALL* GetWeightlessSupport)(const OrtEp* this_ptr, OrtWeightlessSupport* support);
  OrtStatus*(ORT_API_CALL* GetEpContextDataCallbackSupport)(const OrtEp* this_ptr, uint32_t* support_flags);
};

struct OrtEpFactory {
  uint32_t ort_version_supported;
  const char*(ORT_API_CALL* GetName)(const OrtEpFactory* this_ptr);
  const char*(ORT_API_CALL* GetVendor)(const OrtEpFactory* this_ptr);
  OrtStatusPtr(ORT_API_CALL* GetSupportedDevices)(
      OrtEpFactory* this_ptr, const OrtHardwareDevice* const* devices, size_t num_devices,
      OrtEpDevice** ep_devices, size_t max_ep_devices, size_t* num_ep_devices);
  OrtStatusPtr(ORT_API_CALL* CreateEp)(
      OrtEpFactory* this_ptr, const OrtHardwareDevice* const* devices,
      const OrtKeyValuePairs* const* ep_metadata_pairs, size_t num_devices,
      const OrtSessionOptions* session_options, const OrtLogger* logger, OrtEp** ep);
  void(ORT_API_CALL* ReleaseEp)(OrtEpFactory* this_ptr, OrtEp* ep);
  uint32_t(ORT_API_CALL* GetVendorId)(const OrtEpFactory* this_ptr);
  const char*(ORT_API_CALL* GetVersion)(const OrtEpFactory* this_ptr);
  OrtStatusPtr(ORT_API_CALL* ValidateCompiledModelCompatibilityInfo)(
      OrtEpFactory* this_ptr, const OrtHardwareDevice* const* devices, size_t num_devices,
      const char* compatibility_info, OrtCompiledModelCompatibility* model_compatibility);
  OrtStatusPtr(ORT_API_CALL* CreateAllocator)(
      OrtEpFactory* this_ptr, const OrtMemoryInfo* memory_info, const OrtKeyValuePairs* allocator_options,
      OrtAllocator** allocator);
  void(ORT_API_CALL* ReleaseAllocator)(OrtEpFactory* this_ptr, OrtAllocator* allocator);
  OrtStatusPtr(ORT_API_CALL* CreateDataTransfer)(OrtEpFactory* this_ptr, OrtDataTransferImpl** data_transfer);
  bool(ORT_API_CALL* IsStreamAware)(const OrtEpFactory* this_ptr);
  OrtStatusPtr(ORT_API_CALL* CreateSyncStreamForDevice)(
      OrtEpFactory* this_ptr, const OrtMemoryDevice* memory_device, const OrtKeyValuePairs* stream_options,
      OrtSyncStreamImpl** stream);
  OrtStatusPtr(ORT_API_CALL* GetHardwareDeviceIncompatibilityDetails)(
      OrtEpFactory* this_ptr, const OrtHardwareDevice* hw, OrtDeviceEpIncompatibilityDetails* details);
  OrtStatusPtr(ORT_API_CALL* CreateExternalResourceImporterForDevice)(
      OrtEpFactory* this_ptr, const OrtEpDevice* ep_device, OrtExternalResourceImporterImpl** out_importer);
  OrtStatusPtr(ORT_API_CALL* GetNumCustomOpDomains)(OrtEpFactory* this_ptr, size_t* num_domains);
  OrtStatusPtr(ORT_API_CALL* GetCustomOpDomains)(
      OrtEpFactory* this_ptr, OrtCustomOpDomain** domains, size_t num_domains);
  OrtStatusPtr(ORT_API_CALL* InitGraphicsInterop)(
      OrtEpFactory* this_ptr, const OrtEpDevice* ep_device, const OrtGraphicsInteropConfig* config);
  OrtStatusPtr(ORT_API_CALL* DeinitGraphicsInterop)(OrtEpFactory* this_ptr, const OrtEpDevice* ep_device);
  OrtStatusPtr(ORT_API_CALL* SelectBestModelCandidate)(
      OrtEpFactory* this_ptr, const OrtHardwareDevice* device, const OrtKeyValuePairs* const* candidates,
      size_t num_candidates, const OrtSessionOptions* session_options, size_t* selected_index);
  OrtStatus*(ORT_API_CALL* GetDeviceMemoryCapacity)(
      OrtEpFactory* this_ptr, const OrtEpDevice* ep_device, OrtDeviceMemoryType mem_type, size_t* total,
      size_t* available);
};

// ---- Function tables ----

// The main table; it only grows at its end. A comment marks the API version that added what follows.
struct OrtApi {
  // API 1, slot 0
  OrtStatus*(ORT_API_CALL* CreateStatus)(OrtErrorCode code, const char* msg) NO_EXCEPTION;
  OrtErrorCode(ORT_API_CALL* GetErrorCode)(const OrtStatus* status) NO_EXCEPTION;
  const char*(ORT_API_CALL* GetErrorMessage)(const OrtStatus* status) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateEnv)(
      OrtLoggingLevel log_severity_level, const char* logid, OrtEnv** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateEnvWithCustomLogger)(
      OrtLoggingFunction logging_function, void* logger_param, OrtLoggingLevel log_severity_level,
      const char* logid, OrtEnv** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EnableTelemetryEvents)(const OrtEnv* env) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DisableTelemetryEvents)(const OrtEnv* env) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSession)(
      const OrtEnv* env, const char* model_path, const OrtSessionOptions* options,
      OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSessionFromArray)(
      const OrtEnv* env, const void* model_data, size_t model_data_length, const OrtSessionOptions* options,
      OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Run)(
      OrtSession* session, const OrtRunOptions* run_options, const char* const* input_names,
      const OrtValue* const* inputs, size_t input_len, const char* const* output_names,
      size_t output_names_len, OrtValue** outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSessionOptions)(OrtSessionOptions** options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetOptimizedModelFilePath)(
      OrtSessionOptions* options, const char* optimized_model_filepath) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CloneSessionOptions)(
      const OrtSessionOptions* in_options, OrtSessionOptions** out_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSessionExecutionMode)(
      OrtSessionOptions* options, ExecutionMode execution_mode) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EnableProfiling)(
      OrtSessionOptions* options, const char* profile_file_prefix) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DisableProfiling)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EnableMemPattern)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DisableMemPattern)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EnableCpuMemArena)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DisableCpuMemArena)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSessionLogId)(OrtSessionOptions* options, const char* logid) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSessionLogVerbosityLevel)(
      OrtSessionOptions* options, int session_log_verbosity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSessionLogSeverityLevel)(
      OrtSessionOptions* options, int session_log_severity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSessionGraphOptimizationLevel)(
      OrtSessionOptions* options, GraphOptimizationLevel graph_optimization_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetIntraOpNumThreads)(
      OrtSessionOptions* options, int intra_op_num_threads) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetInterOpNumThreads)(
      OrtSessionOptions* options, int inter_op_num_threads) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateCustomOpDomain)(const char* domain, OrtCustomOpDomain** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CustomOpDomain_Add)(
      OrtCustomOpDomain* custom_op_domain, const OrtCustomOp* op) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddCustomOpDomain)(
      OrtSessionOptions* options, OrtCustomOpDomain* custom_op_domain) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RegisterCustomOpsLibrary)(
      OrtSessionOptions* options, const char* library_path, void** library_handle) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetInputCount)(const OrtSession* session, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOutputCount)(const OrtSession* session, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOverridableInitializerCount)(
      const OrtSession* session, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetInputTypeInfo)(
      const OrtSession* session, size_t index, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOutputTypeInfo)(
      const OrtSession* session, size_t index, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOverridableInitializerTypeInfo)(
      const OrtSession* session, size_t index, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetInputName)(
      const OrtSession* session, size_t index, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOutputName)(
      const OrtSession* session, size_t index, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOverridableInitializerName)(
      const OrtSession* session, size_t index, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateRunOptions)(OrtRunOptions** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsSetRunLogVerbosityLevel)(
      OrtRunOptions* options, int log_verbosity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsSetRunLogSeverityLevel)(
      OrtRunOptions* options, int log_severity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsSetRunTag)(OrtRunOptions* options, const char* run_tag) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsGetRunLogVerbosityLevel)(
      const OrtRunOptions* options, int* log_verbosity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsGetRunLogSeverityLevel)(
      const OrtRunOptions* options, int* log_severity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsGetRunTag)(
      const OrtRunOptions* options, const char** run_tag) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsSetTerminate)(OrtRunOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsUnsetTerminate)(OrtRunOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorAsOrtValue)(
      OrtAllocator* allocator, const int64_t* shape, size_t shape_len, ONNXTensorElementDataType type,
      OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorWithDataAsOrtValue)(
      const OrtMemoryInfo* info, void* p_data, size_t p_data_len, const int64_t* shape, size_t shape_len,
      ONNXTensorElementDataType type, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* IsTensor)(const OrtValue* value, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorMutableData)(OrtValue* value, void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FillStringTensor)(
      OrtValue* value, const char* const* s, size_t s_len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetStringTensorDataLength)(const OrtValue* value, size_t* len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetStringTensorContent)(
      const OrtValue* value, void* s, size_t s_len, size_t* offsets, size_t offsets_len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CastTypeInfoToTensorInfo)(
      const OrtTypeInfo* type_info, const OrtTensorTypeAndShapeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetOnnxTypeFromTypeInfo)(
      const OrtTypeInfo* type_info, ONNXType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetTensorElementType)(
      OrtTensorTypeAndShapeInfo* info, ONNXTensorElementDataType type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetDimensions)(
      OrtTensorTypeAndShapeInfo* info, const int64_t* dim_values, size_t dim_count) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorElementType)(
      const OrtTensorTypeAndShapeInfo* info, ONNXTensorElementDataType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetDimensionsCount)(
      const OrtTensorTypeAndShapeInfo* info, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetDimensions)(
      const OrtTensorTypeAndShapeInfo* info, int64_t* dim_values, size_t dim_values_length) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSymbolicDimensions)(
      const OrtTensorTypeAndShapeInfo* info, const char* dim_params[], size_t dim_params_length) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorShapeElementCount)(
      const OrtTensorTypeAndShapeInfo* info, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorTypeAndShape)(
      const OrtValue* value, OrtTensorTypeAndShapeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTypeInfo)(const OrtValue* value, OrtTypeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetValueType)(const OrtValue* value, ONNXType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateMemoryInfo)(
      const char* name, OrtAllocatorType type, int id, OrtMemType mem_type, OrtMemoryInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateCpuMemoryInfo)(
      OrtAllocatorType type, OrtMemType mem_type, OrtMemoryInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CompareMemoryInfo)(
      const OrtMemoryInfo* info1, const OrtMemoryInfo* info2, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* MemoryInfoGetName)(const OrtMemoryInfo* ptr, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* MemoryInfoGetId)(const OrtMemoryInfo* ptr, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* MemoryInfoGetMemType)(const OrtMemoryInfo* ptr, OrtMemType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* MemoryInfoGetType)(const OrtMemoryInfo* ptr, OrtAllocatorType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AllocatorAlloc)(
      OrtAllocator* ort_allocator, size_t size, void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AllocatorFree)(OrtAllocator* ort_allocator, void* p) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AllocatorGetInfo)(
      const OrtAllocator* ort_allocator, const OrtMemoryInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetAllocatorWithDefaultOptions)(OrtAllocator** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddFreeDimensionOverride)(
      OrtSessionOptions* options, const char* dim_denotation, int64_t dim_value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetValue)(
      const OrtValue* value, int index, OrtAllocator* allocator, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetValueCount)(const OrtValue* value, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateValue)(
      const OrtValue* const* in, size_t num_values, ONNXType value_type, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateOpaqueValue)(
      const char* domain_name, const char* type_name, const void* data_container, size_t data_container_size,
      OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetOpaqueValue)(
      const char* domain_name, const char* type_name, const OrtValue* in, void* data_container,
      size_t data_container_size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttribute_float)(
      const OrtKernelInfo* info, const char* name, float* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttribute_int64)(
      const OrtKernelInfo* info, const char* name, int64_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttribute_string)(
      const OrtKernelInfo* info, const char* name, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetInputCount)(
      const OrtKernelContext* context, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetOutputCount)(
      const OrtKernelContext* context, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetInput)(
      const OrtKernelContext* context, size_t index, const OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetOutput)(
      OrtKernelContext* context, size_t index, const int64_t* dim_values, size_t dim_count,
      OrtValue** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseEnv)(OrtEnv* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseStatus)(OrtStatus* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseMemoryInfo)(OrtMemoryInfo* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseSession)(OrtSession* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseValue)(OrtValue* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseRunOptions)(OrtRunOptions* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseTypeInfo)(OrtTypeInfo* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseTensorTypeAndShapeInfo)(OrtTensorTypeAndShapeInfo* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseSessionOptions)(OrtSessionOptions* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseCustomOpDomain)(OrtCustomOpDomain* input) NO_EXCEPTION;
  // API 2, slot 102
  OrtStatusPtr(ORT_API_CALL* GetDenotationFromTypeInfo)(
      const OrtTypeInfo* type_info, const char** const denotation, size_t* len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CastTypeInfoToMapTypeInfo)(
      const OrtTypeInfo* type_info, const OrtMapTypeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CastTypeInfoToSequenceTypeInfo)(
      const OrtTypeInfo* type_info, const OrtSequenceTypeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetMapKeyType)(
      const OrtMapTypeInfo* map_type_info, ONNXTensorElementDataType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetMapValueType)(
      const OrtMapTypeInfo* map_type_info, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSequenceElementType)(
      const OrtSequenceTypeInfo* sequence_type_info, OrtTypeInfo** type_info) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseMapTypeInfo)(OrtMapTypeInfo* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseSequenceTypeInfo)(OrtSequenceTypeInfo* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionEndProfiling)(
      OrtSession* session, OrtAllocator* allocator, char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetModelMetadata)(
      const OrtSession* session, OrtModelMetadata** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetProducerName)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetGraphName)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetDomain)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetDescription)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataLookupCustomMetadataMap)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, const char* key,
      char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetVersion)(
      const OrtModelMetadata* model_metadata, int64_t* value) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseModelMetadata)(OrtModelMetadata* input) NO_EXCEPTION;
  // API 3, slot 119
  OrtStatusPtr(ORT_API_CALL* CreateEnvWithGlobalThreadPools)(
      OrtLoggingLevel log_severity_level, const char* logid, const OrtThreadingOptions* tp_options,
      OrtEnv** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DisablePerSessionThreads)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateThreadingOptions)(OrtThreadingOptions** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseThreadingOptions)(OrtThreadingOptions* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetCustomMetadataMapKeys)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char*** keys,
      int64_t* num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddFreeDimensionOverrideByName)(
      OrtSessionOptions* options, const char* dim_name, int64_t dim_value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetAvailableProviders)(char*** out_ptr, int* provider_length) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ReleaseAvailableProviders)(char** ptr, int providers_length) NO_EXCEPTION;
  // API 5, slot 127
  OrtStatusPtr(ORT_API_CALL* GetStringTensorElementLength)(
      const OrtValue* value, size_t index, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetStringTensorElement)(
      const OrtValue* value, size_t s_len, size_t index, void* s) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FillStringTensorElement)(
      OrtValue* value, const char* s, size_t index) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddSessionConfigEntry)(
      OrtSessionOptions* options, const char* config_key, const char* config_value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateAllocator)(
      const OrtSession* session, const OrtMemoryInfo* mem_info, OrtAllocator** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseAllocator)(OrtAllocator* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunWithBinding)(
      OrtSession* session, const OrtRunOptions* run_options, const OrtIoBinding* binding_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateIoBinding)(OrtSession* session, OrtIoBinding** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseIoBinding)(OrtIoBinding* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* BindInput)(
      OrtIoBinding* binding_ptr, const char* name, const OrtValue* val_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* BindOutput)(
      OrtIoBinding* binding_ptr, const char* name, const OrtValue* val_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* BindOutputToDevice)(
      OrtIoBinding* binding_ptr, const char* name, const OrtMemoryInfo* mem_info_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetBoundOutputNames)(
      const OrtIoBinding* binding_ptr, OrtAllocator* allocator, char** buffer, size_t** lengths,
      size_t* count) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetBoundOutputValues)(
      const OrtIoBinding* binding_ptr, OrtAllocator* allocator, OrtValue*** output,
      size_t* output_count) NO_EXCEPTION;
  void(ORT_API_CALL* ClearBoundInputs)(OrtIoBinding* binding_ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ClearBoundOutputs)(OrtIoBinding* binding_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* TensorAt)(
      OrtValue* value, const int64_t* location_values, size_t location_values_count, void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateAndRegisterAllocator)(
      OrtEnv* env, const OrtMemoryInfo* mem_info, const OrtArenaCfg* arena_cfg) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetLanguageProjection)(
      const OrtEnv* ort_env, OrtLanguageProjection projection) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetProfilingStartTimeNs)(
      const OrtSession* session, uint64_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalIntraOpNumThreads)(
      OrtThreadingOptions* tp_options, int intra_op_num_threads) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalInterOpNumThreads)(
      OrtThreadingOptions* tp_options, int inter_op_num_threads) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalSpinControl)(
      OrtThreadingOptions* tp_options, int allow_spinning) NO_EXCEPTION;
  // API 6, slot 150
  OrtStatusPtr(ORT_API_CALL* AddInitializer)(
      OrtSessionOptions* options, const char* name, const OrtValue* val) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateEnvWithCustomLoggerAndGlobalThreadPools)(
      OrtLoggingFunction logging_function, void* logger_param, OrtLoggingLevel log_severity_level,
      const char* logid, const OrtThreadingOptions* tp_options, OrtEnv** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_CUDA)(
      OrtSessionOptions* options, const OrtCUDAProviderOptions* cuda_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_ROCM)(
      OrtSessionOptions* options, const OrtROCMProviderOptions* rocm_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_OpenVINO)(
      OrtSessionOptions* options, const OrtOpenVINOProviderOptions* provider_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalDenormalAsZero)(OrtThreadingOptions* tp_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateArenaCfg)(
      size_t max_mem, int arena_extend_strategy, int initial_chunk_size_bytes, int max_dead_bytes_per_chunk,
      OrtArenaCfg** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseArenaCfg)(OrtArenaCfg* input) NO_EXCEPTION;
  // API 7, slot 158
  OrtStatusPtr(ORT_API_CALL* ModelMetadataGetGraphDescription)(
      const OrtModelMetadata* model_metadata, OrtAllocator* allocator, char** value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_TensorRT)(
      OrtSessionOptions* options, const OrtTensorRTProviderOptions* tensorrt_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetCurrentGpuDeviceId)(int device_id) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCurrentGpuDeviceId)(int* device_id) NO_EXCEPTION;
  // API 8, slot 162
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttributeArray_float)(
      const OrtKernelInfo* info, const char* name, float* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttributeArray_int64)(
      const OrtKernelInfo* info, const char* name, int64_t* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateArenaCfgV2)(
      const char* const* arena_config_keys, const size_t* arena_config_values, size_t num_keys,
      OrtArenaCfg** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddRunConfigEntry)(
      OrtRunOptions* options, const char* config_key, const char* config_value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreatePrepackedWeightsContainer)(
      OrtPrepackedWeightsContainer** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleasePrepackedWeightsContainer)(OrtPrepackedWeightsContainer* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSessionWithPrepackedWeightsContainer)(
      const OrtEnv* env, const char* model_path, const OrtSessionOptions* options,
      OrtPrepackedWeightsContainer* prepacked_weights_container, OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSessionFromArrayWithPrepackedWeightsContainer)(
      const OrtEnv* env, const void* model_data, size_t model_data_length, const OrtSessionOptions* options,
      OrtPrepackedWeightsContainer* prepacked_weights_container, OrtSession** out) NO_EXCEPTION;
  // API 9, slot 170
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_TensorRT_V2)(
      OrtSessionOptions* options, const OrtTensorRTProviderOptionsV2* tensorrt_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorRTProviderOptions)(OrtTensorRTProviderOptionsV2** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateTensorRTProviderOptions)(
      OrtTensorRTProviderOptionsV2* tensorrt_options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorRTProviderOptionsAsString)(
      const OrtTensorRTProviderOptionsV2* tensorrt_options, OrtAllocator* allocator, char** ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseTensorRTProviderOptions)(OrtTensorRTProviderOptionsV2* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EnableOrtCustomOps)(OrtSessionOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RegisterAllocator)(OrtEnv* env, OrtAllocator* allocator) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UnregisterAllocator)(OrtEnv* env, const OrtMemoryInfo* mem_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* IsSparseTensor)(const OrtValue* value, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSparseTensorAsOrtValue)(
      OrtAllocator* allocator, const int64_t* dense_shape, size_t dense_shape_len,
      ONNXTensorElementDataType type, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FillSparseTensorCoo)(
      OrtValue* ort_value, const OrtMemoryInfo* data_mem_info, const int64_t* values_shape,
      size_t values_shape_len, const void* values, const int64_t* indices_data,
      size_t indices_num) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FillSparseTensorCsr)(
      OrtValue* ort_value, const OrtMemoryInfo* data_mem_info, const int64_t* values_shape,
      size_t values_shape_len, const void* values, const int64_t* inner_indices_data,
      size_t inner_indices_num, const int64_t* outer_indices_data, size_t outer_indices_num) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FillSparseTensorBlockSparse)(
      OrtValue* ort_value, const OrtMemoryInfo* data_mem_info, const int64_t* values_shape,
      size_t values_shape_len, const void* values, const int64_t* indices_shape_data,
      size_t indices_shape_len, const int32_t* indices_data) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSparseTensorWithValuesAsOrtValue)(
      const OrtMemoryInfo* info, void* p_data, const int64_t* dense_shape, size_t dense_shape_len,
      const int64_t* values_shape, size_t values_shape_len, ONNXTensorElementDataType type,
      OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UseCooIndices)(
      OrtValue* ort_value, int64_t* indices_data, size_t indices_num) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UseCsrIndices)(
      OrtValue* ort_value, int64_t* inner_data, size_t inner_num, int64_t* outer_data,
      size_t outer_num) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UseBlockSparseIndices)(
      OrtValue* ort_value, const int64_t* indices_shape, size_t indices_shape_len,
      int32_t* indices_data) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSparseTensorFormat)(
      const OrtValue* ort_value, OrtSparseFormat* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSparseTensorValuesTypeAndShape)(
      const OrtValue* ort_value, OrtTensorTypeAndShapeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSparseTensorValues)(const OrtValue* ort_value, const void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSparseTensorIndicesTypeShape)(
      const OrtValue* ort_value, OrtSparseIndicesFormat indices_format,
      OrtTensorTypeAndShapeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSparseTensorIndices)(
      const OrtValue* ort_value, OrtSparseIndicesFormat indices_format, size_t* num_indices,
      const void** indices) NO_EXCEPTION;
  // API 10, slot 192
  OrtStatusPtr(ORT_API_CALL* HasValue)(const OrtValue* value, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetGPUComputeStream)(
      const OrtKernelContext* context, void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorMemoryInfo)(
      const OrtValue* value, const OrtMemoryInfo** mem_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetExecutionProviderApi)(
      const char* provider_name, uint32_t version, const void** provider_api) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetCustomCreateThreadFn)(
      OrtSessionOptions* options, OrtCustomCreateThreadFn ort_custom_create_thread_fn) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetCustomThreadCreationOptions)(
      OrtSessionOptions* options, void* ort_custom_thread_creation_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetCustomJoinThreadFn)(
      OrtSessionOptions* options, OrtCustomJoinThreadFn ort_custom_join_thread_fn) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalCustomCreateThreadFn)(
      OrtThreadingOptions* tp_options, OrtCustomCreateThreadFn ort_custom_create_thread_fn) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalCustomThreadCreationOptions)(
      OrtThreadingOptions* tp_options, void* ort_custom_thread_creation_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalCustomJoinThreadFn)(
      OrtThreadingOptions* tp_options, OrtCustomJoinThreadFn ort_custom_join_thread_fn) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SynchronizeBoundInputs)(OrtIoBinding* binding_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SynchronizeBoundOutputs)(OrtIoBinding* binding_ptr) NO_EXCEPTION;
  // API 11, slot 204
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_CUDA_V2)(
      OrtSessionOptions* options, const OrtCUDAProviderOptionsV2* cuda_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateCUDAProviderOptions)(OrtCUDAProviderOptionsV2** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateCUDAProviderOptions)(
      OrtCUDAProviderOptionsV2* cuda_options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCUDAProviderOptionsAsString)(
      const OrtCUDAProviderOptionsV2* cuda_options, OrtAllocator* allocator, char** ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseCUDAProviderOptions)(OrtCUDAProviderOptionsV2* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_MIGraphX)(
      OrtSessionOptions* options, const OrtMIGraphXProviderOptions* migraphx_options) NO_EXCEPTION;
  // API 12, slot 210
  OrtStatusPtr(ORT_API_CALL* AddExternalInitializers)(
      OrtSessionOptions* options, const char* const* initializer_names, const OrtValue* const* initializers,
      size_t num_initializers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateOpAttr)(
      const char* name, const void* data, int len, OrtOpAttrType type, OrtOpAttr** op_attr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseOpAttr)(OrtOpAttr* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateOp)(
      const OrtKernelInfo* info, const char* op_name, const char* domain, int version,
      const char** type_constraint_names, const ONNXTensorElementDataType* type_constraint_values,
      int type_constraint_count, const OrtOpAttr* const* attr_values, int attr_count, int input_count,
      int output_count, OrtOp** ort_op) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* InvokeOp)(
      const OrtKernelContext* context, const OrtOp* ort_op, const OrtValue* const* input_values,
      int input_count, OrtValue* const* output_values, int output_count) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseOp)(OrtOp* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider)(
      OrtSessionOptions* options, const char* provider_name, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CopyKernelInfo)(
      const OrtKernelInfo* info, OrtKernelInfo** info_copy) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKernelInfo)(OrtKernelInfo* input) NO_EXCEPTION;
  // API 13, slot 219
  const OrtTrainingApi*(ORT_API_CALL* GetTrainingApi)(uint32_t version) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_CANN)(
      OrtSessionOptions* options, const OrtCANNProviderOptions* cann_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateCANNProviderOptions)(OrtCANNProviderOptions** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateCANNProviderOptions)(
      OrtCANNProviderOptions* cann_options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCANNProviderOptionsAsString)(
      const OrtCANNProviderOptions* cann_options, OrtAllocator* allocator, char** ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseCANNProviderOptions)(OrtCANNProviderOptions* input) NO_EXCEPTION;
  // API 14, slot 225
  void(ORT_API_CALL* MemoryInfoGetDeviceType)(
      const OrtMemoryInfo* ptr, OrtMemoryInfoDeviceType* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateEnvWithCustomLogLevel)(
      OrtEnv* ort_env, OrtLoggingLevel log_severity_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGlobalIntraOpThreadAffinity)(
      OrtThreadingOptions* tp_options, const char* affinity_string) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RegisterCustomOpsLibrary_V2)(
      OrtSessionOptions* options, const char* library_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RegisterCustomOpsUsingFunction)(
      OrtSessionOptions* options, const char* registration_func_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetInputCount)(const OrtKernelInfo* info, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOutputCount)(const OrtKernelInfo* info, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetInputName)(
      const OrtKernelInfo* info, size_t index, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOutputName)(
      const OrtKernelInfo* info, size_t index, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetInputTypeInfo)(
      const OrtKernelInfo* info, size_t index, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOutputTypeInfo)(
      const OrtKernelInfo* info, size_t index, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttribute_tensor)(
      const OrtKernelInfo* info, const char* name, OrtAllocator* allocator, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* HasSessionConfigEntry)(
      const OrtSessionOptions* options, const char* config_key, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSessionConfigEntry)(
      const OrtSessionOptions* options, const char* config_key, char* config_value,
      size_t* size) NO_EXCEPTION;
  // API 15, slot 239
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_Dnnl)(
      OrtSessionOptions* options, const OrtDnnlProviderOptions* dnnl_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateDnnlProviderOptions)(OrtDnnlProviderOptions** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateDnnlProviderOptions)(
      OrtDnnlProviderOptions* dnnl_options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetDnnlProviderOptionsAsString)(
      const OrtDnnlProviderOptions* dnnl_options, OrtAllocator* allocator, char** ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseDnnlProviderOptions)(OrtDnnlProviderOptions* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetNodeName)(
      const OrtKernelInfo* info, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetLogger)(
      const OrtKernelInfo* info, const OrtLogger** logger) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetLogger)(
      const OrtKernelContext* context, const OrtLogger** logger) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Logger_LogMessage)(
      const OrtLogger* logger, OrtLoggingLevel log_severity_level, const char* message, const char* file_path,
      int line_number, const char* func_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Logger_GetLoggingSeverityLevel)(
      const OrtLogger* logger, OrtLoggingLevel* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetConstantInput_tensor)(
      const OrtKernelInfo* info, size_t index, int* is_constant, const OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CastTypeInfoToOptionalTypeInfo)(
      const OrtTypeInfo* type_info, const OrtOptionalTypeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetOptionalContainedTypeInfo)(
      const OrtOptionalTypeInfo* optional_type_info, OrtTypeInfo** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetResizedStringTensorElementBuffer)(
      OrtValue* value, size_t index, size_t length_in_bytes, char** buffer) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetAllocator)(
      const OrtKernelContext* context, const OrtMemoryInfo* mem_info, OrtAllocator** out) NO_EXCEPTION;
  const char*(ORT_API_CALL* GetBuildInfoString)(void) NO_EXCEPTION;
  // API 16, slot 255
  OrtStatusPtr(ORT_API_CALL* CreateROCMProviderOptions)(OrtROCMProviderOptions** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateROCMProviderOptions)(
      OrtROCMProviderOptions* rocm_options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetROCMProviderOptionsAsString)(
      const OrtROCMProviderOptions* rocm_options, OrtAllocator* allocator, char** ptr) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseROCMProviderOptions)(OrtROCMProviderOptions* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateAndRegisterAllocatorV2)(
      OrtEnv* env, const char* provider_type, const OrtMemoryInfo* mem_info, const OrtArenaCfg* arena_cfg,
      const char* const* provider_options_keys, const char* const* provider_options_values,
      size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunAsync)(
      OrtSession* session, const OrtRunOptions* run_options, const char* const* input_names,
      const OrtValue* const* input, size_t input_len, const char* const* output_names,
      size_t output_names_len, OrtValue** output, RunAsyncCallbackFn run_async_callback,
      void* user_data) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateTensorRTProviderOptionsWithValue)(
      OrtTensorRTProviderOptionsV2* tensorrt_options, const char* key, void* value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorRTProviderOptionsByName)(
      const OrtTensorRTProviderOptionsV2* tensorrt_options, const char* key, void** ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UpdateCUDAProviderOptionsWithValue)(
      OrtCUDAProviderOptionsV2* cuda_options, const char* key, void* value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCUDAProviderOptionsByName)(
      const OrtCUDAProviderOptionsV2* cuda_options, const char* key, void** ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetResource)(
      const OrtKernelContext* context, int resource_version, int resource_id, void** resource) NO_EXCEPTION;
  // API 17, slot 266
  OrtStatusPtr(ORT_API_CALL* SetUserLoggingFunction)(
      OrtSessionOptions* options, OrtLoggingFunction user_logging_function,
      void* user_logging_param) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ShapeInferContext_GetInputCount)(
      const OrtShapeInferContext* context, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ShapeInferContext_GetInputTypeShape)(
      const OrtShapeInferContext* context, size_t index, OrtTensorTypeAndShapeInfo** info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ShapeInferContext_GetAttribute)(
      const OrtShapeInferContext* context, const char* attr_name, const OrtOpAttr** attr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ShapeInferContext_SetOutputTypeShape)(
      const OrtShapeInferContext* context, size_t index, const OrtTensorTypeAndShapeInfo* info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetSymbolicDimensions)(
      OrtTensorTypeAndShapeInfo* info, const char* dim_params[], size_t dim_params_length) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ReadOpAttr)(
      const OrtOpAttr* op_attr, OrtOpAttrType type, void* data, size_t len, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetDeterministicCompute)(OrtSessionOptions* options, bool value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_ParallelFor)(
      const OrtKernelContext* context, void (*fn)(void*, size_t), size_t total, size_t num_batch,
      void* usr_data) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_OpenVINO_V2)(
      OrtSessionOptions* options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  // API 18, slot 276
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_VitisAI)(
      OrtSessionOptions* options, const char* const* provider_options_keys,
      const char* const* provider_options_values, size_t num_keys) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetScratchBuffer)(
      const OrtKernelContext* context, const OrtMemoryInfo* mem_info, size_t count_or_bytes,
      void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAllocator)(
      const OrtKernelInfo* info, OrtMemType mem_type, OrtAllocator** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddExternalInitializersFromFilesInMemory)(
      OrtSessionOptions* options, const char* const* external_initializer_file_names,
      char* const* external_initializer_file_buffer_array, const size_t* external_initializer_file_lengths,
      size_t num_external_initializer_files) NO_EXCEPTION;
  // API 20, slot 280
  OrtStatusPtr(ORT_API_CALL* CreateLoraAdapter)(
      const char* adapter_file_path, OrtAllocator* allocator, OrtLoraAdapter** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateLoraAdapterFromArray)(
      const void* bytes, size_t num_bytes, OrtAllocator* allocator, OrtLoraAdapter** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseLoraAdapter)(OrtLoraAdapter* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsAddActiveLoraAdapter)(
      OrtRunOptions* options, const OrtLoraAdapter* adapter) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetEpDynamicOptions)(
      OrtSession* sess, const char* const* keys, const char* const* values, size_t kv_len) NO_EXCEPTION;
  // API 22, slot 285
  void(ORT_API_CALL* ReleaseValueInfo)(OrtValueInfo* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseNode)(OrtNode* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseGraph)(OrtGraph* input) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseModel)(OrtModel* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetValueInfoName)(
      const OrtValueInfo* value_info, const char** name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetValueInfoTypeInfo)(
      const OrtValueInfo* value_info, const OrtTypeInfo** type_info) NO_EXCEPTION;
  const OrtModelEditorApi*(ORT_API_CALL* GetModelEditorApi)(void) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorWithDataAndDeleterAsOrtValue)(
      OrtAllocator* deleter, void* p_data, size_t p_data_len, const int64_t* shape, size_t shape_len,
      ONNXTensorElementDataType type, OrtValue** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetLoadCancellationFlag)(
      OrtSessionOptions* options, bool cancel) NO_EXCEPTION;
  const OrtCompileApi*(ORT_API_CALL* GetCompileApi)(void) NO_EXCEPTION;
  void(ORT_API_CALL* CreateKeyValuePairs)(OrtKeyValuePairs** out) NO_EXCEPTION;
  void(ORT_API_CALL* AddKeyValuePair)(
      OrtKeyValuePairs* kvps, const char* key, const char* value) NO_EXCEPTION;
  const char*(ORT_API_CALL* GetKeyValue)(const OrtKeyValuePairs* kvps, const char* key) NO_EXCEPTION;
  void(ORT_API_CALL* GetKeyValuePairs)(
      const OrtKeyValuePairs* kvps, const char* const** keys, const char* const** values,
      size_t* num_entries) NO_EXCEPTION;
  void(ORT_API_CALL* RemoveKeyValuePair)(OrtKeyValuePairs* kvps, const char* key) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKeyValuePairs)(OrtKeyValuePairs* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RegisterExecutionProviderLibrary)(
      OrtEnv* env, const char* registration_name, const char* path) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* UnregisterExecutionProviderLibrary)(
      OrtEnv* env, const char* registration_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetEpDevices)(
      const OrtEnv* env, const OrtEpDevice* const** ep_devices, size_t* num_ep_devices) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsAppendExecutionProvider_V2)(
      OrtSessionOptions* session_options, OrtEnv* env, const OrtEpDevice* const* ep_devices,
      size_t num_ep_devices, const char* const* ep_option_keys, const char* const* ep_option_vals,
      size_t num_ep_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetEpSelectionPolicy)(
      OrtSessionOptions* session_options, OrtExecutionProviderDevicePolicy policy) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetEpSelectionPolicyDelegate)(
      OrtSessionOptions* session_options, EpSelectionDelegate delegate, void* delegate_state) NO_EXCEPTION;
  OrtHardwareDeviceType(ORT_API_CALL* HardwareDevice_Type)(const OrtHardwareDevice* device) NO_EXCEPTION;
  uint32_t(ORT_API_CALL* HardwareDevice_VendorId)(const OrtHardwareDevice* device) NO_EXCEPTION;
  const char*(ORT_API_CALL* HardwareDevice_Vendor)(const OrtHardwareDevice* device) NO_EXCEPTION;
  uint32_t(ORT_API_CALL* HardwareDevice_DeviceId)(const OrtHardwareDevice* device) NO_EXCEPTION;
  const OrtKeyValuePairs*(ORT_API_CALL* HardwareDevice_Metadata)(
      const OrtHardwareDevice* device) NO_EXCEPTION;
  const char*(ORT_API_CALL* EpDevice_EpName)(const OrtEpDevice* ep_device) NO_EXCEPTION;
  const char*(ORT_API_CALL* EpDevice_EpVendor)(const OrtEpDevice* ep_device) NO_EXCEPTION;
  const OrtKeyValuePairs*(ORT_API_CALL* EpDevice_EpMetadata)(const OrtEpDevice* ep_device) NO_EXCEPTION;
  const OrtKeyValuePairs*(ORT_API_CALL* EpDevice_EpOptions)(const OrtEpDevice* ep_device) NO_EXCEPTION;
  const OrtHardwareDevice*(ORT_API_CALL* EpDevice_Device)(const OrtEpDevice* ep_device) NO_EXCEPTION;
  const OrtEpApi*(ORT_API_CALL* GetEpApi)(void) NO_EXCEPTION;
  // API 23, slot 318
  OrtStatusPtr(ORT_API_CALL* GetTensorSizeInBytes)(const OrtValue* ort_value, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AllocatorGetStats)(
      const OrtAllocator* ort_allocator, OrtKeyValuePairs** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateMemoryInfo_V2)(
      const char* name, OrtMemoryInfoDeviceType device_type, uint32_t vendor_id, int32_t device_id,
      OrtDeviceMemoryType mem_type, size_t alignment, OrtAllocatorType allocator_type,
      OrtMemoryInfo** out) NO_EXCEPTION;
  OrtDeviceMemoryType(ORT_API_CALL* MemoryInfoGetDeviceMemType)(const OrtMemoryInfo* ptr) NO_EXCEPTION;
  uint32_t(ORT_API_CALL* MemoryInfoGetVendorId)(const OrtMemoryInfo* ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_GetValueProducer)(
      const OrtValueInfo* value_info, const OrtNode** producer_node,
      size_t* producer_output_index) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_GetValueNumConsumers)(
      const OrtValueInfo* value_info, size_t* num_consumers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_GetValueConsumers)(
      const OrtValueInfo* value_info, const OrtNode** nodes, int64_t* input_indices,
      size_t num_consumers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_GetInitializerValue)(
      const OrtValueInfo* value_info, const OrtValue** initializer_value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_GetExternalInitializerInfo)(
      const OrtValueInfo* value_info, OrtExternalInitializerInfo** info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_IsRequiredGraphInput)(
      const OrtValueInfo* value_info, bool* is_required_graph_input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_IsOptionalGraphInput)(
      const OrtValueInfo* value_info, bool* is_optional_graph_input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_IsGraphOutput)(
      const OrtValueInfo* value_info, bool* is_graph_output) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_IsConstantInitializer)(
      const OrtValueInfo* value_info, bool* is_constant_initializer) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ValueInfo_IsFromOuterScope)(
      const OrtValueInfo* value_info, bool* is_from_outer_scope) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetName)(const OrtGraph* graph, const char** graph_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetModelPath)(const OrtGraph* graph, const char** model_path) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetOnnxIRVersion)(
      const OrtGraph* graph, int64_t* onnx_ir_version) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNumOperatorSets)(
      const OrtGraph* graph, size_t* num_operator_sets) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetOperatorSets)(
      const OrtGraph* graph, const char** domains, int64_t* opset_versions,
      size_t num_operator_sets) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNumInputs)(const OrtGraph* graph, size_t* num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetInputs)(
      const OrtGraph* graph, const OrtValueInfo** inputs, size_t num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNumOutputs)(const OrtGraph* graph, size_t* num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetOutputs)(
      const OrtGraph* graph, const OrtValueInfo** outputs, size_t num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNumInitializers)(
      const OrtGraph* graph, size_t* num_initializers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetInitializers)(
      const OrtGraph* graph, const OrtValueInfo** initializers, size_t num_initializers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNumNodes)(const OrtGraph* graph, size_t* num_nodes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetNodes)(
      const OrtGraph* graph, const OrtNode** nodes, size_t num_nodes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetParentNode)(const OrtGraph* graph, const OrtNode** node) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetGraphView)(
      const OrtGraph* src_graph, const OrtNode** nodes, size_t num_nodes, OrtGraph** dst_graph) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetId)(const OrtNode* node, size_t* node_id) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetName)(const OrtNode* node, const char** node_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetOperatorType)(
      const OrtNode* node, const char** operator_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetDomain)(const OrtNode* node, const char** domain_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetSinceVersion)(const OrtNode* node, int* since_version) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetNumInputs)(const OrtNode* node, size_t* num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetInputs)(
      const OrtNode* node, const OrtValueInfo** inputs, size_t num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetNumOutputs)(const OrtNode* node, size_t* num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetOutputs)(
      const OrtNode* node, const OrtValueInfo** outputs, size_t num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetNumImplicitInputs)(
      const OrtNode* node, size_t* num_implicit_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetImplicitInputs)(
      const OrtNode* node, const OrtValueInfo** implicit_inputs, size_t num_implicit_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetNumAttributes)(const OrtNode* node, size_t* num_attributes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetAttributes)(
      const OrtNode* node, const OrtOpAttr** attributes, size_t num_attributes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetAttributeByName)(
      const OrtNode* node, const char* attribute_name, const OrtOpAttr** attribute) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpAttr_GetTensorAttributeAsOrtValue)(
      const OrtOpAttr* attribute, OrtValue** attr_tensor) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpAttr_GetType)(const OrtOpAttr* attribute, OrtOpAttrType* type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpAttr_GetName)(const OrtOpAttr* attribute, const char** name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetNumSubgraphs)(const OrtNode* node, size_t* num_subgraphs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetSubgraphs)(
      const OrtNode* node, const OrtGraph** subgraphs, size_t num_subgraphs,
      const char** attribute_names) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetGraph)(const OrtNode* node, const OrtGraph** graph) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Node_GetEpName)(const OrtNode* node, const char** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseExternalInitializerInfo)(OrtExternalInitializerInfo* input) NO_EXCEPTION;
  const char*(ORT_API_CALL* ExternalInitializerInfo_GetFilePath)(
      const OrtExternalInitializerInfo* info) NO_EXCEPTION;
  int64_t(ORT_API_CALL* ExternalInitializerInfo_GetFileOffset)(
      const OrtExternalInitializerInfo* info) NO_EXCEPTION;
  size_t(ORT_API_CALL* ExternalInitializerInfo_GetByteSize)(
      const OrtExternalInitializerInfo* info) NO_EXCEPTION;
  const char*(ORT_API_CALL* GetRunConfigEntry)(
      const OrtRunOptions* options, const char* config_key) NO_EXCEPTION;
  const OrtMemoryInfo*(ORT_API_CALL* EpDevice_MemoryInfo)(
      const OrtEpDevice* ep_device, OrtDeviceMemoryType memory_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSharedAllocator)(
      OrtEnv* env, const OrtEpDevice* ep_device, OrtDeviceMemoryType mem_type,
      OrtAllocatorType allocator_type, const OrtKeyValuePairs* allocator_options,
      OrtAllocator** allocator) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSharedAllocator)(
      OrtEnv* env, const OrtMemoryInfo* mem_info, OrtAllocator** allocator) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ReleaseSharedAllocator)(
      OrtEnv* env, const OrtEpDevice* ep_device, OrtDeviceMemoryType mem_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorData)(const OrtValue* value, const void** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSessionOptionsConfigEntries)(
      const OrtSessionOptions* options, OrtKeyValuePairs** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetMemoryInfoForInputs)(
      const OrtSession* session, const OrtMemoryInfo** inputs_memory_info, size_t num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetMemoryInfoForOutputs)(
      const OrtSession* session, const OrtMemoryInfo** outputs_memory_info, size_t num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetEpDeviceForInputs)(
      const OrtSession* session, const OrtEpDevice** inputs_ep_devices, size_t num_inputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSyncStreamForEpDevice)(
      const OrtEpDevice* ep_device, const OrtKeyValuePairs* stream_options,
      OrtSyncStream** stream) NO_EXCEPTION;
  void*(ORT_API_CALL* SyncStream_GetHandle)(OrtSyncStream* stream) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseSyncStream)(OrtSyncStream* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CopyTensors)(
      const OrtEnv* env, const OrtValue* const* src_tensors, OrtValue* const* dst_tensors,
      OrtSyncStream* stream, size_t num_tensors) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Graph_GetModelMetadata)(
      const OrtGraph* graph, OrtModelMetadata** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetModelCompatibilityForEpDevices)(
      const OrtEpDevice* const* ep_devices, size_t num_ep_devices, const char* compatibility_info,
      OrtCompiledModelCompatibility* out_status) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateExternalInitializerInfo)(
      const char* filepath, int64_t file_offset, size_t byte_size,
      OrtExternalInitializerInfo** out) NO_EXCEPTION;
  // API 24, slot 390
  bool(ORT_API_CALL* TensorTypeAndShape_HasShape)(const OrtTensorTypeAndShapeInfo* info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetConfigEntries)(
      const OrtKernelInfo* info, OrtKeyValuePairs** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOperatorDomain)(
      const OrtKernelInfo* info, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOperatorType)(
      const OrtKernelInfo* info, char* out, size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetOperatorSinceVersion)(
      const OrtKernelInfo* info, int* since_version) NO_EXCEPTION;
  const OrtInteropApi*(ORT_API_CALL* GetInteropApi)(void) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetEpDeviceForOutputs)(
      const OrtSession* session, const OrtEpDevice** outputs_ep_devices, size_t num_outputs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetNumHardwareDevices)(const OrtEnv* env, size_t* num_devices) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetHardwareDevices)(
      const OrtEnv* env, const OrtHardwareDevice** devices, size_t num_devices) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetHardwareDeviceEpIncompatibilityDetails)(
      const OrtEnv* env, const char* ep_name, const OrtHardwareDevice* hw,
      OrtDeviceEpIncompatibilityDetails** details) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DeviceEpIncompatibilityDetails_GetReasonsBitmask)(
      const OrtDeviceEpIncompatibilityDetails* details, uint32_t* reasons_bitmask) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DeviceEpIncompatibilityDetails_GetNotes)(
      const OrtDeviceEpIncompatibilityDetails* details, const char** notes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DeviceEpIncompatibilityDetails_GetErrorCode)(
      const OrtDeviceEpIncompatibilityDetails* details, int32_t* error_code) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseDeviceEpIncompatibilityDetails)(
      OrtDeviceEpIncompatibilityDetails* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCompatibilityInfoFromModel)(
      const char* model_path, const char* ep_type, OrtAllocator* allocator,
      char** compatibility_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetCompatibilityInfoFromModelBytes)(
      const void* model_data, size_t model_data_length, const char* ep_type, OrtAllocator* allocator,
      char** compatibility_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateEnvWithOptions)(
      const OrtEnvCreationOptions* options, OrtEnv** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* Session_GetEpGraphAssignmentInfo)(
      const OrtSession* session, const OrtEpAssignedSubgraph* const** ep_subgraphs,
      size_t* num_ep_subgraphs) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpAssignedSubgraph_GetEpName)(
      const OrtEpAssignedSubgraph* ep_subgraph, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpAssignedSubgraph_GetNodes)(
      const OrtEpAssignedSubgraph* ep_subgraph, const OrtEpAssignedNode* const** ep_nodes,
      size_t* num_ep_nodes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpAssignedNode_GetName)(
      const OrtEpAssignedNode* ep_node, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpAssignedNode_GetDomain)(
      const OrtEpAssignedNode* ep_node, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpAssignedNode_GetOperatorType)(
      const OrtEpAssignedNode* ep_node, const char** out) NO_EXCEPTION;
  void(ORT_API_CALL* RunOptionsSetSyncStream)(
      OrtRunOptions* options, OrtSyncStream* sync_stream) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorElementTypeAndShapeDataReference)(
      const OrtValue* value, ONNXTensorElementDataType* elem_type, const int64_t** shape_data,
      size_t* shape_data_count) NO_EXCEPTION;
  // API 25, slot 415
  OrtStatusPtr(ORT_API_CALL* RunOptionsEnableProfiling)(
      OrtRunOptions* options, const char* profile_file_prefix) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* RunOptionsDisableProfiling)(OrtRunOptions* options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfoGetAttributeArray_string)(
      const OrtKernelInfo* info, const char* name, OrtAllocator* allocator, char*** out,
      size_t* size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetPerSessionThreadPoolCallbacks)(
      OrtEnv* env, const OrtThreadPoolCallbacksConfig* config) NO_EXCEPTION;
  // API 27, slot 419
  OrtStatusPtr(ORT_API_CALL* GetMemPatternEnabled)(const OrtSessionOptions* options, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetSessionExecutionMode)(
      const OrtSessionOptions* options, ExecutionMode* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionReleaseCapturedGraph)(
      OrtSession* session, int graph_annotation_id) NO_EXCEPTION;
  // API 28, slot 422
  OrtExperimentalFnPtr(ORT_API_CALL* GetExperimentalFunction)(const char* name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelContext_GetSyncStream)(
      const OrtKernelContext* context, OrtSyncStream** out) NO_EXCEPTION;
  // API 29, slot 424
  OrtStatusPtr(ORT_API_CALL* SessionOptionsSetWeightlessSourceModelBuffer)(
      OrtSessionOptions* options, const void* source_model_data,
      size_t source_model_data_length) NO_EXCEPTION;
  // API 30, slot 425
  OrtStatus*(ORT_API_CALL* KernelContext_GetPreallocatedOutput)(
      const OrtKernelContext* context, size_t output_index, OrtValue** output) NO_EXCEPTION;
  // API 31, slot 426
  OrtStatus*(ORT_API_CALL* SessionOptionsSetEpContextDataReadFunc)(
      OrtSessionOptions* options, OrtReadNamedBufferFunc read_func, void* state) NO_EXCEPTION;
  const OrtModelPackageApi*(ORT_API_CALL* GetModelPackageApi)(void) NO_EXCEPTION;
  // API 32, slot 428
  OrtStatus*(ORT_API_CALL* EpDevice_GetMemoryCapacity)(
      const OrtEpDevice* ep_device, OrtDeviceMemoryType mem_type, size_t* total,
      size_t* available) NO_EXCEPTION;
};

// Builds a graph in memory, node by node, or edits one before its session is made.
struct OrtModelEditorApi {
  // API 22, slot 0
  OrtStatusPtr(ORT_API_CALL* CreateTensorTypeInfo)(
      const OrtTensorTypeAndShapeInfo* tensor_info, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSparseTensorTypeInfo)(
      const OrtTensorTypeAndShapeInfo* tensor_info, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateMapTypeInfo)(
      ONNXTensorElementDataType map_key_type, const OrtTypeInfo* map_value_type,
      OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSequenceTypeInfo)(
      const OrtTypeInfo* sequence_type, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateOptionalTypeInfo)(
      const OrtTypeInfo* contained_type, OrtTypeInfo** type_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateValueInfo)(
      const char* name, const OrtTypeInfo* type_info, OrtValueInfo** value_info) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateNode)(
      const char* operator_name, const char* domain_name, const char* node_name,
      const char* const* input_names, size_t input_names_len, const char* const* output_names,
      size_t output_names_len, OrtOpAttr** attributes, size_t attribs_len, OrtNode** node) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateGraph)(OrtGraph** graph) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGraphInputs)(
      OrtGraph* graph, OrtValueInfo** inputs, size_t inputs_len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SetGraphOutputs)(
      OrtGraph* graph, OrtValueInfo** outputs, size_t outputs_len) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddInitializerToGraph)(
      OrtGraph* graph, const char* name, OrtValue* tensor, bool data_is_external) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddNodeToGraph)(OrtGraph* graph, OrtNode* node) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateModel)(
      const char* const* domain_names, const int* opset_versions, size_t opset_entries_len,
      OrtModel** model) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* AddGraphToModel)(OrtModel* model, OrtGraph* graph) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateSessionFromModel)(
      const OrtEnv* env, const OrtModel* model, const OrtSessionOptions* options,
      OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateModelEditorSession)(
      const OrtEnv* env, const char* model_path, const OrtSessionOptions* options,
      OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateModelEditorSessionFromArray)(
      const OrtEnv* env, const void* model_data, size_t model_data_length, const OrtSessionOptions* options,
      OrtSession** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SessionGetOpsetForDomain)(
      const OrtSession* session, const char* domain, int* opset) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ApplyModelToModelEditorSession)(
      OrtSession* session, OrtModel* model) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* FinalizeModelEditorSession)(
      OrtSession* session, const OrtSessionOptions* options,
      OrtPrepackedWeightsContainer* prepacked_weights_container) NO_EXCEPTION;
};

// Compiles a model ahead of time into one that holds provider contexts.
struct OrtCompileApi {
  // API 22, slot 0
  void(ORT_API_CALL* ReleaseModelCompilationOptions)(OrtModelCompilationOptions* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateModelCompilationOptionsFromSessionOptions)(
      const OrtEnv* env, const OrtSessionOptions* session_options,
      OrtModelCompilationOptions** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetInputModelPath)(
      OrtModelCompilationOptions* model_compile_options, const char* input_model_path) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetInputModelFromBuffer)(
      OrtModelCompilationOptions* model_compile_options, const void* input_model_data,
      size_t input_model_data_size) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetOutputModelPath)(
      OrtModelCompilationOptions* model_compile_options, const char* output_model_path) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetOutputModelExternalInitializersFile)(
      OrtModelCompilationOptions* model_compile_options, const char* external_initializers_file_path,
      size_t external_initializers_size_threshold) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetOutputModelBuffer)(
      OrtModelCompilationOptions* model_compile_options, OrtAllocator* allocator,
      void** output_model_buffer_ptr, size_t* output_model_buffer_size_ptr) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetEpContextEmbedMode)(
      OrtModelCompilationOptions* model_compile_options, bool embed_ep_context_in_model) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CompileModel)(
      const OrtEnv* env, const OrtModelCompilationOptions* model_options) NO_EXCEPTION;
  // API 23, slot 9
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetFlags)(
      OrtModelCompilationOptions* model_compile_options, uint32_t flags) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetEpContextBinaryInformation)(
      OrtModelCompilationOptions* model_compile_options, const char* output_directory,
      const char* model_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetGraphOptimizationLevel)(
      OrtModelCompilationOptions* model_compile_options,
      GraphOptimizationLevel graph_optimization_level) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetOutputModelWriteFunc)(
      OrtModelCompilationOptions* model_compile_options, OrtWriteBufferFunc write_func,
      void* state) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetOutputModelGetInitializerLocationFunc)(
      OrtModelCompilationOptions* model_compile_options,
      OrtGetInitializerLocationFunc get_initializer_location_func, void* state) NO_EXCEPTION;
  // API 24, slot 14
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetInputModel)(
      OrtModelCompilationOptions* model_compile_options, const OrtModel* model) NO_EXCEPTION;
  // API 29, slot 15
  OrtStatusPtr(ORT_API_CALL* ModelCompilationOptions_SetWeightlessEnabled)(
      OrtModelCompilationOptions* model_compile_options, bool use_weightless) NO_EXCEPTION;
  // API 31, slot 16
  OrtStatus*(ORT_API_CALL* ModelCompilationOptions_SetEpContextDataWriteFunc)(
      OrtModelCompilationOptions* model_compile_options, OrtWriteNamedBufferFunc write_func,
      void* state) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelCompilationOptions_SetOutputModelExternalInitializersBuffer)(
      OrtModelCompilationOptions* options, const char* logical_file_name, size_t initializer_size_threshold,
      OrtAllocator* allocator, void** output_buffer, size_t* output_buffer_size) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelCompilationOptions_SetOutputModelExternalInitializersAlignment)(
      OrtModelCompilationOptions* options, size_t alignment, size_t minimum_size) NO_EXCEPTION;
  // API 32, slot 19
  OrtStatus*(ORT_API_CALL* ModelCompilationOptions_SetWeightlessMode)(
      OrtModelCompilationOptions* options, OrtWeightlessSupport mode) NO_EXCEPTION;
};

// Shares memory and semaphores with graphics and compute APIs.
struct OrtInteropApi {
  // API 24, slot 0
  OrtStatusPtr(ORT_API_CALL* CreateExternalResourceImporterForDevice)(
      const OrtEpDevice* ep_device, OrtExternalResourceImporter** out_importer) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseExternalResourceImporter)(OrtExternalResourceImporter* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CanImportMemory)(
      const OrtExternalResourceImporter* importer, OrtExternalMemoryHandleType handle_type,
      bool* out_supported) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ImportMemory)(
      OrtExternalResourceImporter* importer, const OrtExternalMemoryDescriptor* desc,
      OrtExternalMemoryHandle** out_handle) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseExternalMemoryHandle)(OrtExternalMemoryHandle* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateTensorFromMemory)(
      OrtExternalResourceImporter* importer, const OrtExternalMemoryHandle* mem_handle,
      const OrtExternalTensorDescriptor* tensor_desc, OrtValue** out_tensor) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CanImportSemaphore)(
      const OrtExternalResourceImporter* importer, OrtExternalSemaphoreType type,
      bool* out_supported) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ImportSemaphore)(
      OrtExternalResourceImporter* importer, const OrtExternalSemaphoreDescriptor* desc,
      OrtExternalSemaphoreHandle** out_handle) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseExternalSemaphoreHandle)(OrtExternalSemaphoreHandle* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* WaitSemaphore)(
      OrtExternalResourceImporter* importer, OrtExternalSemaphoreHandle* semaphore_handle,
      OrtSyncStream* stream, uint64_t value) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SignalSemaphore)(
      OrtExternalResourceImporter* importer, OrtExternalSemaphoreHandle* semaphore_handle,
      OrtSyncStream* stream, uint64_t value) NO_EXCEPTION;
  // API 25, slot 11
  OrtStatusPtr(ORT_API_CALL* InitGraphicsInteropForEpDevice)(
      const OrtEpDevice* ep_device, const OrtGraphicsInteropConfig* config) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DeinitGraphicsInteropForEpDevice)(const OrtEpDevice* ep_device) NO_EXCEPTION;
};

// What plug-in execution providers call.
struct OrtEpApi {
  // API 22, slot 0
  OrtStatusPtr(ORT_API_CALL* CreateEpDevice)(
      OrtEpFactory* ep_factory, const OrtHardwareDevice* hardware_device, const OrtKeyValuePairs* ep_metadata,
      const OrtKeyValuePairs* ep_options, OrtEpDevice** ep_device) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseEpDevice)(OrtEpDevice* input) NO_EXCEPTION;
  // API 23, slot 2
  OrtStatusPtr(ORT_API_CALL* EpGraphSupportInfo_AddNodesToFuse)(
      OrtEpGraphSupportInfo* graph_support_info, const OrtNode* const* nodes, size_t num_nodes,
      const OrtNodeFusionOptions* node_fusion_options) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpGraphSupportInfo_AddSingleNode)(
      OrtEpGraphSupportInfo* graph_support_info, const OrtNode* node) NO_EXCEPTION;
  const char*(ORT_API_CALL* NodeComputeContext_NodeName)(const OrtNodeComputeContext* context) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpDevice_AddAllocatorInfo)(
      OrtEpDevice* ep_device, const OrtMemoryInfo* allocator_memory_info) NO_EXCEPTION;
  const OrtMemoryDevice*(ORT_API_CALL* MemoryInfo_GetMemoryDevice)(
      const OrtMemoryInfo* memory_info) NO_EXCEPTION;
  const OrtMemoryDevice*(ORT_API_CALL* Value_GetMemoryDevice)(const OrtValue* value) NO_EXCEPTION;
  bool(ORT_API_CALL* MemoryDevice_AreEqual)(const OrtMemoryDevice* a, const OrtMemoryDevice* b) NO_EXCEPTION;
  OrtMemoryInfoDeviceType(ORT_API_CALL* MemoryDevice_GetDeviceType)(
      const OrtMemoryDevice* memory_device) NO_EXCEPTION;
  OrtDeviceMemoryType(ORT_API_CALL* MemoryDevice_GetMemoryType)(
      const OrtMemoryDevice* memory_device) NO_EXCEPTION;
  uint32_t(ORT_API_CALL* MemoryDevice_GetVendorId)(const OrtMemoryDevice* memory_device) NO_EXCEPTION;
  uint32_t(ORT_API_CALL* MemoryDevice_GetDeviceId)(const OrtMemoryDevice* memory_device) NO_EXCEPTION;
  const OrtSyncStreamImpl*(ORT_API_CALL* SyncStream_GetImpl)(const OrtSyncStream* stream) NO_EXCEPTION;
  uint64_t(ORT_API_CALL* SyncStream_GetSyncId)(const OrtSyncStream* stream) NO_EXCEPTION;
  uint64_t(ORT_API_CALL* GetSyncIdForLastWaitOnSyncStream)(
      const OrtSyncStream* producer_stream, const OrtSyncStream* consumer_stream) NO_EXCEPTION;
  // API 24, slot 16
  OrtStatusPtr(ORT_API_CALL* CreateHardwareDevice)(
      OrtHardwareDeviceType type, uint32_t vendor_id, uint32_t device_id, const char* vendor_name,
      const OrtKeyValuePairs* metadata, OrtHardwareDevice** hardware_device) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseHardwareDevice)(OrtHardwareDevice* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateKernelRegistry)(OrtKernelRegistry** kernel_registry) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKernelRegistry)(OrtKernelRegistry* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelRegistry_AddKernel)(
      OrtKernelRegistry* kernel_registry, const OrtKernelDef* kernel_def,
      OrtKernelCreateFunc kernel_create_func, void* kernel_create_func_state) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateKernelDefBuilder)(
      OrtKernelDefBuilder** kernel_def_builder_out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKernelDefBuilder)(OrtKernelDefBuilder* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetOperatorType)(
      OrtKernelDefBuilder* kernel_def_builder, const char* op_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetDomain)(
      OrtKernelDefBuilder* kernel_def_builder, const char* domain) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetSinceVersion)(
      OrtKernelDefBuilder* kernel_def_builder, int since_version_start, int since_version_end) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetExecutionProvider)(
      OrtKernelDefBuilder* kernel_def_builder, const char* ep_name) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetInputMemType)(
      OrtKernelDefBuilder* kernel_def_builder, size_t input_index, OrtMemType mem_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_SetOutputMemType)(
      OrtKernelDefBuilder* kernel_def_builder, size_t output_index, OrtMemType mem_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_AddTypeConstraint)(
      OrtKernelDefBuilder* kernel_def_builder, const char* arg_name, const OrtDataType* const* types,
      size_t num_types) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_AddInputOutputAliases)(
      OrtKernelDefBuilder* kernel_def_builder, const int* input_indices, const int* output_indices,
      size_t num_io_indices) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_AddInputOutputMutableAliases)(
      OrtKernelDefBuilder* kernel_def_builder, const int* input_indices, const int* output_indices,
      size_t num_io_indices) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDefBuilder_Build)(
      OrtKernelDefBuilder* kernel_def_builder, OrtKernelDef** kernel_def_out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKernelDef)(OrtKernelDef* input) NO_EXCEPTION;
  const char*(ORT_API_CALL* KernelDef_GetOperatorType)(const OrtKernelDef* kernel_def) NO_EXCEPTION;
  const char*(ORT_API_CALL* KernelDef_GetDomain)(const OrtKernelDef* kernel_def) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDef_GetSinceVersion)(
      const OrtKernelDef* kernel_def, int* start_version, int* end_version) NO_EXCEPTION;
  const char*(ORT_API_CALL* KernelDef_GetExecutionProvider)(const OrtKernelDef* kernel_def) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDef_GetInputMemType)(
      const OrtKernelDef* kernel_def, size_t input_index, OrtMemType* mem_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelDef_GetOutputMemType)(
      const OrtKernelDef* kernel_def, size_t output_index, OrtMemType* mem_type) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetTensorDataType)(
      ONNXTensorElementDataType elem_type, const OrtDataType** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* EpGraphSupportInfo_LookUpKernel)(
      OrtEpGraphSupportInfo* graph_support_info, const OrtNode* node,
      const OrtKernelDef** out_kernel_def) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* SharedPrePackedWeightCache_StoreWeightData)(
      OrtSharedPrePackedWeightCache* prepacked_weight_cache, void** buffer_data_ptrs,
      size_t* buffer_data_sizes, size_t num_buffers) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* KernelInfo_GetEp)(const OrtKernelInfo* info, const OrtEp** ep) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* DeviceEpIncompatibilityDetails_SetDetails)(
      OrtDeviceEpIncompatibilityDetails* details, uint32_t reasons_bitmask, int32_t error_code,
      const char* notes) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateIfKernel)(
      const OrtKernelInfo* kernel_info, OrtKernelImpl** kernel_out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateLoopKernel)(
      const OrtKernelInfo* kernel_info, OrtLoopKernelHelper* helper, OrtKernelImpl** kernel_out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateScanKernel)(
      const OrtKernelInfo* kernel_info, OrtScanKernelHelper* helper, OrtKernelImpl** kernel_out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseKernelImpl)(OrtKernelImpl* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* GetEnvConfigEntries)(OrtKeyValuePairs** config_entries) NO_EXCEPTION;
  // API 25, slot 50
  OrtStatusPtr(ORT_API_CALL* GetOpSchema)(
      const char* name, int max_inclusive_version, const char* domain, OrtOpSchema** out_schema) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseOpSchema)(OrtOpSchema* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetSinceVersion)(const OrtOpSchema* schema, int* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetNumInputs)(const OrtOpSchema* schema, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetInputName)(
      const OrtOpSchema* schema, size_t index, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetInputTypeConstraint)(
      const OrtOpSchema* schema, size_t index, const OrtOpSchemaTypeConstraint** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetNumOutputs)(const OrtOpSchema* schema, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetOutputName)(
      const OrtOpSchema* schema, size_t index, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetOutputTypeConstraint)(
      const OrtOpSchema* schema, size_t index, const OrtOpSchemaTypeConstraint** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetTypeConstraintCount)(
      const OrtOpSchema* schema, size_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchema_GetTypeConstraint)(
      const OrtOpSchema* schema, size_t index, const OrtOpSchemaTypeConstraint** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchemaTypeConstraint_GetTypeParamName)(
      const OrtOpSchemaTypeConstraint* type_constraint, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchemaTypeConstraint_GetAllowedTypes)(
      const OrtOpSchemaTypeConstraint* type_constraint, const char* const** out_types,
      size_t* num_types) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchemaTypeConstraint_GetInputIndices)(
      const OrtOpSchemaTypeConstraint* type_constraint, const size_t** out_indices,
      size_t* count) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* OpSchemaTypeConstraint_GetOutputIndices)(
      const OrtOpSchemaTypeConstraint* type_constraint, const size_t** out_indices,
      size_t* count) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* CreateProfilingEvent)(
      OrtProfilingEventCategory category, int32_t process_id, int32_t thread_id, const char* event_name,
      int64_t timestamp_us, int64_t duration_us, const char* const* arg_keys, const char* const* arg_values,
      size_t num_args, OrtProfilingEvent** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseProfilingEvent)(OrtProfilingEvent* input) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEvent_GetCategory)(
      const OrtProfilingEvent* event, OrtProfilingEventCategory* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEvent_GetName)(
      const OrtProfilingEvent* event, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEvent_GetTimestampUs)(
      const OrtProfilingEvent* event, int64_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEvent_GetDurationUs)(
      const OrtProfilingEvent* event, int64_t* out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEvent_GetArgValue)(
      const OrtProfilingEvent* event, const char* key, const char** out) NO_EXCEPTION;
  OrtStatusPtr(ORT_API_CALL* ProfilingEventsContainer_AddEvents)(
      OrtProfilingEventsContainer* events_container, const OrtProfilingEvent* const* events,
      size_t num_events) NO_EXCEPTION;
  // API 29, slot 73
  OrtStatusPtr(ORT_API_CALL* SessionOptionsGetWeightlessSourceModelBuffer)(
      const OrtSessionOptions* session_options, const void** source_model_data,
      size_t* source_model_data_length) NO_EXCEPTION;
  // API 31, slot 74
  OrtStatus*(ORT_API_CALL* SessionOptionsGetEpContextConfig)(
      const OrtSessionOptions* session_options, OrtEpContextConfig** config) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseEpContextConfig)(OrtEpContextConfig* input) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* EpContextConfigGetEpContextDataReadFunc)(
      const OrtEpContextConfig* config, OrtReadNamedBufferFunc* read_func, void** state) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* EpContextConfigGetEpContextDataWriteFunc)(
      const OrtEpContextConfig* config, OrtWriteNamedBufferFunc* write_func, void** state) NO_EXCEPTION;
};

// Opens a package of model variants and chooses the one that suits the device.
struct OrtModelPackageApi {
  // API 31, slot 0
  OrtStatus*(ORT_API_CALL* CreateModelPackageOptionsFromSessionOptions)(
      const OrtEnv* env, const OrtSessionOptions* session_options, OrtModelPackageOptions** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseModelPackageOptions)(OrtModelPackageOptions* options) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* CreateModelPackageContext)(
      const char* package_root, OrtModelPackageContext** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseModelPackageContext)(OrtModelPackageContext* ctx) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetSchemaVersion)(
      const OrtModelPackageContext* ctx, int64_t* out_version) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetComponentCount)(
      const OrtModelPackageContext* ctx, size_t* out_count) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetComponentNames)(
      const OrtModelPackageContext* ctx, const char* const** out_names, size_t* out_count) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetVariantCount)(
      const OrtModelPackageContext* ctx, const char* component_name, size_t* out_count) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetVariantNames)(
      const OrtModelPackageContext* ctx, const char* component_name, const char* const** out_variant_names,
      size_t* out_count) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_GetVariantEpName)(
      const OrtModelPackageContext* ctx, const char* component_name, const char* variant_name,
      const char** out_ep) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackage_ResolveStringRef)(
      const OrtModelPackageContext* ctx, const char* base_dir, const char* input, int must_exist,
      const char** out_path) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* SelectComponent)(
      const OrtModelPackageContext* context, const char* component_name,
      const OrtModelPackageOptions* options, OrtModelPackageComponentContext** out) NO_EXCEPTION;
  void(ORT_API_CALL* ReleaseModelPackageComponentContext)(OrtModelPackageComponentContext* ctx) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackageComponent_GetSelectedVariantName)(
      const OrtModelPackageComponentContext* ctx, const char** out_name) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* ModelPackageComponent_GetSelectedVariantFolderPath)(
      const OrtModelPackageComponentContext* ctx, const char** folder_path) NO_EXCEPTION;
  OrtStatus*(ORT_API_CALL* CreateSession)(
      const OrtEnv* env, OrtModelPackageComponentContext* context, const OrtSessionOptions* session_options,
      OrtSession** session) NO_EXCEPTION;
};

// ---- Exported symbols ----

ORT_EXPORT const OrtApiBase* ORT_API_CALL OrtGetApiBase(void) NO_EXCEPTION;

// The CPU provider is always present: this succeeds and changes nothing.
ORT_EXPORT OrtStatusPtr ORT_API_CALL OrtSessionOptionsAppendExecutionProvider_CPU(OrtSessionOptions* options,
                                                                                  int use_arena) NO_EXCEPTION;

#ifdef __cplusplus
}
#endif

#undef SDX_DEFAULT
#undef SDX_ENUM_TOP_BIT

#endif  // ONNXRUNTIME_C_API_H_
