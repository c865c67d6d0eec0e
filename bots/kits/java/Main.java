import java.util.List;

/**
 * A bot that plays a random legal move. Make it better: everything that you may know is in `observation`.
 *
 * <p>System.err is the log that you read beside the replay; System.out is for answers alone.
 */
public class Main {
    /** The id of one of the legal moves. */
    static long choose(Json observation, List<Json> legal, Haunt match) {
        return legal.get(match.random.nextInt(legal.size())).member("id").number();
    }

    public static void main(String[] words) throws Exception {
        new Haunt().play(Main::choose);
    }
}
