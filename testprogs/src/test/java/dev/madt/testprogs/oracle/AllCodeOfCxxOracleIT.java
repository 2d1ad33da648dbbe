package dev.madt.testprogs.oracle;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All code of C++ programs: containers, exceptions, every form of new, streams, threads. */
class AllCodeOfCxxOracleIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "containers,false",
        "cxxthreads,false",
        "exceptions,false",
        "news,true",
        "streams,false"
    })
    void shouldRecordEveryAccessOfAllCodeAndNoOther(String name, boolean trapToo) throws Exception {
        AllCodeOracleIT.agree(directory, name, trapToo);
    }
}
