package dev.madt.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class TemporaryFolderTest {
    private static final String PLACE = "java.io.tmpdir";

    @Test
    void shouldSayWhereItCannotBeAndWhatHelps() {
        String before = System.setProperty(PLACE, "/nonexistent");
        try {
            IOException failure = assertThrows(IOException.class, TemporaryFolder::new);
            assertEquals(
                    "cannot make a temporary folder in /nonexistent: no such file or directory;"
                            + " TMPDIR=FOLDER names another place for it",
                    Reason.of(failure));
        } finally {
            System.setProperty(PLACE, before);
        }
    }
}
