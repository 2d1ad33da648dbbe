package dev.madt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The launcher names methods to the JVM, which says nothing of those that it does not find. */
class OutlinedMethodsTest {
    private static final Pattern METHOD = Pattern.compile("([a-z.]+\\.[A-Z]\\w*)::(\\w+)");

    @Test
    void shouldNameMethodsThatExist() throws Exception {
        Matcher named = METHOD.matcher(Files.readString(Path.of("..", "..", "madt")));
        int found = 0;
        while (named.find()) {
            Class<?> owner = Class.forName(
                    "dev.madt." + named.group(1), false, getClass().getClassLoader());
            assertTrue(
                    Arrays.stream(owner.getDeclaredMethods())
                            .anyMatch(method -> method.getName().equals(named.group(2))),
                    named.group());
            found++;
        }
        assertTrue(found > 5, "methods: " + found);
    }
}
