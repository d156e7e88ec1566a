// A greedy bot for Slime Mind: it goes to the nearest plant and bites until it is gone.

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public final class Bot implements Client.Decider {
    record Place(int x, int y) {
        int far(Place other) {
            return Math.abs(x - other.x) + Math.abs(y - other.y);
        }
    }

    record Way(String name, int dx, int dy) {}

    // Pieces are arrays, in the order that docs/protocol.md lists.
    private static Place placeAt(Object piece, int place) {
        List<Object> values = Client.list(piece);
        return new Place(Client.integer(values.get(place)), Client.integer(values.get(place + 1)));
    }

    @Override
    public Object decide(Map<String, Object> ask, Map<String, Object> start) {
        Map<String, Object> board = Client.object(ask.get("state"));
        Map<String, Object> slimes = Client.object(board.get("slimes"));
        Place me = placeAt(slimes.get(String.valueOf(Client.integer(ask.get("piece")))), 2);
        Set<Place> taken = new HashSet<>();
        Place food = null, enemy = null;
        for (Object rock : Client.object(board.get("rocks")).values()) taken.add(placeAt(rock, 1));
        for (Object plant : Client.object(board.get("plants")).values()) {
            Place at = placeAt(plant, 1);
            taken.add(at);
            if (food == null || me.far(at) < me.far(food)) food = at;
        }
        for (Object slime : slimes.values()) {
            Place at = placeAt(slime, 2);
            taken.add(at);
            boolean isEnemy = !Client.list(slime).get(1).equals(start.get("team"));
            if (isEnemy && (enemy == null || me.far(at) < me.far(enemy))) enemy = at;
        }
        Place goal = food != null ? food : enemy;
        return goal == null ? "MERGE" : step(me, goal, taken, Client.object(board.get("settings")));
    }

    private static String step(Place me, Place goal, Set<Place> taken, Map<String, Object> settings) {
        int up = (Boolean) settings.get("y_up") ? 1 : -1;
        int columns = Client.integer(settings.get("columns"));
        int rows = Client.integer(settings.get("rows"));
        List<Way> ways = List.of(new Way("LEFT", -1, 0), new Way("RIGHT", 1, 0),
                new Way("UP", 0, up), new Way("DOWN", 0, -up));
        String best = "MERGE";
        int least = Integer.MAX_VALUE;
        for (Way way : ways) {
            Place to = new Place(me.x() + way.dx(), me.y() + way.dy());
            if (to.equals(goal)) return "BITE" + way.name();
            boolean isOnMap = 0 <= to.x() && to.x() < columns && 0 <= to.y() && to.y() < rows;
            if (isOnMap && !taken.contains(to) && to.far(goal) < least) {
                least = to.far(goal);
                best = way.name();
            }
        }
        return best;
    }

    @Override
    public void begin(Map<String, Object> start) {
        Map<String, Object> board = Client.object(start.get("state"));
        for (Object slime : Client.object(board.get("slimes")).values()) {
            decide(Map.of("state", board, "piece", Client.list(slime).get(0)), start);
        }
    }

    public static void main(String[] words) throws Exception {
        Client.play(Map.of("name", "Grazer in Java"), new Bot());
    }
}
