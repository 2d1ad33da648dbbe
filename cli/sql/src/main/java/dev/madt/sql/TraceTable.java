package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import java.util.Map;

/** A table whose rows are made of traces. */
interface TraceTable extends TableSource {
    @Override
    TableScan open(int[] asked, Map<String, String> arguments);
}
