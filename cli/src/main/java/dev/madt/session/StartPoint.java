package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Where recording begins; the codes are those of {@code enum madt_start}. */
public enum StartPoint {
    MAIN(0),
    LOAD(1),
    MARKER(2);

    private final int code;

    StartPoint(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(StartPoint::word).toList();
    }

    public static StartPoint of(String word, String source, int status) throws Failure {
        for (StartPoint point : values()) {
            if (point.word().equals(word)) {
                return point;
            }
        }
        throw new Failure(
                status,
                source + " is main, load or marker, not '" + word + "'."
                        + Suggestion.sentence(word, words()));
    }
}
