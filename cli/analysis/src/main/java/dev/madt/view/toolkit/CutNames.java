package dev.madt.view.toolkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names in a column that is too narrow for them. What is left out leaves a {@code …}: parameters,
 * template arguments from the inside, then what a function is in, then the middle of what is left;
 * of a module's section, the middle of the module. The last
 * part of a function's name, its offset, and the line number of a file stay as long as they fit. A
 * name that is cut, read with any text in the place of each {@code …}, means no other name of the
 * column, where that is possible.
 */
final class CutNames {
    private static final String CUT = "…";
    private static final String HIDDEN = "<…>";
    /** Holds what a compiler made of a function. */
    private static final Pattern CLONE = Pattern.compile("( \\[clone [^]]*])+");

    /** Begins the name of a section of a module, as in {@code [libz.so.1:.rodata]}. */
    private static final Pattern SECTION = Pattern.compile("^\\[[^\\]]+:\\.");

    /**
     * Finds the parameters of a function: brackets behind its name, and in front of what qualifies
     * it, a clone, or its offset.
     */
    private static final Pattern PARAMETERS = Pattern.compile("(?<=[\\w>)~=+*/%&|^!-])"
            + "\\((?!anonymous)(?:[^()]|\\([^()]*\\))+\\)"
            + "(?= const| \\[|[+>@]|$)");

    /** Columns of more names are not searched for others that a cut one may mean. */
    private static final int MOST = 400;

    private final Map<String, String> cut = new HashMap<>();
    private final Set<String> all;
    private final int width;

    /** @param names of the column, some of them perhaps several times */
    CutNames(Collection<String> names, int width) {
        this.all = new LinkedHashSet<>(names);
        this.width = width;
    }

    /** A name as it fits. */
    String of(String name) {
        return name.length() <= width ? name : cut.computeIfAbsent(name, this::shorten);
    }

    private String shorten(String name) {
        List<String> ways = ways(name);
        for (String way : ways) {
            if (all.size() > MOST || meansOne(way, name)) {
                return way;
            }
        }
        return ways.get(0);
    }

    private boolean meansOne(String way, String name) {
        Pattern pattern =
                Pattern.compile(Pattern.quote(way).replace(CUT, "\\E.*\\Q"), Pattern.DOTALL);
        return all.stream()
                .noneMatch(
                        other -> !other.equals(name) && pattern.matcher(other).matches());
    }

    /** The ways to cut a name, the most readable one first. */
    private List<String> ways(String name) {
        List<String> ways = new ArrayList<>();
        if (SECTION.matcher(name).find()) {
            addFitting(ways, ends(name));
        } else {
            String bare = withoutParameters(name);
            addFunction(ways, bare);
            if (!bare.equals(name)) {
                addFunction(ways, name);
            }
        }
        for (int head = width - CUT.length(); head >= 0; head -= Math.max(1, width / 8)) {
            ways.add(TextTable.ends(name, head, width - CUT.length() - head));
        }
        return ways;
    }

    private void addFunction(List<String> ways, String name) {
        String bare = withoutArguments(name);
        addFitting(ways, bare);
        addFitting(ways, withoutModule(bare));
        addFitting(ways, withoutScopes(bare));
        addFitting(ways, ends(lastPart(withoutScopes(bare))));
    }

    private static String withoutParameters(String name) {
        return PARAMETERS.matcher(name).replaceFirst("(…)");
    }

    private void addFitting(List<String> ways, String name) {
        if (name.length() <= width) {
            ways.add(name);
        }
    }

    /** The name with fewer template arguments, from the inside, until it fits. */
    private String withoutArguments(String name) {
        String text = name;
        for (int[] inner = innermost(text); text.length() > width && inner != null; ) {
            text = text.substring(0, inner[0]) + HIDDEN + text.substring(inner[1]);
            inner = innermost(text);
        }
        return text;
    }

    /**
     * Returns where the deepest arguments begin and end that can become shorter; null if none can.
     */
    private static int[] innermost(String text) {
        int[] best = null;
        int deepest = 0;
        int depth = 0;
        int[] starts = new int[text.length() + 1];
        for (int i = isBlock(text) ? 1 : 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '<' && !isOperator(text, i)) {
                starts[depth++] = i;
            } else if (c == '>' && depth > 0 && text.charAt(i - 1) != '-') {
                depth--;
                boolean shorter = i + 1 - starts[depth] > HIDDEN.length();
                if (shorter && depth + 1 > deepest) {
                    deepest = depth + 1;
                    best = new int[] {starts[depth], i + 1};
                }
            }
        }
        return best;
    }

    private static boolean isBlock(String text) {
        return text.startsWith("<") && text.indexOf('@') > 0;
    }

    private static boolean isOperator(String text, int at) {
        return text.startsWith("operator", at - 8) || text.startsWith("operator<", at - 9);
    }

    /** The name without the module in front, which ends in a colon. */
    private static String withoutModule(String name) {
        int from = isBlock(name) ? name.indexOf('@') + 1 : 0;
        int colon = name.indexOf(':', from);
        boolean module = colon > from
                && !name.startsWith("::", colon)
                && name.indexOf('<', from) < 0
                && !Character.isDigit(name.charAt(Math.min(colon + 1, name.length() - 1)));
        return module ? name.substring(0, from) + CUT + name.substring(colon + 1) : name;
    }

    /** The name with less of what a function or a type is in, until it fits. */
    private String withoutScopes(String name) {
        int from = isBlock(name) ? name.indexOf('@') + 1 : 0;
        String text = name;
        for (int end = scopeEnd(text, from); text.length() > width && end > 0; ) {
            text = text.substring(0, from) + CUT + "::" + text.substring(end);
            end = scopeEnd(text, from + CUT.length() + 2);
        }
        return text;
    }

    /** Behind the first {@code ::} that is in no brackets; -1 if there is none. */
    private static int scopeEnd(String text, int from) {
        int depth = 0;
        for (int i = from; i + 2 < text.length(); i++) {
            char c = text.charAt(i);
            depth += "<({[".indexOf(c) >= 0 ? 1 : ">)}]".indexOf(c) >= 0 ? -1 : 0;
            if (depth == 0 && text.startsWith("::", i)) {
                return i + 2;
            }
        }
        return -1;
    }

    /** The last part of a name that is too long even so, without its arguments. */
    private static String lastPart(String name) {
        int scope = name.lastIndexOf(CUT + "::");
        String part = scope < 0 ? name : name.substring(0, scope + 1) + name.substring(scope + 3);
        return CLONE.matcher(part.replace(HIDDEN, CUT)).replaceAll(CUT);
    }

    /** The beginning and the end, which has the offset or the line number. */
    private String ends(String name) {
        if (name.length() <= width) {
            return name;
        }
        int room = width - CUT.length();
        int offset = name.lastIndexOf('+');
        int line = name.lastIndexOf(':');
        int tail = offset > 0
                ? name.length() - offset
                : line > 0 ? Math.max(name.length() - line, room / 2) : room / 2;
        return tail < room
                ? TextTable.ends(name, room - tail, tail).replace(CUT + CUT, CUT)
                : TextTable.ends(name, room - room / 2, room / 2);
    }
}
