package dev.madt.duckdb;

import java.util.List;
import java.util.Map;

/** A table whose rows are made in Java while a query reads them. */
public interface TableSource {
    /**
     * A column.
     *
     * @param type INTEGER, BIGINT or TEXT
     */
    record Column(String name, DuckType type) {}

    /** The columns, always the same. */
    List<Column> columns();

    /** Names of the arguments that a query may give, all of them texts. */
    default List<String> arguments() {
        return List.of();
    }

    /**
     * Begins to read the table; called once for each time that a query has it.
     *
     * @param asked indexes of the columns that the query needs, in the order of the vectors to fill
     * @param arguments those that the query gives
     * @throws IllegalArgumentException with a sentence for the user
     */
    Rows open(int[] asked, Map<String, String> arguments);

    /** The rows of one reading. Calls come one after the other, perhaps from several threads. */
    interface Rows extends AutoCloseable {
        /**
         * Gives the next rows.
         *
         * @return false at the end
         * @throws IllegalStateException with a sentence for the user
         */
        boolean next(DuckRows to);

        /** Ends the reading, wherever it is. */
        @Override
        void close();
    }
}
