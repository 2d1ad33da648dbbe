package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script {@code madt} hands over to Java, by a Java that tells it. */
class LauncherScriptIT {
    private static final String TELLING_JAVA = """
            #!/bin/sh
            ls -A "$TMPDIR"
            for argument; do
                case $argument in
                -Dmadt.environment=*) tr '\\0' '\\n' <"${argument#*=}" | grep '^MARK' ;;
                esac
            done
            """;

    @TempDir
    Path directory;

    @Test
    void shouldKeepTheEnvironmentWithoutAFileThatCouldStayBehind() throws Exception {
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        Files.writeString(java, TELLING_JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        ProcessBuilder builder = new ProcessBuilder(MadtRun.launcher().toString(), "run", "true").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", directory.resolve("java").toString());
        builder.environment().put("TMPDIR", temporary.toString());
        builder.environment().put("MARK", "two\nMARK lines");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals("MARK=two\nMARK lines\n", said);
        assertEquals(0, process.waitFor());
    }
}
