#include "program/native/block.hpp"

#include <algorithm>

namespace heddle::native {
namespace {

LiveBlock* block_at(std::vector<LiveBlock>& blocks, std::uint64_t address) {
  const auto above = std::upper_bound(blocks.begin(), blocks.end(), address,
                                      [](std::uint64_t a, const LiveBlock& block) { return a < block.address; });
  if (above == blocks.begin()) return nullptr;
  LiveBlock& block = *(above - 1);
  return address < block.address + std::max<std::uint64_t>(block.size, 1) ? &block : nullptr;
}

}  // namespace

void collect_live(std::uint64_t begin, std::uint64_t end, std::vector<LiveBlock>& blocks) {
  for (std::uint64_t at = begin; at + sizeof(BlockHeader) <= end;) {
    const auto* header = reinterpret_cast<const BlockHeader*>(at);
    if (header->magic != BlockHeader::kLive && header->magic != BlockHeader::kFreed) {
      at += 16;  // padding in front of an aligned block
      continue;
    }
    if (header->magic == BlockHeader::kLive) blocks.push_back({header->address(), header->size, header->site});
    at = header->address() + header->capacity + kRedzone;
  }
}

const LiveBlock* first_unreachable(std::vector<LiveBlock>& blocks, const std::vector<TrackedRange>& further) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> to_scan;
  for (const TrackedRange& range : tracked_ranges()) to_scan.emplace_back(range.begin, range.end);
  for (const TrackedRange& range : further) to_scan.emplace_back(range.begin, range.end);
  while (!to_scan.empty()) {
    const auto [begin, end] = to_scan.back();
    to_scan.pop_back();
    for (std::uint64_t at = (begin + 7) & ~std::uint64_t{7}; at + 8 <= end; at += 8) {
      LiveBlock* block = block_at(blocks, *reinterpret_cast<const std::uint64_t*>(at));
      if (block == nullptr || block->reached) continue;
      block->reached = true;
      to_scan.emplace_back(block->address, block->address + block->size);
    }
  }
  for (const LiveBlock& block : blocks) {
    if (!block.reached) return &block;
  }
  return nullptr;
}

}  // namespace heddle::native
