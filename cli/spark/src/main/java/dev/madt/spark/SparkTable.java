package dev.madt.spark;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A table of some traces, as Spark sees it. */
final class SparkTable implements SupportsRead {
    private final TraceOptions options;

    SparkTable(TraceOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return MadtSource.NAME + "." + options.table();
    }

    @Override
    @Deprecated
    public StructType schema() {
        return options.schema();
    }

    @Override
    public Set<TableCapability> capabilities() {
        return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap asked) {
        return new TraceScanBuilder(options);
    }
}
