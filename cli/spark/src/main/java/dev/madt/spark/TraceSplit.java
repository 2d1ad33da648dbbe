package dev.madt.spark;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.connector.read.InputPartition;

/**
 * A part of a table that one task reads: whole traces, or some of the accesses of one.
 *
 * @param files names of the traces
 * @param arguments those of the table that select
 */
record TraceSplit(List<String> files, TreeMap<String, String> arguments) implements InputPartition {
    private static final long serialVersionUID = 1;

    static TraceSplit of(List<Path> files, Map<String, String> arguments) {
        return new TraceSplit(
                List.copyOf(files.stream().map(Path::toString).toList()), new TreeMap<>(arguments));
    }

    List<Path> paths() {
        return files.stream().map(Path::of).toList();
    }
}
