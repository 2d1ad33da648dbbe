package dev.madt.spark;

import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** Lets Spark read traces: {@code spark.read().format("madt").load("folder")}. */
public final class MadtSource implements TableProvider, DataSourceRegister {
    /** Its name in Spark. */
    static final String NAME = "madt";

    @Override
    public String shortName() {
        return NAME;
    }

    @Override
    public StructType inferSchema(CaseInsensitiveStringMap options) {
        return new TraceOptions(options).schema();
    }

    @Override
    public Table getTable(
            StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return new SparkTable(new TraceOptions(new CaseInsensitiveStringMap(properties)));
    }
}
