package dev.madt.sql;

import java.util.ArrayList;
import java.util.List;

/** Tells the statements of a text from each other, as DuckDB's parser would. */
public final class SqlText {
    private final String text;
    private final List<String> statements = new ArrayList<>();
    private int at;
    private int start;
    private boolean complete = true;

    private SqlText(String text) {
        this.text = text;
        scan();
    }

    /** The statements of a text, without the semicolons between them and without empty ones. */
    public static List<String> statements(String text) {
        return new SqlText(text).statements;
    }

    /** Returns whether a text ends where a statement does, by its semicolon. */
    public static boolean isComplete(String text) {
        return new SqlText(text).complete;
    }

    private void scan() {
        boolean any = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ';') {
                end(any);
                any = false;
                at++;
                start = at;
            } else if (text.startsWith("--", at)) {
                at = behind("\n", at + 2);
            } else if (text.startsWith("/*", at)) {
                at = behind("*/", at + 2);
            } else {
                any |= !Character.isWhitespace(c);
                at = c == '\'' || c == '"' ? behind(c) : c == '$' ? behindDollars() : at + 1;
            }
        }
        end(any);
        complete &= !any;
    }

    private void end(boolean any) {
        if (any) {
            statements.add(text.substring(start, Math.min(at, text.length())).strip());
        }
    }

    private int behind(String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    /** Behind a name or text in quotes, in which two quotes are one. */
    private int behind(char quote) {
        int found = text.indexOf(quote, at + 1);
        return found < 0 ? text.length() : found + 1;
    }

    /** Behind a text between $$ or $name$. */
    private int behindDollars() {
        int end = at + 1;
        while (end < text.length()
                && Character.isJavaIdentifierPart(text.charAt(end))
                && text.charAt(end) != '$') {
            end++;
        }
        if (end >= text.length() || text.charAt(end) != '$') {
            return at + 1;
        }
        return behind(text.substring(at, end + 1), end + 1);
    }
}
