#include "onnx/model_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <system_error>

#include "onnx/proto_walk.h"
#include "onnx/reader.h"

namespace sdx::onnx {
namespace {

std::string_view hint_for(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("version https://git-lfs")) return "it is a Git LFS pointer: the model itself was not fetched";
  if (text.starts_with("<")) return "it looks like a web page or XML";
  if (text.starts_with("PK\x03\x04")) return "it is a ZIP archive";
  if (text.starts_with("\x1f\x8b")) return "it is compressed with gzip";
  return {};
}

bool is_ort_format(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.size() >= 8 && text.substr(4, 4) == "ORTM";
}

Result<ModelProto> read_named(Bytes bytes, std::string_view title) {
  auto model = read_model(bytes);
  if (model.ok()) return model;
  if (is_ort_format(bytes))
    return make_error(Code::fail, "{}the file is in the ORT format; the ONNX model that it was made from is wanted",
                      title);
  Status status = std::move(model).status();
  if (const auto hint = hint_for(bytes); !hint.empty()) status = std::move(status).with_context(hint);
  return std::move(status).with_prefix(title);
}

Result<std::vector<std::string>> folders_for(const std::string& path, const std::string& external_folder) {
  if (external_folder.empty()) return path.empty() ? std::vector<std::string>() : folders_of(path);
  std::error_code error;
  const auto folder = std::filesystem::canonical(external_folder, error);
  if (error)
    return make_error(Code::no_such_file, "the folder for external data \"{}\": {}", external_folder, error.message());
  return std::vector<std::string>{folder.string()};
}

}  // namespace

bool Model::read_part(const void* data, size_t bytes, void* to) const {
  return file->read_part(data, bytes, to) ||
         std::ranges::any_of(external_->files(), [&](const auto& other) { return other->read_part(data, bytes, to); });
}

void Model::give_pages_back() {
  file->give_pages_back();
  for (const auto& other : external_->files()) other->give_pages_back();
}

void Model::give_pages_back(const void* data, size_t bytes) {
  file->give_pages_back(data, bytes);
  for (const auto& other : external_->files()) other->give_pages_back(data, bytes);
}

bool Model::is_as_on_disk() const {
  return std::ranges::all_of(external_->files(), [](const auto& other) { return other->is_as_on_disk(); });
}

std::optional<FilePlace> Model::place_of(const void* data) const {
  const auto* at = static_cast<const std::byte*>(data);
  const auto place_in = [&](const MappedFile& candidate) -> std::optional<FilePlace> {
    const auto bytes = candidate.bytes();
    const std::less<> before;
    if (candidate.identity() == FileIdentity{} || before(at, bytes.data()) || !before(at, bytes.data() + bytes.size()))
      return {};
    return FilePlace{candidate.identity(), static_cast<uint64_t>(at - bytes.data())};
  };
  if (auto place = place_in(*file)) return place;
  for (const auto& other : external_->files())
    if (auto place = place_in(*other)) return place;
  return {};
}

Result<std::shared_ptr<Model>> open_model(const std::string& path, OpenOptions options) {
  auto model = std::make_shared<Model>();
  auto file = MappedFile::open_shared(path);
  if (!file.ok()) return std::move(file).status().with_prefix("model: ");
  model->path = path;
  model->file = std::move(file).value();
  SDX_ASSIGN(model->proto, read_named(model->file->bytes(), formatted("model \"{}\": ", path)));
  SDX_ASSIGN(auto folders, folders_for(path, options.external_folder));
  model->external_.emplace(std::move(folders), std::move(options.external_blobs), options.checksums);
  return model;
}

namespace {

// A file's times are told in steps: what was written within the last one may be written again at the same time.
bool is_settled(const FileIdentity& file) {
  constexpr int64_t kStepNs = 50'000'000;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - file.modified_ns > kStepNs;
}

class OpenModels {
 public:
  static OpenModels& all() {
    static auto* const one = new OpenModels();
    return *one;
  }

  std::shared_ptr<Model> find(const std::string& path, const MappedFile* file) {
    Models held;
    const std::lock_guard lock(mutex_);
    return locked_find(path, file, held);
  }
  // That one, or another that came first.
  std::shared_ptr<Model> add(std::shared_ptr<Model> model, const Model* replaced) {
    Models held;
    const std::lock_guard lock(mutex_);
    std::erase_if(models_, [](const auto& known) { return known.expired(); });
    if (auto first = locked_find(model->path, model->file.get(), held); first != nullptr && first.get() != replaced)
      return first;
    model->is_shared = true;
    models_.insert(models_.begin(), model);
    return model;
  }

 private:
  using Models = std::vector<std::shared_ptr<Model>>;

  // Whoever was looked at ends after the lock, if nobody else holds it any more.
  std::shared_ptr<Model> locked_find(const std::string& path, const MappedFile* file, Models& held) const {
    for (const auto& known : models_) {
      held.push_back(known.lock());
      const auto& model = held.back();
      if (model != nullptr && model->file.get() == file && model->path == path) return model;
    }
    return nullptr;
  }

  ForkMutex mutex_;
  std::vector<std::weak_ptr<Model>> models_;  // the latest first
};

}  // namespace

Result<std::shared_ptr<Model>> open_model_shared(const std::string& path) {
  std::shared_ptr<Model> known;
  if (const auto file = MappedFile::open_shared(path); file.ok()) known = OpenModels::all().find(path, file->get());
  if (known != nullptr && known->is_as_on_disk()) return known;
  SDX_ASSIGN(auto model, open_model(path));
  if (!is_settled(model->file->identity())) return model;
  return OpenModels::all().add(std::move(model), known.get());
}

Result<std::shared_ptr<Model>> model_from_bytes(Bytes bytes, Ownership ownership, OpenOptions options) {
  auto model = std::make_shared<Model>();
  if (ownership == Ownership::lend) {
    model->file = MappedFile::lend(bytes);
  } else {
    SDX_ASSIGN(model->file, MappedFile::copy_of(bytes));
  }
  SDX_ASSIGN(model->proto, read_named(model->file->bytes(), "model from bytes: "));
  SDX_ASSIGN(auto folders, folders_for({}, options.external_folder));
  model->external_.emplace(std::move(folders), std::move(options.external_blobs), options.checksums);
  return model;
}

Status bring_external_data_inside(const Model& model, ModelProto& proto, std::vector<std::shared_ptr<void>>& kept) {
  Status status;
  for_each_message<TensorProto>(proto, [&](TensorProto& tensor) {
    if (!status.ok() || !tensor.is_external()) return;
    auto content = model.tensor(tensor, "tensor");
    if (!content.ok()) {
      status = std::move(content).status();
      return;
    }
    tensor.raw_data = {content->bytes(), content->byte_size()};
    tensor.external_data.clear();
    tensor.data_location.reset();
    kept.push_back(content->owner());
  });
  return status;
}

Status bring_external_data_inside(Model& model) { return bring_external_data_inside(model, model.proto, model.kept); }

}  // namespace sdx::onnx
