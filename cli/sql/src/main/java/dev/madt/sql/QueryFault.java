package dev.madt.sql;

import dev.madt.console.Failure;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import dev.madt.duckdb.DuckFault;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Says why a query could not be carried out: what, where, and what helps. */
public final class QueryFault {
    private static final String ELSEWHERE = "TMPDIR=FOLDER names another place for them";

    private QueryFault() {}

    /** Returns the fault for the user, with what DuckDB knows of what was meant. */
    public static Failure of(DuckFault fault) {
        FileSystemException unwritten = fault.unwritten();
        if (fault.isOfTemporaryFiles()) {
            return new Failure(Status.FAILED, ofTemporaryFiles(fault), fault);
        }
        if (fault.isOfMemory()) {
            return new Failure(Status.FAILED, ofMemory(fault), fault);
        }
        if (unwritten != null) {
            return new Failure(Status.FAILED, unwritten(unwritten), fault);
        }
        return fault.isOfQuery()
                ? new Failure(Status.USAGE, "the query has a fault. " + fault.reason(), fault)
                : new Failure(Status.FAILED, fault.reason(), fault);
    }

    private static String ofTemporaryFiles(DuckFault fault) {
        return "the query needs more than the " + limit(fault, "room") + " that its temporary files"
                + " may take in " + temporary() + ": " + ELSEWHERE
                + ", and --memory SIZE keeps more in memory.";
    }

    private static String ofMemory(DuckFault fault) {
        return "the query needs more than the " + limit(fault, "memory") + " that it may use."
                + " Allow more: --memory SIZE.";
    }

    private static String limit(DuckFault fault, String otherwise) {
        String limit = fault.limit();
        return limit == null ? otherwise : limit;
    }

    private static String unwritten(FileSystemException fault) {
        Path file = Path.of(fault.getFile());
        String sentence = Reason.unwritable(file, fault);
        return file.startsWith(temporary())
                ? sentence + " Temporary files need more room: " + ELSEWHERE + "."
                : sentence;
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }
}
