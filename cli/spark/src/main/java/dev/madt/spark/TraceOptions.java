package dev.madt.spark;

import dev.madt.cli.SqlCommand;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.duckdb.TableSource;
import dev.madt.sql.TraceSource;
import dev.madt.sql.TraceTables;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Understands the options of a reading: which table of which traces. */
final class TraceOptions {
    /** Names of traces: of the first process, and of others by their numbers. */
    private static final Pattern TRACE = Pattern.compile(".*\\.madt(\\.\\d+){0,2}");
    /** Several paths come as one option, an array in JSON. */
    private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final CaseInsensitiveStringMap options;

    TraceOptions(CaseInsensitiveStringMap options) {
        this.options = options;
    }

    /** The name of the table. */
    String table() {
        return options.getOrDefault("table", "accesses");
    }

    /**
     * Returns how many splits a reading is to have.
     *
     * @param cores that the cluster has
     */
    int splits(int cores) {
        return Math.max(1, options.getInt("splits", cores));
    }

    /** Returns the options of {@code madt sql} by which traces are read. */
    List<String> reading() {
        List<String> reading = new ArrayList<>(List.of("--no-progress"));
        if (!options.getBoolean("demangle", true)) {
            reading.add("--no-demangle");
        }
        return reading;
    }

    /** The names of all tables. */
    static List<String> tables() {
        try (TraceTables tables = new TraceTables(source(List.of(), List.of()))) {
            return tables.names();
        }
    }

    /** The columns of the table, as {@code madt sql} has them. */
    List<TableSource.Column> columns() {
        try (TraceTables tables = new TraceTables(source(List.of(), List.of()))) {
            List<TableSource.Column> columns = tables.columns(table());
            if (columns == null) {
                throw new IllegalArgumentException("there is no table '" + table()
                        + "' of traces. There are " + String.join(", ", tables.names()) + ".");
            }
            return columns;
        }
    }

    /** Returns all columns for Spark. */
    StructType schema() {
        return schema(columns());
    }

    /** Returns some columns for Spark. */
    static StructType schema(List<TableSource.Column> columns) {
        StructType schema = new StructType();
        for (TableSource.Column column : columns) {
            schema = schema.add(column.name(), type(column));
        }
        return schema;
    }

    private static DataType type(TableSource.Column column) {
        return switch (column.type()) {
            case INTEGER -> DataTypes.IntegerType;
            case BIGINT -> DataTypes.LongType;
            default -> DataTypes.StringType;
        };
    }

    /** Returns the traces: files that are named, and those in folders that are. */
    List<Path> files() {
        List<Path> files = new ArrayList<>();
        for (String name : paths()) {
            Path path = path(name);
            if (Files.isDirectory(path)) {
                try (Stream<Path> all = Files.list(path)) {
                    all.filter(file -> TRACE.matcher("" + file.getFileName()).matches())
                            .sorted()
                            .forEach(files::add);
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read " + path, e);
                }
            } else {
                files.add(path);
            }
        }
        if (files.isEmpty()) {
            throw new IllegalArgumentException(
                    "no traces: load() takes the names of *.madt files, or of folders with some.");
        }
        return files;
    }

    private List<String> paths() {
        List<String> paths = new ArrayList<>();
        if (options.containsKey("path")) {
            paths.add(options.get("path"));
        }
        Matcher text = TEXT.matcher(options.getOrDefault("paths", ""));
        while (text.find()) {
            paths.add(text.group(1).replaceAll("\\\\(.)", "$1"));
        }
        return paths;
    }

    private static Path path(String name) {
        return Path.of(name.replaceFirst("^file:(//)?", "")).toAbsolutePath().normalize();
    }

    /** Returns some traces as they are read where Spark works: messages go to its log. */
    static TraceSource source(List<Path> files, List<String> reading) {
        try {
            Messages messages =
                    new Messages(new PrintStream(System.err, true, StandardCharsets.UTF_8));
            return SqlCommand.traces(files, reading, messages);
        } catch (Failure e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
