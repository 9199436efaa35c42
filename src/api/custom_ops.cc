// Custom operators: domains that callers describe, and libraries that register them.
#include "abi/options.h"
#include "answer.h"
#include "tables.h"

namespace sdx::api {
namespace {

Status call_registration(void* symbol, OrtSessionOptions* options) {
  const auto function = reinterpret_cast<RegisterCustomOpsFn>(symbol);
  return take_status(function(options, OrtGetApiBase()));
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL CreateCustomOpDomain(const char* domain, OrtCustomOpDomain** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(domain);
    SDX_NEED(out);
    *out = new OrtCustomOpDomain{domain, {}};
    return {};
  });
}

void ORT_API_CALL ReleaseCustomOpDomain(OrtCustomOpDomain* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL CustomOpDomain_Add(OrtCustomOpDomain* custom_op_domain, const OrtCustomOp* op) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(custom_op_domain);
    SDX_NEED(op);
    custom_op_domain->operators.push_back(op);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddCustomOpDomain(OrtSessionOptions* options, OrtCustomOpDomain* custom_op_domain) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(custom_op_domain);
    options->custom_domains.push_back(custom_op_domain);
    return {};
  });
}

// The library stays open: the caller has its handle.
OrtStatusPtr ORT_API_CALL RegisterCustomOpsLibrary(OrtSessionOptions* options, const char* library_path,
                                                   void** library_handle) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(library_path);
    SDX_NEED(library_handle);
    SDX_ASSIGN(const auto library, abi::LoadedLibrary::open(library_path));
    SDX_ASSIGN(void* const symbol, library->symbol("RegisterCustomOps"));
    SDX_TRY(call_registration(symbol, options));
    *library_handle = library->leak();
    return {};
  });
}

// The library is open for as long as the options, or a session made with them, live.
OrtStatusPtr ORT_API_CALL RegisterCustomOpsLibrary_V2(OrtSessionOptions* options, const char* library_name) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(library_name);
    SDX_ASSIGN(auto library, abi::LoadedLibrary::open(library_name));
    SDX_ASSIGN(void* const symbol, library->symbol("RegisterCustomOps"));
    options->libraries.push_back(std::move(library));
    return call_registration(symbol, options);
  });
}

OrtStatusPtr ORT_API_CALL RegisterCustomOpsUsingFunction(OrtSessionOptions* options,
                                                         const char* registration_func_name) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(registration_func_name);
    SDX_ASSIGN(void* const symbol, abi::symbol_of_program(registration_func_name));
    return call_registration(symbol, options);
  });
}

OrtStatusPtr ORT_API_CALL EnableOrtCustomOps(OrtSessionOptions* options) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    return make_error(Code::fail,
                      "EnableOrtCustomOps: onnxruntime-extensions is not built in; "
                      "RegisterCustomOpsLibrary takes its library");
  });
}

}  // namespace ort_api
}  // namespace sdx::api
