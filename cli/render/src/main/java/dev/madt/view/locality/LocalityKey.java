package dev.madt.view.locality;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says what the rows of a table about caches are. */
public enum LocalityKey {
    SYMBOL("region"),
    SITE(null),
    TYPE(null),
    REGION(null),
    FUNCTION("module"),
    LINE("function"),
    MODULE(null),
    THREAD(null);

    private final String besides;

    /** @param besides heading of what tells rows of one name apart, or null */
    LocalityKey(String besides) {
        this.besides = besides;
    }

    /** Returns the words of {@code --by}. */
    public static List<String> words() {
        return Arrays.stream(values()).map(LocalityKey::word).toList();
    }

    /** Returns the key with one of these words. */
    public static LocalityKey of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the headings of the columns of names. */
    List<String> headings() {
        String name = this == SITE ? "allocation site" : word();
        return besides == null ? List.of(name) : List.of(name, besides);
    }

    /** Returns what stands in these columns of the row of everything. */
    List<String> totalNames() {
        return besides == null ? List.of("total") : List.of("total", "");
    }

    /** Returns the columns that tell rows of one name apart. */
    List<String> headingsBesides() {
        return besides == null ? List.of() : List.of(besides);
    }
}
