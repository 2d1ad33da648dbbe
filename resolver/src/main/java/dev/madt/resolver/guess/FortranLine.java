package dev.madt.resolver.guess;

import java.util.List;

/** Lines of Fortran in free or fixed form: where a statement goes on, and what belongs to it. */
final class FortranLine {
    /** In fixed form, a mark in this column says that a line continues the one before it. */
    private static final int MARK = 5;

    private FortranLine() {}

    /** Returns whether the statement of a line goes on in the next one. */
    static boolean continues(List<String> lines, int at) {
        if (code(lines.get(at)).endsWith("&")) {
            return true;
        }
        return at + 1 < lines.size() && isMarked(lines.get(at + 1));
    }

    /** The part of a statement that a line has. */
    static String text(String line) {
        String code = isMarked(line) ? code(line.substring(MARK + 1)) : code(line);
        String begun = code.startsWith("&") ? code.substring(1) : code;
        return begun.endsWith("&") ? begun.substring(0, begun.length() - 1).strip() : begun;
    }

    private static boolean isMarked(String line) {
        return line.length() > MARK
                && line.substring(0, MARK).isBlank()
                && " 0\t!".indexOf(line.charAt(MARK)) < 0
                && !Character.isLetter(line.charAt(MARK));
    }

    /** A line without its comment. */
    private static String code(String line) {
        if (line.startsWith("*") || line.matches("[cC](\\s.*)?")) {
            return ""; // in fixed form
        }
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '!') {
                return line.substring(0, i).strip();
            }
        }
        return line.strip();
    }
}
