// LoRA adapters through the C ABI: the file's form, and what runs do with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "model_bytes.h"
#include "sardonyx.hpp"

namespace sdx::test {
namespace {

using sardonyx::check;
using sardonyx::ort_api;
using testing::ElementsAre;
using testing::HasSubstr;
using XValue = sardonyx::Value;
using Adapter = sardonyx::detail::Handle<OrtLoraAdapter, &OrtApi::ReleaseLoraAdapter>;

// One parameter "lo" = 4, a scalar of float, as a FlatBuffer written by hand.
std::string adapter_bytes() {
  std::string bytes;
  const auto put = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); };
  put(uint32_t{24});  // to the root table
  bytes += "TORT";
  for (const uint16_t entry : {12, 20, 4, 8, 12, 16}) put(entry);  // the root's directory, at 8
  put(uint32_t{0});
  put(int32_t{16});  // the root, at 24: its directory lies 16 before
  for (const int32_t version : {1, 2, 3}) put(version);
  put(uint32_t{4});  // at 40: the parameters, 4 further
  put(uint32_t{1});
  put(uint32_t{16});                                               // at 48: the parameter's table, at 64
  for (const uint16_t entry : {12, 20, 4, 8, 12, 16}) put(entry);  // its directory, at 52
  put(int32_t{12});                                                // the table, at 64
  put(uint32_t{16});                                               // at 68: the name, at 84
  put(uint32_t{20});                                               // at 72: the dimensions, at 92
  put(int32_t{1});                                                 // at 76: float
  put(uint32_t{16});                                               // at 80: the data, at 96
  put(uint32_t{2});
  bytes += std::string("lo\0\0", 4);
  put(uint32_t{0});
  put(uint32_t{4});
  put(4.0F);
  return bytes;
}

std::string failure(OrtStatus* status) {
  const std::string text = status == nullptr ? "no error" : ort_api().GetErrorMessage(status);
  ort_api().ReleaseStatus(status);
  return text;
}

TEST(lora_adapter, gives_inputs_that_the_caller_did_not_name) {
  const std::string bytes = adapter_bytes();
  OrtLoraAdapter* made = nullptr;
  check(ort_api().CreateLoraAdapterFromArray(bytes.data(), bytes.size(), nullptr, &made));
  const Adapter adapter(made);
  const std::string model = clip_model();
  const auto session = sardonyx::Session::from_bytes(as_bytes(model));
  const auto x = XValue::tensor<float>(std::vector<float>{1, 5, -3}, {1, 3});
  sardonyx::RunOptions options;
  check(ort_api().RunOptionsAddActiveLoraAdapter(options.handle(), made));
  EXPECT_THAT(session.run({{"x", x}}, {}, &options)[0].values<float>(), ElementsAre(4, 5, 4));
  const auto lo = XValue::scalar<float>(2);
  EXPECT_THAT(session.run({{"x", x}, {"lo", lo}}, {}, &options)[0].values<float>(), ElementsAre(2, 5, 2));
  EXPECT_THAT(session.run({{"x", x}})[0].values<float>(), ElementsAre(1, 5, 0));
}

TEST(lora_adapter, refuses_damaged_files) {
  const std::string bytes = adapter_bytes();
  OrtLoraAdapter* made = nullptr;
  EXPECT_THAT(failure(ort_api().CreateLoraAdapter("/no/such", nullptr, &made)), HasSubstr("/no/such"));
  EXPECT_THAT(failure(ort_api().CreateLoraAdapterFromArray("0123456789", 10, nullptr, &made)), HasSubstr("TORT"));
  for (size_t size = 0; size < bytes.size(); ++size)  // never past the end
    EXPECT_NE(failure(ort_api().CreateLoraAdapterFromArray(bytes.data(), size, nullptr, &made)), "no error") << size;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(0xff);
    OrtLoraAdapter* other = nullptr;
    ort_api().ReleaseStatus(ort_api().CreateLoraAdapterFromArray(changed.data(), changed.size(), nullptr, &other));
    if (other != nullptr) ort_api().ReleaseLoraAdapter(other);
  }
}

}  // namespace
}  // namespace sdx::test
