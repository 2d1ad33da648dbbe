package dev.madt.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.types.StructType;

/** One reading of a table by a query: where it is cut, and who reads the parts. */
final class TraceScan implements Scan, Batch {
    private final TraceOptions options;
    private final StructType columns;
    private final PushedFilters filters;

    TraceScan(TraceOptions options, StructType columns, PushedFilters filters) {
        this.options = options;
        this.columns = columns;
        this.filters = filters;
    }

    @Override
    public StructType readSchema() {
        return columns;
    }

    @Override
    public String description() {
        return MadtSource.NAME + "." + options.table() + " columns: "
                + Arrays.toString(columns.fieldNames())
                + ", pushed: " + Arrays.toString(filters.taken());
    }

    @Override
    public Batch toBatch() {
        return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
        int cores = SparkSession.active().sparkContext().defaultParallelism();
        return new SplitPlan(filters, options.splits(cores))
                .splits(options.files())
                .toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
        List<String> all = List.of(options.schema().fieldNames());
        int[] asked = Arrays.stream(columns.fieldNames()).mapToInt(all::indexOf).toArray();
        return new SplitReaderFactory(options.table(), asked, options.reading());
    }
}
