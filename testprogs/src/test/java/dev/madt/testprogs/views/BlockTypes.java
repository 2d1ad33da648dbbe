package dev.madt.testprogs.views;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;

/** Reads what a report says of the types of blocks. */
final class BlockTypes {
    private BlockTypes() {}

    /**
     * Returns the names of blocks with their types, in which {@code long int} and {@code short int}
     * are {@code long} and {@code short}: compilers spell them in two ways.
     */
    static List<List<String>> of(Path directory, String trace) throws Exception {
        return MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "block",
                        "--format",
                        "csv",
                        "--columns",
                        "block,type",
                        trace)
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(CsvLine::cells)
                .map(cells ->
                        List.of(cells.get(0), cells.get(1).replaceFirst("^(long|short) int", "$1")))
                .toList();
    }
}
