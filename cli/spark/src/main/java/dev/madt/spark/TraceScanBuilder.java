package dev.madt.spark;

import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownFilters;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;

/** Takes which columns and rows of a table a query needs. */
final class TraceScanBuilder
        implements ScanBuilder, SupportsPushDownRequiredColumns, SupportsPushDownFilters {
    private final TraceOptions options;
    private final PushedFilters filters;
    private StructType columns;

    TraceScanBuilder(TraceOptions options) {
        this.options = options;
        this.filters = new PushedFilters(options.table());
        this.columns = options.schema();
    }

    @Override
    public void pruneColumns(StructType required) {
        columns = required;
    }

    /** All of them are Spark's, too: what is read may be more than they let through. */
    @Override
    public Filter[] pushFilters(Filter[] conditions) {
        for (Filter condition : conditions) {
            filters.take(condition);
        }
        return conditions;
    }

    @Override
    public Filter[] pushedFilters() {
        return filters.taken();
    }

    @Override
    public Scan build() {
        return new TraceScan(options, columns, filters);
    }
}
