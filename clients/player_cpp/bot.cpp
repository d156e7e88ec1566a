// A greedy bot for Slime Mind: it goes to the nearest plant and bites until it is gone.
#include "client.hpp"

#include <climits>
#include <cstdlib>
#include <set>
#include <utility>

using bot::Json;

namespace {

struct Way { const char* name; int dx, dy; };

// Places in the arrays of pieces, as docs/protocol.md lists them.
enum Piece { ID, SLIME_TEAM = 1, SLIME_X = 2, SLIME_Y = 3, X = 1, Y = 2 };

std::string decide(const Json& start, const Json& ask) {
    const Json& board = ask["state"];
    const Json& settings = board["settings"];
    const int up = settings["y_up"].truth ? 1 : -1;
    const Way ways[] = {{"LEFT", -1, 0}, {"RIGHT", 1, 0}, {"UP", 0, up}, {"DOWN", 0, -up}};
    const int team = start["team"].integer();
    const Json& me = board["slimes"][std::to_string(ask["piece"].integer())];
    const int x = me[SLIME_X].integer(), y = me[SLIME_Y].integer();

    std::set<std::pair<int, int>> taken;
    int food_x = -1, food_y = -1, nearest = INT_MAX;
    auto consider = [&](int other_x, int other_y, int handicap) {
        const int far = std::abs(other_x - x) + std::abs(other_y - y) + handicap;
        if (far < nearest) nearest = far, food_x = other_x, food_y = other_y;
    };
    for (const auto& [id, rock] : board["rocks"].fields)
        taken.insert({rock[X].integer(), rock[Y].integer()});
    for (const auto& [id, plant] : board["plants"].fields) {
        taken.insert({plant[X].integer(), plant[Y].integer()});
        consider(plant[X].integer(), plant[Y].integer(), 0);
    }
    for (const auto& [id, slime] : board["slimes"].fields) {
        taken.insert({slime[SLIME_X].integer(), slime[SLIME_Y].integer()});
        if (slime[SLIME_TEAM].integer() != team)  // enemies only where no plant is left
            consider(slime[SLIME_X].integer(), slime[SLIME_Y].integer(), 1000);
    }
    if (food_x < 0) return "\"MERGE\"";

    const char* best = nullptr;
    int best_far = INT_MAX;
    for (const Way& way : ways) {
        const int to_x = x + way.dx, to_y = y + way.dy;
        if (to_x == food_x && to_y == food_y) return bot::quoted(std::string("BITE") + way.name);
        const bool is_on_map = 0 <= to_x && to_x < settings["columns"].integer() && 0 <= to_y &&
                               to_y < settings["rows"].integer();
        const int far = std::abs(food_x - to_x) + std::abs(food_y - to_y);
        if (is_on_map && !taken.count({to_x, to_y}) && far < best_far) best_far = far, best = way.name;
    }
    return bot::quoted(best ? best : "MERGE");
}

}  // namespace

int main() { return bot::play("\"name\":\"Grazer in C++\"", decide); }
