package dev.madt.sql;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Forms of a query's result. */
public enum SqlFormat {
    TABLE(""),
    CSV("format csv, header"),
    JSON("format json"),
    PARQUET("format parquet, compression zstd");

    private final String options;

    SqlFormat(String options) {
        this.options = options;
    }

    /** Returns the words by which users name them. */
    public static List<String> words() {
        return Stream.of(values())
                .map(format -> format.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    /** Returns the format of a word. */
    public static SqlFormat of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /**
     * The statement by which DuckDB writes the rows of a query to a file: to that file itself, so
     * that whoever removes an unfinished one leaves no other one behind.
     */
    String copy(String query, String file) {
        return "copy (" + query + "\n) to '" + file.replace("'", "''") + "' (" + options
                + ", use_tmp_file false)";
    }
}
