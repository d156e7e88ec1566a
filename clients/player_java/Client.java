// The client of the Slime Mind protocol for Java 17 (docs/protocol.md): copy it beside your bot.
// Client.play(hello, bot) does all the talking; bot.decide(ask, start) returns the answer.
// JSON is Map, List, String, Double, Boolean and null.

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Client {
    interface Decider {
        Object decide(Map<String, Object> ask, Map<String, Object> start) throws Exception;

        // Called before the first ask, on the budget for loading. Java loads what it runs for the
        // first time, which takes longer than a decision may: rehearse one here.
        default void begin(Map<String, Object> start) throws Exception {}
    }

    static void play(Map<String, Object> hello, Decider bot) throws Exception {
        System.setOut(System.err); // what is printed goes to the bot's log
        Map<String, Object> first = new LinkedHashMap<>();
        first.put("type", "hello");
        first.put("protocol", 1);
        first.putAll(hello);
        write(first);
        Map<String, Object> start = null;
        for (String line; (line = readLine()) != null; ) {
            Map<String, Object> message = object(new Client(line).value());
            if ("start".equals(message.get("type"))) {
                start = message;
                bot.begin(start);
                write(Map.of("type", "ready"));
            } else if ("ask".equals(message.get("type"))) {
                Map<String, Object> reply = new LinkedHashMap<>();
                try {
                    Object answer = bot.decide(message, start);
                    reply.put("type", "answer");
                    reply.put("answer", answer);
                } catch (Exception error) {
                    error.printStackTrace();
                    reply.put("type", "failed");
                    reply.put("error", error.toString());
                }
                reply.put("nonce", message.get("nonce"));
                write(reply);
            }
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    static int integer(Object value) {
        return ((Double) value).intValue();
    }

    // -- lines ---------------------------------------------------------------------------------

    private static final FileInputStream IN = new FileInputStream(FileDescriptor.in);
    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static byte[] buffer = new byte[1 << 16];
    private static int begin = 0, end = 0;

    private static String readLine() throws IOException {
        for (int looked = begin; ; ) {
            for (; looked < end; looked++) {
                if (buffer[looked] == '\n') {
                    String line = new String(buffer, begin, looked - begin, StandardCharsets.UTF_8);
                    begin = looked + 1;
                    return line;
                }
            }
            looked -= begin;
            System.arraycopy(buffer, begin, buffer, 0, end - begin);
            end -= begin;
            begin = 0;
            if (end == buffer.length) buffer = Arrays.copyOf(buffer, 2 * buffer.length);
            int count = IN.read(buffer, end, buffer.length - end);
            if (count <= 0) return null; // the match is over
            end += count;
        }
    }

    private static void write(Object message) throws IOException {
        StringBuilder out = new StringBuilder();
        append(out, message);
        OUT.write(out.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map<?, ?> map) {
            String between = "{";
            for (Map.Entry<?, ?> field : map.entrySet()) {
                append(out.append(between), field.getKey());
                append(out.append(':'), field.getValue());
                between = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> items) {
            out.append('[');
            for (int place = 0; place < items.size(); place++) {
                append(place == 0 ? out : out.append(','), items.get(place));
            }
            out.append(']');
        } else if (value instanceof String text) {
            out.append('"');
            for (char letter : text.toCharArray()) {
                if (letter == '"' || letter == '\\') out.append('\\');
                out.append(letter < ' ' ? ' ' : letter);
            }
            out.append('"');
        } else if (value instanceof Double number && number == Math.rint(number)) {
            out.append(number.longValue());
        } else {
            out.append(value);
        }
    }

    // -- JSON ----------------------------------------------------------------------------------

    private final String text;
    private int at = 0;

    private Client(String text) {
        this.text = text;
    }

    private Object value() {
        char letter = next();
        switch (letter) {
            case '{':
                Map<String, Object> fields = new LinkedHashMap<>();
                for (at++; next() != '}'; ) {
                    String name = string();
                    next();
                    at++; // the colon
                    fields.put(name, value());
                }
                at++;
                return fields;
            case '[':
                List<Object> items = new ArrayList<>();
                for (at++; next() != ']'; ) items.add(value());
                at++;
                return items;
            case '"':
                return string();
            case 't':
                at += 4;
                return true;
            case 'f':
                at += 5;
                return false;
            case 'n':
                at += 4;
                return null;
            default:
                int from = at;
                while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
                return Double.valueOf(text.substring(from, at));
        }
    }

    private char next() {
        while (text.charAt(at) == ' ' || text.charAt(at) == ',') at++;
        return text.charAt(at);
    }

    private String string() {
        next();
        StringBuilder out = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            if (text.charAt(at) != '\\') {
                out.append(text.charAt(at));
                continue;
            }
            char letter = text.charAt(++at);
            if (letter == 'u') {
                out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else {
                out.append(letter == 'n' ? '\n' : letter == 't' ? '\t' : letter);
            }
        }
        at++;
        return out.toString();
    }
}
