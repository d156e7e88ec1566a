// Does what player_idle.py does, with the protocol alone.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public final class Bot {
    public static void main(String[] words) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in), 1 << 16);
        say("{\"type\":\"hello\",\"protocol\":1,\"wants\":\"events\"}");
        lines.readLine();
        say("{\"type\":\"ready\"}");
        for (String line; (line = lines.readLine()) != null; ) {
            int begin = line.indexOf("\"nonce\":") + 8;
            String nonce = line.substring(begin, line.indexOf(',', begin));
            say("{\"type\":\"answer\",\"nonce\":" + nonce + ",\"answer\":\"UP\"}");
        }
    }

    private static void say(String line) throws IOException {
        System.out.write((line + "\n").getBytes());
        System.out.flush();
    }
}
