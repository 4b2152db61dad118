// The solver of engine/compiled/solver_kernel.py as a C++ program of the same design, for benchmarks/solver.py only.
//
// solver SLOTS < positions     a position in each line, columns from 0; prints score, nodes and seconds of processor time of each; the table is cleared between two

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>
#include <sys/mman.h>

using Bits = std::uint64_t;

constexpr int ROWS = 6, COLUMNS = 7, CELLS = ROWS * COLUMNS, HEIGHT = ROWS + 1;
constexpr int TRIED_LAST_FIRST[COLUMNS] = {6, 0, 5, 1, 4, 2, 3};

constexpr Bits bottom_row() {
  Bits bits = 0;
  for (int column = 0; column < COLUMNS; column++) bits |= Bits{1} << column * HEIGHT;
  return bits;
}
constexpr Bits BOTTOM = bottom_row(), BOARD = BOTTOM * ((Bits{1} << ROWS) - 1);
constexpr Bits column_cells(int column) { return ((Bits{1} << ROWS) - 1) << column * HEIGHT; }

// In huge pages, as numpy asks for them too.
struct Table {
  Bits slots;
  Bits* entries;
  explicit Table(Bits slots) : slots(slots) {
    entries = static_cast<Bits*>(mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    madvise(entries, bytes(), MADV_HUGEPAGE);
  }
  std::size_t bytes() const { return slots * sizeof(Bits); }
  void clear() { std::memset(entries, 0, bytes()); }
  Bits find(Bits key) const {
    Bits entry = entries[key % slots];
    return entry >> 8 == key / slots ? entry & 255 : 0;
  }
  void put(Bits key, int score, bool is_lower) {
    entries[key % slots] = (key / slots) << 8 | static_cast<Bits>(score + 64) << 1 | is_lower;
  }
};

template <int STEP>
Bits fourth_cells(Bits discs) {
  Bits behind = (discs << STEP) & (discs << 2 * STEP), ahead = (discs >> STEP) & (discs >> 2 * STEP);
  return (behind & ((discs << 3 * STEP) | (discs >> STEP))) | (ahead & ((discs << STEP) | (discs >> 3 * STEP)));
}

Bits winning_cells(Bits discs, Bits mask) {
  Bits cells = (discs << 1) & (discs << 2) & (discs << 3);
  cells |= fourth_cells<HEIGHT>(discs) | fourth_cells<HEIGHT + 1>(discs) | fourth_cells<HEIGHT - 1>(discs);
  return cells & (BOARD ^ mask);
}

Bits playable(Bits mask) { return (mask + BOTTOM) & BOARD; }

Bits safe_moves(Bits other, Bits mask) {
  Bits possible = playable(mask), feared = winning_cells(other, mask), forced = possible & feared;
  if (forced) {
    if (forced & (forced - 1)) return 0;
    possible = forced;
  }
  return possible & ~(feared >> 1);
}

struct Solver {
  Table& table;
  std::uint64_t nodes = 0;

  int negamax(Bits own, Bits mask, int discs, int alpha, int beta) {
    nodes++;
    Bits possible = safe_moves(own ^ mask, mask);
    if (!possible) return -((CELLS - discs) / 2);
    if (discs >= CELLS - 2) return 0;
    int least = -((CELLS - 2 - discs) / 2), most = (CELLS - 1 - discs) / 2;
    Bits key = own + mask;
    if (Bits entry = table.find(key)) {
      int score = static_cast<int>(entry >> 1) - 64;
      if (entry & 1) least = std::max(least, score);
      else most = std::min(most, score);
    }
    if (alpha < least && (alpha = least) >= beta) return alpha;
    if (beta > most && alpha >= (beta = most)) return beta;
    Bits moves[COLUMNS];
    int threats[COLUMNS], count = 0;
    for (int column : TRIED_LAST_FIRST) {
      Bits square = possible & column_cells(column);
      if (!square) continue;
      int made = std::popcount(winning_cells(own | square, mask)), at = count++;
      for (; at > 0 && threats[at - 1] > made; at--) moves[at] = moves[at - 1], threats[at] = threats[at - 1];
      moves[at] = square, threats[at] = made;
    }
    while (count--) {
      int score = -negamax(own ^ mask, mask | moves[count], discs + 1, -beta, -alpha);
      if (score >= beta) {
        table.put(key, score, true);
        return score;
      }
      if (score > alpha) alpha = score;
    }
    table.put(key, alpha, false);
    return alpha;
  }

  int solve(Bits own, Bits mask, int discs) {
    if (playable(mask) & winning_cells(own, mask)) return (CELLS + 1 - discs) / 2;
    int low = -((CELLS - discs) / 2), high = (CELLS + 1 - discs) / 2;
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (middle <= 0 && low / 2 < middle) middle = low / 2;
      else if (middle >= 0 && high / 2 > middle) middle = high / 2;
      int value = negamax(own, mask, discs, middle, middle + 1);
      (value <= middle ? high : low) = value;
    }
    return low;
  }
};

int main(int, char** arguments) {
  Table table(std::strtoull(arguments[1], nullptr, 10));
  std::string position;
  while (std::getline(std::cin, position)) {
    Bits own = 0, mask = 0;
    for (char move : position) {
      own ^= mask;
      mask |= mask + (Bits{1} << (move - '0') * HEIGHT);
    }
    table.clear();
    Solver solver{table};
    std::clock_t began = std::clock();
    int score = solver.solve(own, mask, static_cast<int>(position.size()));
    double seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
    std::cout << score << ' ' << solver.nodes << ' ' << seconds << '\n';
  }
}
