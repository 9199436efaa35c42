#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/fork.h"
#include "base/kept_files.h"
#include "base/tensor.h"

namespace sdx {
namespace {

FileIdentity identity_of(const struct stat& about) {
  return {about.st_dev, about.st_ino, static_cast<uint64_t>(about.st_size),
          about.st_mtim.tv_sec * INT64_C(1000000000) + about.st_mtim.tv_nsec};
}

std::string system_text(int error) { return std::generic_category().message(error); }

// Without O_NONBLOCK, opening a pipe would wait for its writer.
int open_to_read(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }

bool is_same(const FileDescriptor& file, const FileIdentity& identity) {
  struct stat about {};
  return file.number() >= 0 && fstat(file.number(), &about) == 0 && identity_of(about) == identity;
}

struct Kept {
  struct File {
    FileIdentity identity;
    std::shared_ptr<const FileDescriptor> descriptor;
  };
  ForkMutex mutex;
  std::vector<File> files;
  int scopes = 0;
  uint32_t generation = 0;  // of the process that the scopes are in

  static Kept& all() {
    static Kept& one = *new Kept;
    return one;
  }
  void enter_process() {  // a child has the files of its parent's scopes, but not these
    if (generation == process_generation()) return;
    generation = process_generation();
    scopes = 0;
    files.clear();
  }
};

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (number_ >= 0) close(number_);
}

KeptFiles::KeptFiles() {
  Kept& kept = Kept::all();
  const std::lock_guard lock(kept.mutex);
  kept.enter_process();
  ++kept.scopes;
}

KeptFiles::~KeptFiles() {
  Kept& kept = Kept::all();
  const std::lock_guard lock(kept.mutex);
  kept.enter_process();
  if (kept.scopes > 0 && --kept.scopes == 0) kept.files.clear();
}

std::shared_ptr<const FileDescriptor> KeptFiles::open(const std::string& path, const FileIdentity& identity) {
  Kept& kept = Kept::all();
  {
    const std::lock_guard lock(kept.mutex);
    kept.enter_process();
    const auto known = std::ranges::find(kept.files, identity, &Kept::File::identity);
    // Asked again: it may have been written to.
    if (known != kept.files.end()) return is_same(*known->descriptor, identity) ? known->descriptor : nullptr;
  }
  auto opened = std::make_shared<const FileDescriptor>(open_to_read(path));
  if (!is_same(*opened, identity)) return nullptr;
  const std::lock_guard lock(kept.mutex);
  if (kept.scopes > 0) kept.files.push_back({identity, opened});
  return opened;
}

Result<std::shared_ptr<MappedFile>> MappedFile::open(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    return invalid_argument("the file name \"{}\" contains a zero byte", path.c_str());
  const FileDescriptor file(open_to_read(path));
  if (file.number() < 0) {
    const int error = errno;
    const bool absent = error == ENOENT || error == ENOTDIR;
    return make_error(absent ? Code::no_such_file : Code::fail, "cannot open file \"{}\": {}", path,
                      system_text(error));
  }
  struct stat about {};
  if (fstat(file.number(), &about) != 0)
    return make_error(Code::fail, "cannot examine file \"{}\": {}", path, system_text(errno));
  if (!S_ISREG(about.st_mode))
    return make_error(Code::fail, "\"{}\" is {}, a file is needed", path,
                      S_ISDIR(about.st_mode) ? "a directory" : "no regular file");
  const auto size = static_cast<size_t>(about.st_size);
  void* data = nullptr;
  if (size > 0) {
    data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file.number(), 0);
    if (data == MAP_FAILED)
      return make_error(Code::fail, "cannot map the {} bytes of file \"{}\": {}", size, path, system_text(errno));
  }
  std::shared_ptr<MappedFile> mapped(new MappedFile(Kind::mapped, static_cast<std::byte*>(data), size));
  mapped->path_ = path;
  mapped->identity_ = identity_of(about);
  return mapped;
}

Result<std::shared_ptr<MappedFile>> MappedFile::open_shared(const std::string& path) {
  static ForkMutex* const mutex = new ForkMutex();
  static auto* const files = new std::vector<std::weak_ptr<MappedFile>>();
  SDX_ASSIGN(std::shared_ptr<MappedFile> opened, open(path));
  const std::lock_guard lock(*mutex);
  std::erase_if(*files, [](const auto& file) { return file.expired(); });
  for (const auto& file : *files)
    if (const auto known = file.lock(); known != nullptr && known->identity() == opened->identity()) return known;
  opened->shared_ = true;
  files->push_back(opened);
  return opened;
}

Result<std::shared_ptr<MappedFile>> MappedFile::copy_of(std::span<const std::byte> bytes) {
  SDX_ASSIGN(std::shared_ptr<void> memory, allocate_bytes(bytes.size()));
  if (!bytes.empty()) std::memcpy(memory.get(), bytes.data(), bytes.size());
  std::shared_ptr<MappedFile> copy(new MappedFile(Kind::copied, static_cast<std::byte*>(memory.get()), bytes.size()));
  copy->copy_ = std::move(memory);
  return copy;
}

std::shared_ptr<MappedFile> MappedFile::lend(std::span<const std::byte> bytes) {
  return std::shared_ptr<MappedFile>(new MappedFile(Kind::lent, const_cast<std::byte*>(bytes.data()), bytes.size()));
}

MappedFile::~MappedFile() {
  if (kind_ == Kind::mapped && data_ != nullptr) munmap(data_, size_);
}

std::span<std::byte> MappedFile::writable_bytes() {
  SDX_CHECK(writable(), "memory lent by the caller, or shared, is read only");
  may_be_changed_ = true;
  return {data_, size_};
}

void MappedFile::give_pages_back(const void* data, size_t bytes) {
  if (kind_ != Kind::mapped || may_be_changed_ || size_ == 0) return;
  constexpr uintptr_t kAround = 64 << 10;  // the system maps so much around a page that is read
  const auto first = reinterpret_cast<uintptr_t>(data_), begin = reinterpret_cast<uintptr_t>(data);
  if (begin < first || begin - first >= size_ || bytes > size_ - (begin - first)) return;
  // The neighbours' pages too: whoever needs these again finds them in the file.
  const uintptr_t last = (begin + bytes + kAround - 1) / kAround * kAround, end = (first + size_ + 4095) / 4096 * 4096;
  const uintptr_t from = std::max(begin / kAround * kAround, first), to = std::min(last, end);
  if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

bool MappedFile::read_part(const void* data, size_t bytes, void* to) const {
  if (kind_ != Kind::mapped || may_be_changed_) return false;
  const auto first = reinterpret_cast<uintptr_t>(data_), begin = reinterpret_cast<uintptr_t>(data);
  if (begin < first || begin - first >= size_ || bytes > size_ - (begin - first)) return false;
  const auto file = KeptFiles::open(path_, identity_);
  if (file == nullptr) return false;
  for (size_t done = 0; done < bytes;) {
    const ssize_t some = pread(file->number(), static_cast<std::byte*>(to) + done, bytes - done,
                               static_cast<off_t>(begin - first + done));
    if (some <= 0) return false;
    done += static_cast<size_t>(some);
  }
  return true;
}

bool MappedFile::is_as_on_disk() const {
  if (kind_ != Kind::mapped) return true;
  struct stat about {};
  return stat(path_.c_str(), &about) == 0 && identity_of(about) == identity_;
}

void MappedFile::give_pages_back() {
  if (kind_ == Kind::mapped && !may_be_changed_ && size_ > 0) madvise(data_, size_, MADV_DONTNEED);
}

}  // namespace sdx
