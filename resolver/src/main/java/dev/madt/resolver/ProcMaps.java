package dev.madt.resolver;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of {@code /proc/PID/maps} (proc(5)), read as it is: a line that is cut off or not of
 * that form is passed over, since the file changes while it is read.
 */
public final class ProcMaps {
    private static final String DELETED = " (deleted)";
    private static final int PATH = 5;

    private ProcMaps() {}

    /**
     * One line.
     *
     * @param start first address
     * @param end one past the last
     * @param protection 1 read, 2 write, 4 execute
     * @param shared whether writes reach the file or other processes
     * @param offset file offset in bytes
     * @param inode 0 without a file
     * @param path file or pseudo name such as {@code [heap]}; empty for anonymous memory; octal
     *     escapes of newlines undone
     * @param deleted whether the file has no name any more
     */
    public record Mapping(
            long start,
            long end,
            int protection,
            boolean shared,
            long offset,
            long inode,
            String path,
            boolean deleted) {
        public boolean executable() {
            return (protection & 4) != 0;
        }

        /** Returns whether a file stands behind it. */
        public boolean file() {
            return path.startsWith("/");
        }
    }

    /** The mappings in the order of the text, which is that of the addresses. */
    public static List<Mapping> parse(String text) {
        List<Mapping> mappings = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int newline = text.indexOf('\n', from);
            int end = newline < 0 ? text.length() : newline;
            Mapping mapping = parseLine(text, from, end);
            if (mapping != null) {
                mappings.add(mapping);
            }
            from = end + 1;
        }
        return mappings;
    }

    /** The line in [from, end), without a copy of its fields: many processes have many lines. */
    private static Mapping parseLine(String text, int from, int end) {
        int[] bounds = fields(text, from, end);
        if (bounds == null || bounds[3] - bounds[2] != 4) {
            return null;
        }
        int dash = text.indexOf('-', bounds[0]);
        if (dash < 0 || dash >= bounds[1]) {
            return null;
        }
        String path = text.substring(bounds[2 * PATH], bounds[2 * PATH + 1]);
        path = path.replace("\\012", "\n");
        boolean deleted = path.startsWith("/") && path.endsWith(DELETED);
        if (deleted) {
            path = path.substring(0, path.length() - DELETED.length());
        }
        try {
            return new Mapping(
                    Long.parseUnsignedLong(text, bounds[0], dash, 16),
                    Long.parseUnsignedLong(text, dash + 1, bounds[1], 16),
                    protection(text, bounds[2]),
                    text.charAt(bounds[2] + 3) == 's',
                    Long.parseUnsignedLong(text, bounds[4], bounds[5], 16),
                    Long.parseUnsignedLong(text, bounds[8], bounds[9], 10),
                    path,
                    deleted);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * Returns where the fields begin and end, the last of which may be empty or have blanks; null
     * if there are too few.
     */
    private static int[] fields(String text, int start, int end) {
        int[] bounds = new int[2 * PATH + 2];
        int to = end;
        while (to > start && text.charAt(to - 1) <= ' ') {
            to--;
        }
        int at = skip(text, start, to, true);
        for (int i = 0; i < PATH; i++) {
            bounds[2 * i] = at;
            at = skip(text, at, to, false);
            if (at == bounds[2 * i]) {
                return null;
            }
            bounds[2 * i + 1] = at;
            at = skip(text, at, to, true);
        }
        bounds[2 * PATH] = at;
        bounds[2 * PATH + 1] = to;
        return bounds;
    }

    /** Behind the blanks, or what is none, from here on. */
    private static int skip(String text, int from, int end, boolean blanks) {
        int at = from;
        while (at < end && text.charAt(at) <= ' ' == blanks) {
            at++;
        }
        return at;
    }

    private static int protection(String text, int at) {
        return (text.charAt(at) == 'r' ? 1 : 0)
                | (text.charAt(at + 1) == 'w' ? 2 : 0)
                | (text.charAt(at + 2) == 'x' ? 4 : 0);
    }
}
