// OrtKeyValuePairs: texts by key, readable as two arrays of C strings.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "onnxruntime_c_api.h"

struct OrtKeyValuePairs {
  OrtKeyValuePairs() = default;
  explicit OrtKeyValuePairs(std::map<std::string, std::string> pairs) : entries(std::move(pairs)) { list(); }
  OrtKeyValuePairs(const OrtKeyValuePairs& other) : OrtKeyValuePairs(other.entries) {}
  OrtKeyValuePairs& operator=(const OrtKeyValuePairs&) = delete;

  void set(const char* key, const char* value) {
    entries.insert_or_assign(key, value);
    list();
  }
  void remove(const char* key) {
    entries.erase(key);
    list();
  }
  const char* find(const char* key) const {
    const auto entry = entries.find(key);
    return entry == entries.end() ? nullptr : entry->second.c_str();
  }

  std::map<std::string, std::string> entries;
  std::vector<const char*> keys, values;  // into `entries`, whose nodes never move

 private:
  void list() {
    keys.clear();
    values.clear();
    for (const auto& [key, value] : entries) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
};
