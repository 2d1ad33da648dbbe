package dev.madt.testprogs.oracle;

import dev.madt.testing.Soak;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More programs: those of src/ that other tests compare by the program's own code. */
@Soak
class AllCodeOracleSoakIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "atomics",
                "bits",
                "dispatch",
                "heap",
                "modify",
                "stringops",
                "strings",
                "tls",
                "vector"
            })
    void shouldRecordEveryAccessOfAllCodeAndNoOther(String name) throws Exception {
        AllCodeOracleIT.agree(directory, name, false);
    }
}
