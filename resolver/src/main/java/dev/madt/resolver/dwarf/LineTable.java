package dev.madt.resolver.dwarf;

import java.util.Arrays;
import java.util.SortedSet;
import java.util.regex.Pattern;

/**
 * Says which line of which file each address comes from: the rows of a line program (DWARF 5,
 * section 6.2).
 */
final class LineTable {
    /** Finds names of files that are compiled, and included nowhere. */
    private static final Pattern SOURCE = Pattern.compile("\\.(c|cc|cpp|cxx|C|f90|rs|go)$");

    private final LineFiles files;
    private final RangeTable sequences;
    private final int[] firstRows;
    private final long[] addresses;
    private final int[] fileNumbers;
    private final int[] lines;
    private final int[] columns;

    private LineTable(LineFiles files, Builder rows) {
        this.files = files;
        this.sequences = rows.sequences.build();
        this.firstRows = Arrays.copyOf(rows.firstRows, rows.sequenceCount + 1);
        this.addresses = Arrays.copyOf(rows.addresses, rows.count);
        this.fileNumbers = Arrays.copyOf(rows.files, rows.count);
        this.lines = Arrays.copyOf(rows.lines, rows.count);
        this.columns = Arrays.copyOf(rows.columns, rows.count);
    }

    LineFiles files() {
        return files;
    }

    /** Number of rows: what the table costs in memory, 20 bytes each. */
    int size() {
        return addresses.length;
    }

    /** The row that holds for the address, the last one if several begin there; -1 if none does. */
    int row(long address) {
        int sequence = sequences.find(address);
        if (sequence < 0) {
            return -1;
        }
        int low = firstRows[sequence];
        int high = firstRows[sequence + 1] - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (addresses[middle] <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high >= firstRows[sequence] ? high : -1;
    }

    /** Tells whether a unit may have code of a file: any may include a header. */
    static boolean mayHave(Unit unit, String name) {
        String source = unit.root().name();
        return !SOURCE.matcher(name).find() || source != null && isOf(source, name);
    }

    private static boolean isOf(String path, String name) {
        return ("/" + path).endsWith("/" + name);
    }

    /** Adds the addresses of a table at which code of the line begins; it may be null. */
    static void addStarts(LineTable table, String name, long line, SortedSet<Long> starts) {
        for (int row = 0; table != null && row < table.size(); row++) {
            if (table.line(row) == line && isOf(table.path(row), name)) {
                starts.add(table.addresses[row]);
            }
        }
    }

    String path(int row) {
        return files.path(fileNumbers[row]);
    }

    /** The line, from 1; 0 for code that belongs to none. */
    int line(int row) {
        return lines[row];
    }

    /** The column, from 1; 0 if it is not told. */
    int column(int row) {
        return columns[row];
    }

    /** Collects rows in the order of the line program. */
    static final class Builder {
        private final RangeTable.Builder sequences = new RangeTable.Builder();
        private int[] firstRows = new int[16];
        private int sequenceCount;
        private long[] addresses = new long[256];
        private int[] files = new int[256];
        private int[] lines = new int[256];
        private int[] columns = new int[256];
        private int count;

        void row(long address, int file, int line, int column) {
            if (count == addresses.length) {
                addresses = Arrays.copyOf(addresses, 2 * count);
                files = Arrays.copyOf(files, 2 * count);
                lines = Arrays.copyOf(lines, 2 * count);
                columns = Arrays.copyOf(columns, 2 * count);
            }
            addresses[count] = address;
            files[count] = file;
            lines[count] = line;
            columns[count++] = column;
        }

        /** Ends a sequence: what has come since the last one holds up to the address. */
        void endSequence(long address) {
            int first = firstRows[sequenceCount];
            if (first < count) {
                sequences.add(addresses[first], address, sequenceCount);
            }
            sequenceCount++;
            if (sequenceCount == firstRows.length) {
                firstRows = Arrays.copyOf(firstRows, 2 * sequenceCount);
            }
            firstRows[sequenceCount] = count;
        }

        LineTable build(LineFiles names) {
            return new LineTable(names, this);
        }
    }
}
