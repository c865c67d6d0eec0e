import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Reads the questions of a match from stdin and writes the answers to stdout, a line of JSON each. */
public class Haunt {
    /** Returns the id of one of the legal moves. */
    public interface Chooser {
        long choose(Json observation, List<Json> legal, Haunt match);
    }

    /** The first line: game, mode, options, seats, seat, clock. */
    public Json hello;

    /** Of the question. */
    public long turn;

    /** CPU time left for this answer and all that follow. */
    public long bankMs;

    /** Dice that are the same whenever the same match is played again. */
    public Random random;

    private final PrintStream out = new PrintStream(System.out, true);

    /** Play one match. */
    public void play(Chooser chooser) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Json message = new Json(line);
            switch (message.member("type").string()) {
                case "hello":
                    hello = message;
                    random = new Random(message.member("seed").string().hashCode());
                    out.println("{\"type\":\"ready\"}");
                    break;
                case "move":
                    turn = message.member("turn").number();
                    bankMs = message.member("clock").member("bank_ms").number();
                    List<Json> legal = message.member("legal").items();
                    long id = chooser.choose(message.member("observation"), legal, this);
                    out.println("{\"turn\":" + turn + ",\"id\":" + id + "}");
                    break;
                case "fault":
                    System.err.println(line);
                    break;
                case "end":
                    return;
                default:
            }
        }
    }
}
