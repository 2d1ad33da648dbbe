package dev.madt.duckdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

class DuckFaultTest {
    @Test
    void shouldSayWhichRoomWasTooLittle() {
        String advice = "\n\nPossible solutions:\n* Reducing the number of threads (SET threads=X)";
        DuckFault memory =
                new DuckFault("Out of Memory Error: failed to pin block of size 256.0 KiB"
                        + " (19.8 MiB/20.0 MiB used)" + advice);
        DuckFault files = new DuckFault("Out of Memory Error: failed to offload data block of size"
                + " 32.0 KiB (896.0 KiB/921.5 KiB used).\nThis limit was set by the"
                + " 'max_temp_directory_size' setting." + advice);
        assertTrue(memory.isOfMemory());
        assertFalse(memory.isOfTemporaryFiles());
        assertEquals("20.0 MiB", memory.limit());
        assertTrue(files.isOfTemporaryFiles());
        assertEquals("921.5 KiB", files.limit());
        assertNull(new DuckFault("Out of Memory Error: Allocation failure").limit());
        assertFalse(new DuckFault("Parser Error: (1/2 used)").isOfMemory());
    }

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
