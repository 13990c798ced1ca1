// Exact sparse neighbors by cosine, the plain way: an inverted index, term at a time, one accumulator a row, and a scan for the k
// largest. bench/sparse-search.ts compiles and runs it beside our own algorithms (--cpp).
//
//   g++ -std=c++17 -O3 -march=native -o term-at-a-time bench/term-at-a-time.cpp
//   ./term-at-a-time train.txt test.txt 100
//
// Both files are in the text format of the Extreme Classification Repository, unzipped. Writes one line of JSON: the milliseconds a
// query of the fastest of three passes, the index entries read a query, and the sum of all similarities found, so that the caller
// can tell that the answers agree.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

struct Entry {
  uint32_t feature;
  float value;
};
using Row = std::vector<Entry>;

struct Table {
  uint32_t features = 0;
  std::vector<Row> rows;
};

/** "l1,l2 f:v f:v": what comes before the first space is labels. */
static Row parseRow(const std::string& line) {
  Row row;
  const char* at = line.c_str() + std::min(line.find(' '), line.size());
  for (char* end; *at != 0; at = end) {
    const auto feature = static_cast<uint32_t>(std::strtoul(at, &end, 10));
    if (end == at || *end != ':') break;
    at = end + 1;
    row.push_back({feature, std::strtof(at, &end)});
  }
  return row;
}

static void scaleToUnit(Row& row) {
  double squares = 0;
  for (const Entry& entry : row) squares += double(entry.value) * entry.value;
  if (squares == 0) return;
  const float scale = float(1 / std::sqrt(squares));
  for (Entry& entry : row) entry.value *= scale;
}

static Table readTable(const char* path) {
  std::ifstream file(path);
  Table table;
  size_t rows = 0, labels = 0;
  if (!(file >> rows >> table.features >> labels)) {
    std::fprintf(stderr, "%s does not begin with its numbers of rows, features and labels\n", path);
    std::exit(1);
  }
  std::string line;
  std::getline(file, line);
  table.rows.reserve(rows);
  while (table.rows.size() < rows && std::getline(file, line)) {
    table.rows.push_back(parseRow(line));
    scaleToUnit(table.rows.back());
  }
  return table;
}

/** The rows of each feature, side by side: rows and values of feature f are at [starts[f], starts[f + 1]). */
struct InvertedIndex {
  std::vector<size_t> starts;
  std::vector<uint32_t> rows;
  std::vector<float> values;

  explicit InvertedIndex(const Table& table) : starts(table.features + 1, 0) {
    for (const Row& row : table.rows)
      for (const Entry& entry : row) starts[entry.feature + 1]++;
    for (size_t f = 0; f < table.features; f++) starts[f + 1] += starts[f];
    rows.resize(starts.back());
    values.resize(starts.back());
    std::vector<size_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t row = 0; row < table.rows.size(); row++) {
      for (const Entry& entry : table.rows[row]) {
        const size_t place = next[entry.feature]++;
        rows[place] = row;
        values[place] = entry.value;
      }
    }
  }
};

using Found = std::pair<float, uint32_t>;  // similarity, row

class Searcher {
 public:
  Searcher(const InvertedIndex& index, size_t rows, size_t k) : index_(index), sums_(rows), k_(k) { best_.reserve(3 * k + block + 1); }

  /** The k most similar rows that share a feature with the query, in no order. */
  const std::vector<Found>& search(const Row& query) {
    std::fill(sums_.begin(), sums_.end(), 0.0f);
    for (const Entry& entry : query) accumulate(entry);
    best_.clear();
    float least = 0;
    for (uint32_t from = 0; from < sums_.size(); from += block) {
      const uint32_t to = std::min<uint32_t>(from + block, uint32_t(sums_.size()));
      if (to - from == block && !anyAbove(from, least)) continue;
      for (uint32_t row = from; row < to; row++) {
        if (sums_[row] > least) best_.push_back({sums_[row], row});
      }
      if (best_.size() > 3 * k_) least = keepBest();
    }
    keepBest();
    return best_;
  }

  size_t entriesRead() const { return entriesRead_; }

 private:
  /** Rows that are compared with the k-th best at a time: compilers make a few vector instructions of the loop. */
  static constexpr uint32_t block = 32;

  bool anyAbove(uint32_t from, float least) const {
    int above = 0;
    for (uint32_t i = 0; i < block; i++) above |= sums_[from + i] > least;
    return above != 0;
  }

  void accumulate(const Entry& entry) {
    if (entry.feature + 1 >= index_.starts.size()) return;
    const size_t from = index_.starts[entry.feature], to = index_.starts[entry.feature + 1];
    const uint32_t* __restrict rows = index_.rows.data();
    const float* __restrict values = index_.values.data();
    float* __restrict sums = sums_.data();
    for (size_t e = from; e < to; e++) sums[rows[e]] += entry.value * values[e];
    entriesRead_ += to - from;
  }

  /** Leaves the k best; returns the similarity of the last of them, or 0 if there are fewer. */
  float keepBest() {
    if (best_.size() < k_) return 0;
    const auto last = best_.begin() + (k_ - 1);
    std::nth_element(best_.begin(), last, best_.end(), [](const Found& a, const Found& b) { return a.first > b.first; });
    best_.resize(k_);
    return best_[k_ - 1].first;
  }

  const InvertedIndex& index_;
  std::vector<float> sums_;
  size_t k_;
  std::vector<Found> best_;
  size_t entriesRead_ = 0;
};

int main(int count, char** words) {
  const size_t k = count == 4 ? std::strtoul(words[3], nullptr, 10) : 0;
  if (k == 0) {
    std::fprintf(stderr, "usage: term-at-a-time <train.txt> <test.txt> <k, at least 1>\n");
    return 2;
  }
  const Table train = readTable(words[1]), test = readTable(words[2]);
  const InvertedIndex index(train);
  Searcher searcher(index, train.rows.size(), k);
  const int passes = 3;
  double fastest = INFINITY, similarities = 0;
  for (int pass = 0; pass < passes; pass++) {
    similarities = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Row& query : test.rows)
      for (const Found& found : searcher.search(query)) similarities += found.first;
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    fastest = std::min(fastest, taken.count() / double(test.rows.size()));
  }
  const double entries = double(searcher.entriesRead()) / passes / double(test.rows.size());
  std::printf("{\"millisPerQuery\": %.6f, \"entriesPerQuery\": %.1f, \"similarities\": %.6f}\n", fastest, entries, similarities);
  return 0;
}
