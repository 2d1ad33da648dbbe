package dev.madt.sql;

import dev.madt.console.Failure;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.duckdb.DuckFault;
import dev.madt.duckdb.DuckPipe;
import dev.madt.duckdb.DuckResult;
import dev.madt.view.toolkit.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes the results of statements in a form to where they go. */
public final class SqlResult {
    /** Columns of what {@code explain} gives. */
    private static final List<String> PLAN = List.of("explain_key", "explain_value");
    /** Rows of a table whose columns are as wide as its rows need: that many are kept. */
    private static final int ROWS = 10_000;

    private final ResultFile file;
    private final SqlFormat format;
    private final boolean coloured;
    private final int width;
    /** Null where rows are not drawn. */
    private final SqlChart chart;

    private boolean written;

    /** @param width characters in a line of a table, or {@link TextTable#WIDE} */
    public SqlResult(ResultFile file, SqlFormat format, boolean coloured, int width) {
        this(file, format, coloured, width, null);
    }

    /** As above, with a picture instead of a table unless {@code chart} is null. */
    public SqlResult(
            ResultFile file, SqlFormat format, boolean coloured, int width, SqlChart chart) {
        this.chart = chart;
        this.file = file;
        this.format = format;
        this.coloured = coloured;
        this.width = width;
    }

    /** Carries out a statement and writes its rows, if it has any. */
    public void write(SqlSession session, String text) throws DuckFault, Failure, IOException {
        boolean hasRows = session.hasRows(text);
        String statement = hasRows ? session.pushedDown(text) : text;
        if (hasRows && (format != SqlFormat.TABLE || chart != null)) {
            if (written) {
                throw new Failure(
                        Status.USAGE,
                        "one query at a time has its rows written as "
                                + (chart != null
                                        ? "a picture"
                                        : format.name().toLowerCase(Locale.ROOT))
                                + ". Others may make tables and views in front of it.");
            }
            written = true;
            if (chart != null) {
                draw(session, statement);
                return;
            }
            if (file.path() != null && format != SqlFormat.JSON) {
                copy(session, statement);
            } else {
                DuckPipe.write(
                        session.folder().resolve("rows"),
                        format == SqlFormat.JSON ? new StrictJson(file.out()) : file.out(),
                        pipe -> session.execute(format.copy(statement, pipe.toString())));
            }
            return;
        }
        try {
            session.query(statement, result -> {
                if (result.isRows()) {
                    print(result);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Has the file written by its name. */
    private void copy(SqlSession session, String statement) throws DuckFault, IOException {
        try {
            session.execute(format.copy(statement, file.path().toString()));
        } catch (DuckFault e) {
            FileSystemException fault = e.unwritten();
            if (fault == null || !fault.getFile().endsWith("" + file.path().getFileName())) {
                throw e;
            }
            throw file.unwritten(fault);
        }
    }

    private void draw(SqlSession session, String statement) throws DuckFault, Failure, IOException {
        List<String> names = new ArrayList<>();
        List<Object[]> rows = new ArrayList<>();
        try {
            session.query(statement, result -> {
                names.addAll(result.names());
                result.rows(row -> SqlChart.add(rows, row));
            });
        } catch (IllegalStateException e) {
            throw new Failure(Status.USAGE, e.getMessage() + ".", e);
        }
        if (rows.isEmpty()) {
            throw new Failure(Status.FAILED, "the query has no rows to draw.");
        }
        file.out().write(chart.draw(statement, names, rows).getBytes(StandardCharsets.UTF_8));
    }

    /** Shows what has been written so far, at a prompt; what follows does not stand behind it. */
    public void show() throws IOException {
        flush();
        written = false;
    }

    /** Hands over what has been written so far. */
    public void flush() throws IOException {
        file.out().flush();
    }

    /** Writes the rows as a table, or several; but for plans, which DuckDB draws. */
    private void print(DuckResult result) {
        if (!result.names().equals(PLAN)) {
            TextTable text = new TextTable(coloured, width);
            ResultTable.each(result, ROWS, table -> print(text.render(table)));
            return;
        }
        StringBuilder plan = new StringBuilder();
        result.rows(row -> plan.append(String.valueOf(row[1]).stripTrailing()).append('\n'));
        print(plan.toString());
    }

    private void print(String text) {
        try {
            String between = written ? "\n" : "";
            written = true;
            file.out().write((between + text).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
