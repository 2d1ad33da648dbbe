package dev.madt.resolver.demangle;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of GNAT: {@code system__secondary_stack__ss_mark} is
 * {@code system.secondary_stack.ss_mark}. A function of C may be called {@code shop__bump}, too, so
 * these are names of the language's own packages below others of them, and main procedures
 * ({@code _ada_shop}). Which of several functions of one name it is, is left out.
 */
final class AdaNames {
    private static final String MAIN = "_ada_";
    private static final String BETWEEN = "__";

    private static final Pattern OWN = Pattern.compile(
            "(?:ada|gnat|interfaces|system)__[a-z][a-z0-9]*(?:_[a-z0-9]+)*__.+|_ada_[a-z].*");

    /** Numbers of functions with the name, and what says that one is within a body. */
    private static final Pattern BEHIND = Pattern.compile("(?:\\.\\d+|__\\d+|TKB|X[bn]+)+$");

    private static final Pattern PROPERTY = Pattern.compile("(.+)___([a-z]+)");
    private static final Map<String, String> PROPERTIES = Map.of(
            "elabb", "elab_body",
            "elabs", "elab_spec",
            "size", "size",
            "alignment", "alignment",
            "assign", ":=");
    private static final Pattern PART = Pattern.compile("[a-z][a-z0-9]*(?:_[a-z0-9]+)*");
    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("Oabs", "abs"),
            Map.entry("Oadd", "+"),
            Map.entry("Oand", "and"),
            Map.entry("Oconcat", "&"),
            Map.entry("Odivide", "/"),
            Map.entry("Oeq", "="),
            Map.entry("Oexpon", "**"),
            Map.entry("Oge", ">="),
            Map.entry("Ogt", ">"),
            Map.entry("Ole", "<="),
            Map.entry("Olt", "<"),
            Map.entry("Omod", "mod"),
            Map.entry("Omultiply", "*"),
            Map.entry("One", "/="),
            Map.entry("Onot", "not"),
            Map.entry("Oor", "or"),
            Map.entry("Orem", "rem"),
            Map.entry("Osubtract", "-"),
            Map.entry("Oxor", "xor"));

    private AdaNames() {}

    /** Returns whether a name is surely one of Ada, from an index on. */
    static boolean isMangled(String name, int at) {
        boolean may = name.startsWith(MAIN, at) || name.indexOf(BETWEEN, at) > at;
        return may && OWN.matcher(name).region(at, name.length()).matches();
    }

    /** Null if it is no such name. */
    static String demangle(String name) {
        if (!isMangled(name, 0)) {
            return null;
        }
        String bare = BEHIND.matcher(name).replaceFirst("");
        String end = "";
        Matcher property = PROPERTY.matcher(bare);
        if (property.matches()) {
            if (!PROPERTIES.containsKey(property.group(2))) {
                return null;
            }
            bare = property.group(1);
            end = '\'' + PROPERTIES.get(property.group(2));
        }
        StringBuilder text = new StringBuilder();
        boolean main = bare.startsWith(MAIN);
        for (String part : bare.substring(main ? MAIN.length() : 0).split(BETWEEN, -1)) {
            String operator = OPERATORS.get(part);
            if (operator == null && !PART.matcher(part).matches()) {
                return null;
            }
            text.append(text.isEmpty() ? "" : ".")
                    .append(operator == null ? part : '"' + operator + '"');
        }
        return text + end;
    }
}
