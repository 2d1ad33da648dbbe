package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.demangle.NameBook;
import dev.madt.resolver.line.FrameName;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A name with wildcards: {@code *} is any text, as is the {@code …} of a name that a table has cut;
 * {@code ?} is any character. The whole name must match,
 * in one of the spellings that views print: the linker's, the source's, and the source's in short.
 * A name by which views show a symbol means that symbol alone, as soon as the names of the traces
 * are known. A pattern remembers the names that it was asked about.
 */
public final class NamePattern {
    private static final int MOST_NAMES = 1 << 16;

    private final String text;
    private final List<Demangler> spellings;
    private final Pattern pattern;
    /** Holds what views may print for a pattern that is the linker's name; empty if it is none. */
    private final Collection<String> printed;

    private final Map<String, Boolean> known = new HashMap<>();
    private NameBook book;
    /**
     * Holds what only the symbol matches that is shown by the name in the text; null if none is.
     */
    private Pattern exact;

    private boolean matched;

    /** A pattern that names must match as they are. */
    public NamePattern(String wildcards) {
        this(wildcards, List.of());
    }

    /**
     * @param spellings make other spellings of the linker's names, any of which may match; the
     *     first changes every one of them
     */
    public NamePattern(String wildcards, List<Demangler> spellings) {
        this.text = wildcards;
        this.spellings = List.copyOf(spellings);
        PlacedName placed = PlacedName.of(wildcards);
        this.pattern = Pattern.compile(expression(placed.with(placed.symbol())), Pattern.DOTALL);
        boolean linked = !spellings.isEmpty()
                && !spellings.get(0).demangle(placed.symbol()).equals(placed.symbol());
        this.printed = linked ? spellings(wildcards) : List.of();
    }

    /** Returns the same pattern, which has been asked about nothing. */
    NamePattern anew() {
        NamePattern same = new NamePattern(text, spellings);
        if (book != null) {
            same.know(book);
        }
        return same;
    }

    /** Tells how the symbols of the traces are shown; no name has been asked about. */
    public void know(NameBook names) {
        book = names;
        if (!spellings.isEmpty()) {
            PlacedName placed = PlacedName.of(text);
            exact = !names.isShown(placed.symbol())
                    ? null
                    : Pattern.compile(
                            expression(placed.front())
                                    + Pattern.quote(placed.symbol())
                                    + expression(placed.end()),
                            Pattern.DOTALL);
        }
    }

    private static String expression(String wildcards) {
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < wildcards.length(); i++) {
            char c = wildcards.charAt(i);
            expression.append(
                    c == '*' || c == '…'
                            ? ".*"
                            : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return expression.toString();
    }

    /** Returns whether a name matches that is of no module, or of one that does not matter. */
    public boolean matches(String name) {
        return matches(name, "");
    }

    /**
     * Returns whether the name of a symbol, or of a block or call by its function, matches.
     *
     * @param label of the region that the symbol lies in
     */
    public boolean matches(String name, String label) {
        String key = label.isEmpty() ? name : name + '\n' + label;
        Boolean answer = known.get(key);
        if (answer == null) {
            answer = matchesAnew(name, label);
            if (known.size() < MOST_NAMES) {
                known.put(key, answer);
            }
            matched |= answer;
        }
        return answer;
    }

    private boolean matchesAnew(String name, String label) {
        if (book != null && !spellings.isEmpty()) {
            return matchesByBook(PlacedName.of(name), label);
        }
        return printed.contains(name)
                || spellings(name).stream()
                        .anyMatch(spelling -> pattern.matcher(spelling).matches());
    }

    private boolean matchesByBook(PlacedName name, String label) {
        String shown = book.isLinkerName(name.symbol())
                ? book.demangle(name.symbol(), label)
                : name.symbol();
        if (exact != null) {
            return exact.matcher(name.with(shown)).matches();
        }
        return book.spellings(shown).stream()
                .anyMatch(spelling -> pattern.matcher(name.with(spelling)).matches());
    }

    /** Returns whether a variable, a block or the blocks of its call have the name. */
    public boolean matches(DataObject object) {
        if (object.local() != null) {
            return matches(object.local());
        }
        if (object.block() == null) {
            return matches(object.name(), object.region());
        }
        Place shown = object.shownCall();
        String module = object.call().module();
        return matches(object.commonName(), shown.module())
                || shown != object.call() && matches(object.innerName(), module)
                || !object.isSite()
                        && (matches(object.rowName(), shown.module())
                                || shown != object.call() && matches(object.name(), module));
    }

    /** Returns whether a variable of a function has the name, in any spelling of the function. */
    private boolean matches(FrameName local) {
        Boolean answer = known.get(local.text());
        if (answer == null) {
            answer = functions(local.frame(), local.module()).stream()
                    .anyMatch(frame -> functions(local.inlined(), "").stream()
                            .anyMatch(inlined -> pattern.matcher(local.text(frame, inlined, ""))
                                    .matches()));
            if (known.size() < MOST_NAMES) {
                known.put(local.text(), answer);
            }
            matched |= answer;
        }
        return answer;
    }

    private Collection<String> functions(String name, String label) {
        if (book == null || spellings.isEmpty() || name.isEmpty()) {
            return spellings(name);
        }
        String shown = book.isLinkerName(name) ? book.demangle(name, label) : name;
        Collection<String> all = new LinkedHashSet<>(book.spellings(shown));
        all.add(name);
        return all;
    }

    /**
     * Returns whether a source file is meant: the one that is shown by the name in the text, else
     * any of which that is the path, or the last parts of it.
     */
    public boolean matchesFile(String path) {
        if (book != null && book.isFile(text)) {
            matched |= book.file(path).equals(text);
            return book.file(path).equals(text);
        }
        int from = path.length();
        do {
            from = path.lastIndexOf('/', from - 1);
            if (matches(path.substring(from + 1))) {
                return true;
            }
        } while (from > 0);
        return matches(path);
    }

    /**
     * Returns whether a type is called by this text; wildcards in it, as in {@code int *}, are
     * none.
     */
    boolean isType() {
        return book != null && book.isType(text);
    }

    /** Returns whether the name is this text. */
    boolean isText(String name) {
        matched |= name.equals(text);
        return name.equals(text);
    }

    /** The pattern as it was given. */
    public String text() {
        return text;
    }

    /** Returns whether it has matched any name so far. */
    public boolean hasMatched() {
        return matched;
    }

    /** Names that it was asked about; not all of them where there are very many. */
    public Collection<String> names() {
        return known.keySet().stream()
                .map(key ->
                        key.substring(0, key.indexOf('\n') < 0 ? key.length() : key.indexOf('\n')))
                .toList();
    }

    private Collection<String> spellings(String name) {
        LinkedHashSet<String> all = new LinkedHashSet<>();
        PlacedName placed = PlacedName.of(name);
        all.add(placed.with(placed.symbol()));
        for (Demangler spelling : spellings) {
            all.add(placed.with(spelling.demangle(placed.symbol())));
        }
        return all;
    }
}
