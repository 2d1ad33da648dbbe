package dev.madt.resolver.demangle;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls functions that the source gives no name by where it has them: in names of the source
 * {@code main::{lambda(int)#2}} becomes {@code main::{lambda at shop.cpp:17}}. Two of one line keep
 * their numbers: {@code {lambda#2 at shop.cpp:17}}.
 */
final class Closures {
    /** A lambda of C++ as gcc and clang call it, a closure of Rust in its new and old names. */
    private static final Pattern UNNAMED =
            Pattern.compile("\\{lambda\\(|\\$_(\\d+)|\\{closure#\\d+\\}|\\{\\{closure\\}\\}");

    private static final Pattern NUMBER = Pattern.compile("#(\\d+)\\}$");

    /** Stands behind the parameters of a member function. */
    private static final Pattern BEHIND = Pattern.compile("^ (const|volatile|&)");

    private record Place(String file, int line) {}

    /** A part of a name: the name of something that has none in the source. */
    private record Span(int begin, int name, int end, String number) {}

    private final Demangler source;
    /** By the linker's names, which tell closures of Rust apart that the source's names do not. */
    private final Map<String, Place> functions = new HashMap<>();
    /** By the names of the source; null where several have one. */
    private final Map<String, Place> known = new HashMap<>();
    /** The names that have a place and scope in common. */
    private final Map<String, Set<String>> together = new HashMap<>();

    /** @param source makes whole names of the source of mangled ones */
    Closures(Demangler source) {
        this.source = source;
    }

    /** Learns of a function, by its name for the linker. */
    void add(String linkerName, String file, int line) {
        Place place = new Place(file, line);
        if (functions.put(linkerName, place) != null) {
            return;
        }
        String mangled = LinkerName.of(linkerName).mangled();
        String whole = source.demangle(mangled);
        Span own = whole.equals(mangled) ? null : own(whole);
        if (own != null) {
            String name = whole.substring(own.begin, own.end);
            if (known.containsKey(name) && !place.equals(known.get(name))) {
                known.put(name, null);
            } else {
                known.put(name, place);
                String scope = whole.substring(own.begin, own.name);
                together.computeIfAbsent(scope + place, absent -> new HashSet<>())
                        .add(name);
            }
        }
    }

    /** Returns a name of the source with the places that are known. */
    String named(String linkerName, String whole, UnaryOperator<String> files) {
        if (functions.isEmpty() || !UNNAMED.matcher(whole).find()) {
            return whole;
        }
        Span own = functions.containsKey(linkerName) ? own(whole) : null;
        StringBuilder text = new StringBuilder();
        int done = 0;
        Matcher matcher = UNNAMED.matcher(whole);
        while (matcher.find()) {
            Span span = span(whole, matcher);
            String name = whole.substring(span.begin, span.end);
            Place place = span.equals(own) ? functions.get(linkerName) : known.get(name);
            if (place != null && span.name >= done) {
                String scope = whole.substring(span.begin, span.name);
                boolean alone = together.getOrDefault(scope + place, Set.of()).size() < 2;
                text.append(whole, done, span.name)
                        .append(
                                whole.startsWith("{lambda", span.name)
                                                || whole.charAt(span.name) == '$'
                                        ? "{lambda"
                                        : "{closure")
                        .append(alone ? "" : span.number)
                        .append(" at ")
                        .append(files.apply(place.file))
                        .append(':')
                        .append(place.line)
                        .append('}');
                done = span.end;
            }
        }
        return text.append(whole, done, whole.length()).toString();
    }

    /** The function without a name whose own name this is, or that it only calls; or null. */
    private static Span own(String whole) {
        String called = ShortNames.calledLambda(whole);
        int from = called == null ? 0 : whole.indexOf(called);
        int to = called == null ? whole.length() : from + called.length();
        Span own = null;
        Matcher matcher = UNNAMED.matcher(whole);
        while (matcher.find()) {
            Span span = span(whole, matcher);
            boolean outside = called == null
                    ? ShortNames.argument(whole, span.name) == 0
                    : span.begin >= from && span.end == to;
            own = outside && span.end <= to ? span : own;
        }
        return own;
    }

    private static Span span(String whole, Matcher matcher) {
        int name = matcher.start();
        int end = whole.charAt(name) == '{'
                ? ShortNames.behind(whole, name, '{', '}')
                : matcher.end();
        String number = "";
        Matcher numbered = NUMBER.matcher(whole.substring(name, end));
        if (matcher.group(1) != null) {
            number = "#" + matcher.group(1);
        } else if (numbered.find()) {
            number = "#" + numbered.group(1);
        }
        return new Span(begin(whole, name), name, end, number);
    }

    /** Returns where the name begins that a place is in, without the type in front of it. */
    private static int begin(String whole, int place) {
        int begin = ShortNames.argument(whole, place);
        int depth = 0;
        for (int i = begin; i < place; i++) {
            depth += ShortNames.nesting(whole, i);
            boolean type = whole.charAt(i) == ' '
                    && depth == 0
                    && !BEHIND.matcher(whole.substring(i, place)).find();
            begin = type ? i + 1 : begin;
        }
        return begin;
    }
}
