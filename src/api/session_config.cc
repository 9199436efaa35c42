// Session options: configuration by key, and initializers that the caller gives.
#include "abi/key_values.h"
#include "abi/options.h"
#include "answer.h"
#include "options_entry.h"
#include "tables.h"

namespace sdx::api::ort_api {

OrtStatusPtr ORT_API_CALL AddSessionConfigEntry(OrtSessionOptions* options, const char* config_key,
                                                const char* config_value) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    return add_config(options->config, config_key, config_value);
  });
}

OrtStatusPtr ORT_API_CALL HasSessionConfigEntry(const OrtSessionOptions* options, const char* config_key,
                                                int* out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(config_key);
    SDX_NEED(out);
    *out = options->config.contains(config_key) ? 1 : 0;
    return {};
  });
}

OrtStatusPtr ORT_API_CALL GetSessionConfigEntry(const OrtSessionOptions* options, const char* config_key,
                                                char* config_value, size_t* size) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(config_key);
    const auto entry = options->config.find(config_key);
    if (entry == options->config.end())
      return make_error(Code::fail, "SessionOptions does not have configuration with key: {}", config_key);
    return write_text(entry->second, config_value, size);
  });
}

OrtStatusPtr ORT_API_CALL GetSessionOptionsConfigEntries(const OrtSessionOptions* options,
                                                         OrtKeyValuePairs** out) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(out);
    *out = new OrtKeyValuePairs(options->config);
    return {};
  });
}

// The value's memory stays the caller's, as long as sessions made with these options live.
OrtStatusPtr ORT_API_CALL AddInitializer(OrtSessionOptions* options, const char* name, const OrtValue* val) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    SDX_NEED(name);
    SDX_NEED(val);
    if (val->kind() != ValueKind::tensor)
      return invalid_argument("initializer \"{}\" is {}, a tensor is wanted", name, to_text(val->content().type()));
    if (!options->initializers.emplace(name, *val).second)
      return invalid_argument("an initializer named \"{}\" was added before", name);
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddExternalInitializers(OrtSessionOptions* options, const char* const* initializer_names,
                                                  const OrtValue* const* initializers,
                                                  size_t num_initializers) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    if (num_initializers > 0) {
      SDX_NEED(initializer_names);
      SDX_NEED(initializers);
    }
    for (size_t i = 0; i < num_initializers; ++i) {
      SDX_NEED(initializer_names[i]);
      SDX_NEED(initializers[i]);
      const char* name = initializer_names[i];
      if (initializers[i]->kind() != ValueKind::tensor)
        return invalid_argument("initializer \"{}\" is {}, a tensor is wanted", name,
                                to_text(initializers[i]->content().type()));
      if (!options->external_initializers.emplace(name, *initializers[i]).second)
        return invalid_argument("an external initializer named \"{}\" was added before", name);
    }
    return {};
  });
}

OrtStatusPtr ORT_API_CALL AddExternalInitializersFromFilesInMemory(OrtSessionOptions* options,
                                                                   const char* const* external_initializer_file_names,
                                                                   char* const* external_initializer_file_buffer_array,
                                                                   const size_t* external_initializer_file_lengths,
                                                                   size_t num_external_initializer_files) noexcept {
  return answer([&]() -> Status {
    SDX_NEED(options);
    if (num_external_initializer_files == 0) return {};
    SDX_NEED(external_initializer_file_names);
    SDX_NEED(external_initializer_file_buffer_array);
    SDX_NEED(external_initializer_file_lengths);
    for (size_t i = 0; i < num_external_initializer_files; ++i) {
      SDX_NEED(external_initializer_file_names[i]);
      SDX_NEED(external_initializer_file_buffer_array[i]);
      options->memory_files.push_back({external_initializer_file_names[i], external_initializer_file_buffer_array[i],
                                       external_initializer_file_lengths[i]});
    }
    return {};
  });
}

}  // namespace sdx::api::ort_api
