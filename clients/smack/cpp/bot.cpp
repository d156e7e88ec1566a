// A greedy bot for Smack!: it takes the move that captures most, or else any.
#include "client.hpp"

#include <random>

using bot::Json;

namespace {

const std::string FILES = "ABCDEFGHJKLMNOP";

// The pieces of a position's text, by square: rows from the top, numbers are empty squares.
std::map<std::pair<int, int>, char> pieces_of(const std::string& text) {
    std::map<std::pair<int, int>, char> pieces;
    int y = 0, run = 0;
    auto first_of = [](int row) { return row < 5 ? 5 - row : row > 9 ? row - 9 : 0; };
    int x = first_of(0);
    for (char letter : text) {
        if (letter >= '0' && letter <= '9') { run = 10 * run + (letter - '0'); continue; }
        x += run, run = 0;
        if (letter == ' ') break;
        if (letter == '/') { x = first_of(++y); continue; }
        pieces[{x++, y}] = letter;
    }
    return pieces;
}

std::string decide(std::mt19937& chance, const Json& ask) {
    const std::string& text = ask["state"]["halves"][ask["piece"].integer() - 1]["text"].text;
    const auto pieces = pieces_of(text);
    const bool are_nerds = text.back() == 'n';
    std::vector<std::string> best;
    int most = -1;
    for (const Json& order : ask["legal"].items) {
        if (order["end"].truth) continue;
        const std::string& move = order["move"].text;
        const std::string target = move.substr(move.find('-') + 1);
        const int x = static_cast<int>(FILES.find(target[0])), y = 15 - std::stoi(target.substr(1));
        int gain = 0;
        if (are_nerds) gain = 4 * static_cast<int>(pieces.count({x, y}));
        else
            for (int dx = -1; dx <= 1; ++dx)
                for (int dy = -1; dy <= 1; ++dy) {
                    auto found = pieces.find({x + dx, y + dy});
                    gain += found != pieces.end() && found->second == 'n';
                }
        if (gain > most) most = gain, best.clear();
        if (gain == most) best.push_back(move);
    }
    return bot::quoted(best.at(chance() % best.size()));
}

}  // namespace

int main() {
    std::mt19937 chance;
    bool is_seeded = false;
    return bot::play("\"name\":\"Grabber in C++\",\"legal\":true",
                     [&](const Json& start, const Json& ask) {
                         if (!is_seeded) {  // the same match, played again, is the same
                             const std::string& seed = start["seed"].text;
                             std::seed_seq mixed(seed.begin(), seed.end());
                             chance.seed(mixed);
                             is_seeded = true;
                         }
                         return decide(chance, ask);
                     });
}
