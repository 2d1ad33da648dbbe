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

        /** Whether a file stands behind it. */
        public boolean file() {
            return path.startsWith("/");
        }
    }

    /** The mappings in the order of the text, which is that of the addresses. */
    public static List<Mapping> parse(String text) {
        List<Mapping> mappings = new ArrayList<>();
        for (String line : text.split("\n")) {
            Mapping mapping = parseLine(line);
            if (mapping != null) {
                mappings.add(mapping);
            }
        }
        return mappings;
    }

    private static Mapping parseLine(String line) {
        String[] fields = fields(line.strip());
        if (fields == null || fields[1].length() != 4) {
            return null;
        }
        int dash = fields[0].indexOf('-');
        if (dash < 0) {
            return null;
        }
        String path = fields[PATH].replace("\\012", "\n");
        boolean deleted = path.startsWith("/") && path.endsWith(DELETED);
        if (deleted) {
            path = path.substring(0, path.length() - DELETED.length());
        }
        try {
            return new Mapping(
                    Long.parseUnsignedLong(fields[0], 0, dash, 16),
                    Long.parseUnsignedLong(fields[0], dash + 1, fields[0].length(), 16),
                    protection(fields[1]),
                    fields[1].charAt(3) == 's',
                    Long.parseUnsignedLong(fields[2], 16),
                    Long.parseUnsignedLong(fields[4]),
                    path,
                    deleted);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The fields, the last of which may be empty or have blanks; null if there are too few. */
    private static String[] fields(String line) {
        String[] fields = new String[PATH + 1];
        int from = 0;
        for (int i = 0; i < PATH; i++) {
            int to = from;
            while (to < line.length() && line.charAt(to) > ' ') {
                to++;
            }
            if (to == from) {
                return null;
            }
            fields[i] = line.substring(from, to);
            for (from = to; from < line.length() && line.charAt(from) <= ' '; from++) {}
        }
        fields[PATH] = line.substring(from);
        return fields;
    }

    private static int protection(String flags) {
        return (flags.charAt(0) == 'r' ? 1 : 0)
                | (flags.charAt(1) == 'w' ? 2 : 0)
                | (flags.charAt(2) == 'x' ? 4 : 0);
    }
}
