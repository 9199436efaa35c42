// What a model says about itself.
#include "answer.h"
#include "session_handle.h"
#include "tables.h"

struct OrtModelMetadata {
  std::string producer, graph_name, domain, description, graph_description;
  int64_t version = 0;
  std::map<std::string, std::string> custom;
};

namespace sdx::api {
namespace {

OrtModelMetadata read_metadata(const onnx::ModelProto& model) {
  OrtModelMetadata metadata;
  metadata.producer = model.producer_name;
  metadata.domain = model.domain;
  metadata.description = model.doc_string;
  metadata.version = model.model_version.value_or(0);
  if (model.graph) {
    metadata.graph_name = model.graph->name;
    metadata.graph_description = model.graph->doc_string;
  }
  for (const auto& entry : model.metadata_props) metadata.custom.emplace(entry.key, entry.value);
  return metadata;
}

OrtStatus* give_text(const OrtModelMetadata* model_metadata, std::string OrtModelMetadata::*field,
                     OrtAllocator* allocator, char** value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_metadata);
    SDX_NEED(allocator);
    SDX_NEED(value);
    return abi::copy_text(model_metadata->*field, *allocator, value);
  });
}

}  // namespace

namespace ort_api {

OrtStatusPtr ORT_API_CALL SessionGetModelMetadata(const OrtSession* session, OrtModelMetadata** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(session);
    SDX_NEED(out);
    *out = new OrtModelMetadata(read_metadata(session->engine->model().proto));
    return {};
  });
}

void ORT_API_CALL ReleaseModelMetadata(OrtModelMetadata* input) noexcept { delete input; }

OrtStatusPtr ORT_API_CALL ModelMetadataGetProducerName(const OrtModelMetadata* model_metadata, OrtAllocator* allocator,
                                                       char** value) noexcept {
  return give_text(model_metadata, &OrtModelMetadata::producer, allocator, value);
}
OrtStatusPtr ORT_API_CALL ModelMetadataGetGraphName(const OrtModelMetadata* model_metadata, OrtAllocator* allocator,
                                                    char** value) noexcept {
  return give_text(model_metadata, &OrtModelMetadata::graph_name, allocator, value);
}
OrtStatusPtr ORT_API_CALL ModelMetadataGetDomain(const OrtModelMetadata* model_metadata, OrtAllocator* allocator,
                                                 char** value) noexcept {
  return give_text(model_metadata, &OrtModelMetadata::domain, allocator, value);
}
OrtStatusPtr ORT_API_CALL ModelMetadataGetDescription(const OrtModelMetadata* model_metadata, OrtAllocator* allocator,
                                                      char** value) noexcept {
  return give_text(model_metadata, &OrtModelMetadata::description, allocator, value);
}
OrtStatusPtr ORT_API_CALL ModelMetadataGetGraphDescription(const OrtModelMetadata* model_metadata,
                                                           OrtAllocator* allocator, char** value) noexcept {
  return give_text(model_metadata, &OrtModelMetadata::graph_description, allocator, value);
}

OrtStatusPtr ORT_API_CALL ModelMetadataGetVersion(const OrtModelMetadata* model_metadata, int64_t* value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_metadata);
    SDX_NEED(value);
    *value = model_metadata->version;
    return {};
  });
}

// Null where there is no such key.
OrtStatusPtr ORT_API_CALL ModelMetadataLookupCustomMetadataMap(const OrtModelMetadata* model_metadata,
                                                               OrtAllocator* allocator, const char* key,
                                                               char** value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_metadata);
    SDX_NEED(allocator);
    SDX_NEED(key);
    SDX_NEED(value);
    *value = nullptr;
    const auto entry = model_metadata->custom.find(key);
    return entry == model_metadata->custom.end() ? Status() : abi::copy_text(entry->second, *allocator, value);
  });
}

OrtStatusPtr ORT_API_CALL ModelMetadataGetCustomMetadataMapKeys(const OrtModelMetadata* model_metadata,
                                                                OrtAllocator* allocator, char*** keys,
                                                                int64_t* num_keys) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(model_metadata);
    SDX_NEED(allocator);
    SDX_NEED(keys);
    SDX_NEED(num_keys);
    *keys = nullptr;
    *num_keys = 0;
    const size_t count = model_metadata->custom.size();
    if (count == 0) return {};
    auto* list = static_cast<char**>(allocator->Alloc(allocator, count * sizeof(char*)));
    if (list == nullptr)
      return make_error(Code::runtime_exception, "the allocator that was given has no {} bytes", count * sizeof(char*));
    size_t copied = 0;
    for (const auto& [key, value] : model_metadata->custom) {
      Status status = abi::copy_text(key, *allocator, &list[copied]);
      if (!status.ok()) {
        while (copied > 0) allocator->Free(allocator, list[--copied]);
        allocator->Free(allocator, list);
        return status;
      }
      ++copied;
    }
    *keys = list;
    *num_keys = static_cast<int64_t>(count);
    return {};
  });
}

}  // namespace ort_api
}  // namespace sdx::api
