package dev.madt.resolver.demangle;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Leaves symbols as the linker has them while a trace is read, and says in the end how some of them
 * are shown: as a {@link NameBook} of all would, but for the work that all of them are. Memory
 * grows with the symbols.
 */
public final class LateNames implements Demangler {
    private record Known(String name, String label) {}

    private record Declared(String path, int line) {}

    /** The length of a name in the source, which stands in front of it (Itanium C++ ABI, 5.1.2). */
    private static final Pattern LENGTH = Pattern.compile("\\d+");
    /** Templates of the library that may be shortened to letters (5.1.10). */
    private static final Set<String> SHORTENED =
            Set.of("allocator", "basic_string", "basic_istream", "basic_ostream", "basic_iostream");

    private final Demangler source;
    private final List<Known> symbols = new ArrayList<>();
    private final Map<String, Declared> declared = new HashMap<>();

    /** @param source makes whole names of the source of mangled ones */
    public LateNames(Demangler source) {
        this.source = source;
    }

    @Override
    public void learn(String name, String label) {
        symbols.add(new Known(name, label));
    }

    @Override
    public void declared(String name, String path, int line) {
        declared.put(name, new Declared(path, line));
    }

    @Override
    public String demangle(String name) {
        return name;
    }

    /**
     * Returns how some of the symbols are shown.
     *
     * @param program the name of its file
     * @param wanted the linker's names
     */
    public Demangler book(String program, Collection<String> wanted) {
        Set<String> names = new HashSet<>(wanted);
        Set<String> parts = new HashSet<>();
        for (String name : names) {
            String whole = source.demangle(name);
            parts.add(whole.equals(name) ? name.length() + name : longestPart(name, whole));
        }
        NameBook book = new NameBook(source);
        book.program(program);
        for (Known symbol : symbols) {
            if (names.contains(symbol.name) || parts.stream().anyMatch(symbol.name::contains)) {
                book.symbol(symbol.name, symbol.label);
            }
        }
        declared.forEach((name, place) -> book.declared(name, place.path, place.line));
        return book;
    }

    /**
     * Returns the longest name in a mangled one that its shortened form has: whatever has the same
     * form has that part too. Empty where it has none.
     */
    private static String longestPart(String mangled, String whole) {
        String brief = ShortNames.brief(whole);
        String longest = "";
        Matcher lengths = LENGTH.matcher(mangled);
        while (lengths.find()) {
            String digits = lengths.group();
            int length = digits.length() > 4 ? 0 : Integer.parseInt(digits);
            if (length > longest.length() && lengths.end() + length <= mangled.length()) {
                String part = mangled.substring(lengths.end(), lengths.end() + length);
                boolean spelled = brief.contains(part) && !SHORTENED.contains(part);
                longest = spelled ? part : longest;
            }
        }
        return longest;
    }
}
