package dev.madt.locks;

import dev.madt.console.Failure;
import dev.madt.console.TextResource;
import dev.madt.trace.event.EventWord;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The functions that are looked for: those of {@code locks.txt}, and the user's. */
final class LockTable {
    private static final String FILE = "locks.txt";

    private static final Pattern PAIR = Pattern.compile("([^=\\s]+)=(.+?)(?::([0-5]|-))?");

    private final Map<String, LockFunction> functions = new LinkedHashMap<>();
    /** Holds those whose names are patterns. */
    private final Map<Pattern, LockFunction> patterns = new LinkedHashMap<>();
    /** The last function of the table that takes a lock. */
    private String last;

    /**
     * Reads them.
     *
     * @param pairs {@code acquire=release[:argument]}, or null
     * @param status of a failure
     */
    static LockTable of(String[] pairs, int status) throws Failure {
        LockTable table = new LockTable();
        for (String line : text(status).split("\n")) {
            String row = line.replaceFirst("#.*", "").strip();
            if (!row.isEmpty()) {
                table.add(row.split("\\s+"));
            }
        }
        for (String pair : pairs == null ? new String[0] : pairs) {
            table.add(pair, status);
        }
        return table;
    }

    /** As the file stands, which users read too. */
    static String text(int status) throws Failure {
        try {
            return TextResource.read(LockTable.class, FILE);
        } catch (IOException e) {
            throw new Failure(status, e.getMessage(), e);
        }
    }

    private void add(String[] row) {
        String[] arguments = row[3].split(",");
        LockFunction.Deed deed = LockFunction.Deed.valueOf(row[1].toUpperCase(Locale.ROOT));
        last = deed == LockFunction.Deed.FREE ? last : row[2];
        LockFunction function = new LockFunction(
                row[2],
                kind(row[0], deed),
                deed,
                number(arguments[0]),
                arguments.length > 1 ? number(arguments[1]) : LockFunction.NONE,
                result(row[4]),
                false,
                last);
        functions.put(function.name(), function);
        if (function.name().contains("*")) {
            patterns.put(pattern(function.name()), function);
        }
    }

    /** Returns what matches names, those of pieces of functions excepted. */
    private static Pattern pattern(String name) {
        return Pattern.compile(
                Pattern.quote(name).replace("*", "\\E(?:(?!\\.cold|\\.part\\.|_debug__).)*\\Q"));
    }

    private static long kind(String lock, LockFunction.Deed deed) {
        return EventWord.word(deed == LockFunction.Deed.TRY ? lock + "?" : lock);
    }

    private static LockFunction.Result result(String text) {
        return switch (text) {
            case "0" -> LockFunction.Result.ZERO;
            case "true" -> LockFunction.Result.TRUE;
            default -> LockFunction.Result.ANY;
        };
    }

    private static int number(String text) {
        return text.equals("-") ? LockFunction.NONE : Integer.parseInt(text);
    }

    private void add(String pair, int status) throws Failure {
        Matcher parts = PAIR.matcher(pair.strip());
        if (!parts.matches()) {
            throw new Failure(
                    status,
                    "--lock is ACQUIRE=RELEASE, and behind a colon the number of the argument that"
                            + " is the lock (from 0, which it is otherwise; - for none): --lock"
                            + " 'my_lock=my_unlock:1', not '" + pair + "'.");
        }
        int lock = parts.group(3) == null ? 0 : number(parts.group(3));
        put(parts.group(1), LockFunction.Deed.GET, lock, parts.group(1));
        put(parts.group(2), LockFunction.Deed.FREE, lock, parts.group(1));
    }

    private void put(String name, LockFunction.Deed deed, int lock, String home) {
        functions.put(
                name,
                new LockFunction(
                        name,
                        kind("lock", deed),
                        deed,
                        lock,
                        LockFunction.NONE,
                        LockFunction.Result.ANY,
                        true,
                        home));
    }

    /** Returns the function of this name, or null. */
    LockFunction named(String name) {
        LockFunction exact = functions.get(name);
        if (exact != null || name.indexOf('.') < 0) { // no other names are made by compilers
            return exact;
        }
        return patterns.entrySet().stream()
                .filter(one -> one.getKey().matcher(name).matches())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** Returns a function of a kind, which has no name of its own. */
    LockFunction any(LockFunction.Deed deed) {
        return functions.values().stream()
                .filter(one -> one.deed() == deed)
                .findFirst()
                .orElseThrow();
    }

    Iterable<LockFunction> all() {
        return functions.values();
    }
}
