// A greedy bot for Smack!: it takes the move that captures most, or else any.

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

public final class Bot implements Client.Decider {
    private static final String FILES = "ABCDEFGHJKLMNOP";
    private static Random chance;

    record Place(int x, int y) {}

    // The pieces of a position's text, by square: rows from the top, numbers are empty squares.
    private static Map<Place, Character> piecesOf(String text) {
        Map<Place, Character> pieces = new HashMap<>();
        String[] rows = text.substring(0, text.indexOf(' ')).split("/");
        for (int y = 0; y < rows.length; y++) {
            int x = Math.max(0, Math.max(5 - y, y - 9)), run = 0;
            for (char letter : rows[y].toCharArray()) {
                if (Character.isDigit(letter)) {
                    run = 10 * run + (letter - '0');
                    continue;
                }
                x += run;
                run = 0;
                pieces.put(new Place(x++, y), letter);
            }
        }
        return pieces;
    }

    private static int gainOf(String move, Map<Place, Character> pieces, boolean areNerds) {
        String target = move.substring(move.indexOf('-') + 1);
        int x = FILES.indexOf(target.charAt(0)), y = 15 - Integer.parseInt(target.substring(1));
        if (areNerds) return pieces.containsKey(new Place(x, y)) ? 4 : 0;
        int gain = 0;
        for (int dx = -1; dx <= 1; dx++)
            for (int dy = -1; dy <= 1; dy++)
                if (pieces.getOrDefault(new Place(x + dx, y + dy), ' ') == 'n') gain++;
        return gain;
    }

    @Override
    public Object decide(Map<String, Object> ask, Map<String, Object> start) {
        if (chance == null) { // the same match, played again, is the same
            String seed = (String) start.get("seed");
            chance = new Random(Long.parseLong(seed.substring(seed.length() - 8), 16));
        }
        List<Object> halves = Client.list(Client.object(ask.get("state")).get("halves"));
        Object half = halves.get(Client.integer(ask.get("piece")) - 1);
        String text = (String) Client.object(half).get("text");
        Map<Place, Character> pieces = piecesOf(text);
        List<String> best = new ArrayList<>();
        int most = -1;
        for (Object legal : Client.list(ask.get("legal"))) {
            Map<String, Object> order = Client.object(legal);
            String move = (String) order.get("move");
            int gain = gainOf(move, pieces, text.endsWith("n"));
            if (Boolean.TRUE.equals(order.get("end")) || gain < most) continue;
            if (gain > most) best.clear();
            most = gain;
            best.add(move);
        }
        return best.get(chance.nextInt(best.size()));
    }

    @Override
    public void begin(Map<String, Object> start) {
        List<Object> legal = List.of(Map.of("move", "F1-G2", "end", false));
        decide(Map.of("state", start.get("state"), "piece", 1.0, "legal", legal), start);
        chance = null;
    }

    public static void main(String[] words) throws Exception {
        Client.play(Map.of("name", "Grabber in Java", "legal", true), new Bot());
    }
}
