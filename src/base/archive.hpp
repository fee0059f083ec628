// What an object consists of, as bytes: written down, or read back. An object names its parts once, in one function for
// both directions, so that they cannot drift apart.
//
// The bytes are those of this build on this machine; whoever keeps them sees to it that no other reads them. What is
// read is checked for being long enough, no more.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle {

class Archive {
 public:
  // One to write into.
  Archive() = default;
  // One to read from; the bytes must outlive it.
  explicit Archive(std::string_view bytes) : reading_(true), left_(bytes) {}

  [[nodiscard]] bool reading() const noexcept { return reading_; }
  // Whether everything asked for so far was there.
  [[nodiscard]] bool sound() const noexcept { return sound_; }
  [[nodiscard]] const std::string& written() const noexcept { return written_; }
  // What has not been read yet.
  [[nodiscard]] std::string_view left() const noexcept { return left_; }

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void operator()(T& value) { bytes(&value, sizeof(T)); }

  template <typename T>
  requires std::is_trivially_copyable_v<T>
  void operator()(std::vector<T>& values) {
    resize(values, sizeof(T));
    bytes(values.data(), values.size() * sizeof(T));
  }

  void operator()(std::string& text) {
    resize(text, 1);
    bytes(text.data(), text.size());
  }

  // For elements with parts of their own: `each` is called with every one of them.
  template <typename T, typename Each>
  void operator()(std::vector<T>& values, Each each) {
    resize(values, 1);
    for (T& value : values) each(value);
  }

  // For containers of other kinds: the number of their elements, then the bytes of these.
  // `least`: bytes that an element takes, so that a damaged length is noticed before it is believed.
  [[nodiscard]] std::size_t length(std::size_t size, std::size_t least) {
    bytes(&size, sizeof(size));
    if (!reading_) return size;
    sound_ = sound_ && size <= left_.size() / least;
    return sound_ ? size : 0;
  }
  void bytes(void* data, std::size_t size) {
    if (size == 0) return;
    if (!reading_) {
      written_.append(static_cast<const char*>(data), size);
      return;
    }
    sound_ = sound_ && size <= left_.size();
    if (!sound_) return;
    std::memcpy(data, left_.data(), size);
    left_.remove_prefix(size);
  }
  // Room for what is to be written.
  void reserve(std::size_t size) { written_.reserve(size); }
  // What was read cannot be.
  void refuse() noexcept { sound_ = false; }

 private:
  template <typename Container>
  void resize(Container& values, std::size_t least) {
    const std::size_t size = length(values.size(), least);
    if (reading_) values.resize(size);
  }

  bool reading_ = false;
  bool sound_ = true;
  std::string written_;
  std::string_view left_;
};

}  // namespace heddle
