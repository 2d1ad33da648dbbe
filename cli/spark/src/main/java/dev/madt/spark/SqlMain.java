package dev.madt.spark;

import dev.madt.sql.ResultTable;
import dev.madt.sql.SqlText;
import dev.madt.sql.TraceTables;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.TextTable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Carries out queries over traces in Spark: {@code SqlMain FORMAT WIDTH DEMANGLE QUERY TRACE...}.
 * {@code madt sql --engine spark} starts it.
 */
public final class SqlMain {
    private static final int FAILED = 1;
    private static final int OF_QUERY = 2;
    /** The arguments in front of the traces. */
    private static final int OPTIONS = 4;

    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    private final String format;
    private final int width;
    private boolean written;

    private SqlMain(String format, int width) {
        this.format = format;
        this.width = width;
    }

    /** Ends with the status that {@code madt sql} has. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    private static int run(String[] arguments) {
        SqlMain main = new SqlMain(arguments[0], Integer.parseInt(arguments[1]));
        String[] traces = Arrays.copyOfRange(arguments, OPTIONS, arguments.length);
        try (SparkSession spark = session()) {
            tables(spark, arguments[2], traces);
            for (String statement : SqlText.statements(arguments[OPTIONS - 1])) {
                main.write(spark.sql(statement));
            }
            return 0;
        } catch (Exception e) { // Scala does not declare what it throws
            boolean ofQuery = e instanceof AnalysisException;
            String text = String.valueOf(e.getMessage());
            System.err.println("madt: "
                    + (ofQuery ? "the query has a fault. " + text.split(";\n", 2)[0] : text));
            return ofQuery ? OF_QUERY : FAILED;
        } finally {
            main.out.flush();
        }
    }

    private static SparkSession session() {
        return SparkSession.builder()
                .appName("madt sql")
                .config("spark.log.level", "WARN")
                .config("spark.ui.enabled", "false")
                .config("spark.ui.showConsoleProgress", "false")
                // as in DuckDB: "window" is a name, and objects in JSON have all columns
                .config("spark.sql.ansi.doubleQuotedIdentifiers", "true")
                .config("spark.sql.jsonGenerator.ignoreNullFields", "false")
                .getOrCreate();
    }

    /** Makes all tables and views of some traces. */
    private static void tables(SparkSession spark, String demangle, String... traces)
            throws IOException {
        for (String table : TraceOptions.tables()) {
            spark.read()
                    .format(MadtSource.NAME)
                    .option("table", table)
                    .option("demangle", demangle)
                    .load(traces)
                    .createOrReplaceTempView(table);
        }
        for (String view : TraceTables.views()) {
            spark.sql(view.replaceFirst("^create view", "create temporary view"));
        }
    }

    private void write(Dataset<Row> result) {
        List<String> names = List.of(result.columns());
        if (names.isEmpty()) {
            return; // of a statement that makes a view
        }
        if (format.equals("json")) {
            result.toJSON().collectAsList().forEach(row -> out.print(row + "\n"));
            return;
        }
        List<Object[]> rows = new ArrayList<>();
        for (Row row : result.collectAsList()) {
            Object[] values = new Object[row.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = row.get(i);
            }
            rows.add(values);
        }
        if (format.equals("csv")) {
            csv(names.toArray());
            rows.forEach(this::csv);
        } else {
            out.print((written ? "\n" : "")
                    + new TextTable(false, width).render(ResultTable.of(names, rows)));
        }
        written = true;
    }

    private void csv(Object... values) {
        List<String> fields = new ArrayList<>();
        for (Object value : values) {
            fields.add(value == null ? "" : CsvTable.field(value.toString()));
        }
        out.print(String.join(",", fields) + "\n");
    }
}
