package dev.madt.resolver.demangle;

import java.util.ArrayList;
import java.util.List;

/**
 * The template arguments of a name, for those of several names that are the same in all to be left
 * out: {@code tree<…, pair<int, P>, …>::left}.
 *
 * @param pieces what stands in front of, between and behind the lists of arguments
 * @param lists the arguments
 */
record TemplateArguments(List<String> pieces, List<List<String>> lists) {
    private static final String HIDDEN = "<…>";
    private static final String LEFT_OUT = "…";

    /**
     * Takes a name apart.
     *
     * @param brief the same name with {@code <…>} for each list of arguments
     * @return null if that is not the same name
     */
    static TemplateArguments of(String name, String brief) {
        List<String> pieces = List.of(brief.split(HIDDEN, -1));
        List<List<String>> lists = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < pieces.size(); i++) {
            if (!name.startsWith(pieces.get(i), at)) {
                return null;
            }
            at += pieces.get(i).length();
            if (i + 1 < pieces.size()) {
                int end = ShortNames.behind(name, at, '<', '>');
                if (end <= at + 1 || name.charAt(at) != '<') {
                    return null;
                }
                lists.add(split(name.substring(at + 1, end - 1).stripTrailing()));
                at = end;
            }
        }
        return at == name.length() ? new TemplateArguments(pieces, lists) : null;
    }

    private static List<String> split(String arguments) {
        List<String> all = new ArrayList<>();
        int depth = 0;
        int begin = 0;
        for (int i = 0; i < arguments.length(); i++) {
            char c = arguments.charAt(i);
            boolean arrow = c == '>' && i > 0 && arguments.charAt(i - 1) == '-';
            depth += "<({[".indexOf(c) >= 0 ? 1 : !arrow && ">)}]".indexOf(c) >= 0 ? -1 : 0;
            if (c == ',' && depth == 0) {
                all.add(arguments.substring(begin, i).strip());
                begin = i + 1;
            }
        }
        all.add(arguments.substring(begin).strip());
        return all;
    }

    /** The name without the arguments that all of the others have in the same place. */
    String without(List<TemplateArguments> others) {
        StringBuilder text = new StringBuilder(pieces.get(0));
        for (int i = 0; i < lists.size(); i++) {
            text.append('<').append(told(i, others)).append('>').append(pieces.get(i + 1));
        }
        return text.toString();
    }

    private String told(int list, List<TemplateArguments> others) {
        List<String> told = new ArrayList<>();
        List<String> all = lists.get(list);
        for (int i = 0; i < all.size(); i++) {
            String argument = all.get(i);
            int at = i;
            boolean same = others.stream()
                    .map(other -> other.lists.get(list))
                    .allMatch(
                            other -> other.size() == all.size() && other.get(at).equals(argument));
            if (!same) {
                told.add(argument);
            } else if (told.isEmpty() || !told.get(told.size() - 1).equals(LEFT_OUT)) {
                told.add(LEFT_OUT);
            }
        }
        String text = String.join(", ", told);
        return text.endsWith(">") ? text + " " : text;
    }
}
