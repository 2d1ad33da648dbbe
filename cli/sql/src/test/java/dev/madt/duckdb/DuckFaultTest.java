package dev.madt.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class DuckFaultTest {
    @Test
    void shouldSayWhichFileCouldNotBeWritten() {
        for (String text : new String[] {
            "IO Error: Async write failed for range [offset=146, size=428173]:"
                    + " {\"exception_type\":\"IO\",\"exception_message\":\"Could not write file"
                    + " \\\"disk/tmp_q.csv.part27717\\\": No space left on device\","
                    + "\"errno\":\"28\"}",
            "IO Error: Could not write file \"disk/tmp_q.csv.part27717\": No space left on device"
        }) {
            FileSystemException fault = new DuckFault(text).unwritten();
            assertEquals("disk/tmp_q.csv.part27717", fault.getFile());
            assertEquals("No space left on device", fault.getReason());
        }
        assertNull(new DuckFault("IO Error: Cannot open file \"q\": Is a directory").unwritten());
        assertNull(new DuckFault("Parser Error: syntax error at or near \"x\"").unwritten());
    }
}
