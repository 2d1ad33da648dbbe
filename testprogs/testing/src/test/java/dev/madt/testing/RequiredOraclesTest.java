package dev.madt.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.opentest4j.TestAbortedException;

class RequiredOraclesTest {
    private static final Invocation<Void> NO_TOOL = () -> {
        assumeTrue(false, "no frobnicator");
        return null;
    };
    private static final Invocation<Void> PERMITTED = () -> {
        assumeTrue(false, "no user namespaces: Operation not permitted");
        return null;
    };

    /** Holds what the extension looks at; never run as tests. */
    @Soak
    private static final class Long {}

    @EnabledIfSystemProperty(named = "madt.soak", matches = "true")
    private static final class ByTheProfilesProperty {}

    @EnabledIfSystemProperty(named = "user.name", matches = "root")
    private static final class ByProperty {}

    @EnabledIfEnvironmentVariable(named = "HOME", matches = "/root")
    @EnabledIfEnvironmentVariable(named = "USER", matches = "root")
    private static final class ByEnvironment {}

    @DisabledOnOs(OS.MAC)
    private static final class BySystem {}

    @Test
    void shouldFailWhereOraclesAreRequired() {
        RequiredOracles strict = new RequiredOracles(true);
        AssertionError error = assertThrows(
                AssertionError.class, () -> strict.interceptTestMethod(NO_TOOL, null, null));
        assertEquals(
                "would be skipped, but madt.require.oracles is set: Assumption failed: no"
                        + " frobnicator",
                error.getMessage());
        assertThrows(
                AssertionError.class,
                () -> strict.interceptTestTemplateMethod(NO_TOOL, null, null));
        assertThrows(
                AssertionError.class, () -> strict.interceptBeforeAllMethod(NO_TOOL, null, null));
        assertThrows(
                AssertionError.class, () -> strict.interceptBeforeEachMethod(NO_TOOL, null, null));
        assertThrows(
                AssertionError.class, () -> strict.interceptTestFactoryMethod(NO_TOOL, null, null));
        assertThrows(AssertionError.class, () -> strict.interceptDynamicTest(NO_TOOL, null, null));
        assertThrows(
                AssertionError.class,
                () -> strict.interceptTestClassConstructor(NO_TOOL, null, null));
        assertThrows(
                AssertionError.class,
                () -> strict.interceptTestMethod(
                        () -> {
                            throw new TestAbortedException();
                        },
                        null,
                        null));
    }

    @Test
    void shouldSkipWhereTheyAreNot() {
        assertThrows(TestAbortedException.class, () -> new RequiredOracles(false)
                .interceptTestMethod(NO_TOOL, null, null));
    }

    @Test
    void shouldPermitWhatTheListHas() {
        assertThrows(TestAbortedException.class, () -> new RequiredOracles(true)
                .interceptTestMethod(PERMITTED, null, null));
    }

    @Test
    void shouldRefuseConditionsInAnnotations() {
        assertDoesNotThrow(() -> RequiredOracles.refuseConditions(Long.class));
        for (Class<?> conditional : new Class<?>[] {
            ByTheProfilesProperty.class, ByProperty.class, ByEnvironment.class, BySystem.class
        }) {
            AssertionError error = assertThrows(
                    AssertionError.class, () -> RequiredOracles.refuseConditions(conditional));
            assertTrue(
                    error.getMessage().contains(conditional.getSimpleName()), error.getMessage());
        }
    }

    @Test
    void shouldBeFoundByJUnit() {
        assertTrue(ServiceLoader.load(Extension.class).stream()
                .anyMatch(found -> found.type() == RequiredOracles.class));
    }
}
