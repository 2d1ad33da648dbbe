package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.trace.file.TraceEnds;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** Makes traces of sqlite3: code and data of a program that nobody wrote for a benchmark. */
final class RecordedSqlite {
    private static final String PROGRAM = "sqlite3";
    /** About so many accesses for each row that the statement below inserts. */
    private static final long ACCESSES_PER_ROW = 2_100;

    private RecordedSqlite() {}

    /** Returns whether the program is installed; says how to install it where it is not. */
    static boolean isThere(PrintStream out) {
        boolean there = InstalledPrograms.has(PROGRAM);
        if (!there) {
            out.println("sqlite3 is not there. Install it with: sudo apt-get install -y sqlite3");
        }
        return there;
    }

    /** Records about so many accesses; returns how many the trace has. */
    static long record(String madt, Path trace, long accesses)
            throws Failure, IOException, InterruptedException {
        long rows = Math.max(1, accesses / ACCESSES_PER_ROW);
        String statement = "create table t(a integer primary key, b text, c integer);"
                + " with recursive n(i) as (select 1 union all select i+1 from n where i<" + rows
                + ") insert into t select i, 'row '||i, (i*7919)%1000 from n;"
                + " create index tc on t(c);"
                + " select c, count(*), sum(a) from t group by c order by 3 desc limit 5;";
        MeasuredProcess.run(List.of(
                madt, "run", "-f", "-o", trace.toString(), "--", PROGRAM, ":memory:", statement));
        return TraceEnds.read(trace).index().accesses();
    }
}
