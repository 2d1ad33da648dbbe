package dev.madt.sql;

import dev.madt.duckdb.TextPool;
import java.util.ArrayList;
import java.util.List;

/** The texts of all tables that a statement reads: they are valid until its result is read. */
final class Pools {
    private final List<TextPool> pools = new ArrayList<>();

    /** Makes a pool, for one thread. */
    synchronized TextPool add() {
        TextPool pool = new TextPool();
        pools.add(pool);
        return pool;
    }

    /** Frees the texts of a statement that is over. */
    synchronized void clear() {
        pools.forEach(TextPool::close);
        pools.clear();
    }
}
