package dev.madt.testprogs.oracle;

import dev.madt.testing.SoakCases;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All code of C++ programs: containers, exceptions, every form of new, streams, threads. */
class AllCodeOfCxxOracleIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"exceptions,false", "news,true"})
    @SoakCases({"containers,false", "cxxthreads,false", "streams,false"})
    void shouldRecordEveryAccessOfAllCodeAndNoOther(String name, boolean trapToo) throws Exception {
        AllCodeOracleIT.agree(directory, name, trapToo);
    }
}
