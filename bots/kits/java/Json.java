import java.util.ArrayList;
import java.util.List;

/**
 * Finds its way through a text of JSON without copying it. A value that is not there is empty, and every
 * method takes that.
 *
 * <p>Strings are walked over as strings, so a brace or a name inside of one is never taken for the real thing.
 */
public class Json {
    private final String text;
    private final int start;

    public Json(String text) {
        this(text, 0);
    }

    private Json(String text, int from) {
        int at = from;
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
        this.text = text;
        this.start = at;
    }

    /** Value of a key of an object. */
    public Json member(String key) {
        for (Json at = first('{', '}'); at.there(); ) {
            Json colon = new Json(text, at.end());
            if (colon.sign() != ':') break;
            Json value = new Json(text, colon.start + 1);
            if (at.string().equals(key)) return value;
            at = value.next();
        }
        return nothing();
    }

    /** Items of an array. */
    public List<Json> items() {
        var found = new ArrayList<Json>();
        for (Json at = first('[', ']'); at.there(); at = at.next()) found.add(at);
        return found;
    }

    /** Number, or 0 where there is none. */
    public long number() {
        try {
            return Long.parseLong(text.substring(start, end()));
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    /** A string between its quotes, as it stands: escapes are left as they are. */
    public String string() {
        return sign() == '"' ? text.substring(start + 1, end() - 1) : "";
    }

    public boolean there() {
        return start < text.length();
    }

    private char sign() {
        return there() ? text.charAt(start) : 0;
    }

    private Json nothing() {
        return new Json(text, text.length());
    }

    private Json first(char opening, char closing) {
        if (sign() != opening) return nothing();
        Json item = new Json(text, start + 1);
        return item.sign() == closing ? nothing() : item;
    }

    private Json next() {
        Json comma = new Json(text, end());
        return comma.sign() == ',' ? new Json(text, comma.start + 1) : nothing();
    }

    /** Where the value ends. */
    private int end() {
        if (sign() == '"') return stringEnd(start);
        int at = start;
        if (sign() != '{' && sign() != '[') {
            while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
            return at;
        }
        int depth = 0;
        do {
            char sign = text.charAt(at);
            if (sign == '"') {
                at = stringEnd(at);
                continue;
            }
            if (sign == '{' || sign == '[') depth++;
            if (sign == '}' || sign == ']') depth--;
            at++;
        } while (depth > 0 && at < text.length());
        return at;
    }

    private int stringEnd(int from) {
        int at = from + 1;
        while (at < text.length() && text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
        return Math.min(at + 1, text.length());
    }
}
