#include "base/status.h"

namespace sdx {

std::string_view code_name(Code code) {
  switch (code) {
    case Code::ok: return "OK";
    case Code::fail: return "FAIL";
    case Code::invalid_argument: return "INVALID_ARGUMENT";
    case Code::no_such_file: return "NO_SUCHFILE";
    case Code::no_model: return "NO_MODEL";
    case Code::engine_error: return "ENGINE_ERROR";
    case Code::runtime_exception: return "RUNTIME_EXCEPTION";
    case Code::invalid_protobuf: return "INVALID_PROTOBUF";
    case Code::model_loaded: return "MODEL_LOADED";
    case Code::not_implemented: return "NOT_IMPLEMENTED";
    case Code::invalid_graph: return "INVALID_GRAPH";
    case Code::ep_fail: return "EP_FAIL";
    case Code::model_load_canceled: return "MODEL_LOAD_CANCELED";
    case Code::model_requires_compilation: return "MODEL_REQUIRES_COMPILATION";
    case Code::not_found: return "NOT_FOUND";
  }
  return "FAIL";
}

Status::Status(Code code, std::string message) {
  if (code != Code::ok) failure_ = std::make_unique<Failure>(Failure{code, std::move(message)});
}

Status::Status(const Status& other) {
  if (!other.ok()) failure_ = std::make_unique<Failure>(*other.failure_);
}

Status& Status::operator=(const Status& other) {
  if (this != &other) failure_ = other.ok() ? nullptr : std::make_unique<Failure>(*other.failure_);
  return *this;
}

const std::string& Status::message() const {
  static const std::string empty;
  return ok() ? empty : failure_->message;
}

Status Status::with_context(std::string_view context) && {
  if (ok()) return std::move(*this);
  const std::string added = std::string(" [").append(context).append("]");
  if (!failure_->message.ends_with(added)) failure_->message.append(added);
  return std::move(*this);
}

Status Status::with_prefix(std::string_view prefix) && {
  if (!ok()) failure_->message.insert(0, prefix);
  return std::move(*this);
}

void throw_internal_error(const char* condition, const char* file, int line, std::string_view message) {
  throw InternalError(formatted("internal error: {} ({} at {}:{})", message, condition, file, line));
}

}  // namespace sdx
