package dev.madt.testing;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/**
 * With {@code -Dmadt.require.oracles=true}, a test that would skip itself fails: a tool or a right
 * that is missing cannot go unnoticed. What may be skipped nevertheless stands in
 * {@link PermittedSkip}; tests that {@link Soak} marks may be as well. JUnit finds this extension
 * by itself, in every module.
 */
public final class RequiredOracles implements InvocationInterceptor, ExecutionCondition {
    private static final String PROPERTY = "madt.require.oracles";

    private final boolean required;

    /** As the system property says. */
    public RequiredOracles() {
        this(areRequired());
    }

    RequiredOracles(boolean required) {
        this.required = required;
    }

    /** For tests that do less where a tool is missing, without skipping themselves. */
    public static boolean areRequired() {
        return Boolean.getBoolean(PROPERTY);
    }

    private <T> T strictly(Invocation<T> invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (TestAbortedException skip) {
            if (required && !PermittedSkip.covers(skip.getMessage())) {
                throw new AssertionError(
                        "would be skipped, but " + PROPERTY + " is set: " + skip.getMessage(),
                        skip);
            }
            throw skip;
        }
    }

    /**
     * Conditions in annotations are evaluated before anything that can be intercepted, so they are
     * refused as such.
     */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (required) {
            context.getElement().ifPresent(RequiredOracles::refuseConditions);
        }
        return ConditionEvaluationResult.enabled(null);
    }

    static void refuseConditions(AnnotatedElement element) {
        for (Annotation annotation : element.getAnnotations()) {
            boolean condition = annotation
                    .annotationType()
                    .getPackage()
                    .equals(EnabledIfSystemProperty.class.getPackage());
            if (condition) {
                throw new AssertionError("could be skipped, but " + PROPERTY + " is set: " + element
                        + " has " + annotation);
            }
        }
    }

    @Override
    public <T> T interceptTestClassConstructor(
            Invocation<T> invocation,
            ReflectiveInvocationContext<Constructor<T>> called,
            ExtensionContext context)
            throws Throwable {
        return strictly(invocation);
    }

    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context)
            throws Throwable {
        strictly(invocation);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context)
            throws Throwable {
        strictly(invocation);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context)
            throws Throwable {
        strictly(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context)
            throws Throwable {
        strictly(invocation);
    }

    @Override
    public <T> T interceptTestFactoryMethod(
            Invocation<T> invocation,
            ReflectiveInvocationContext<Method> called,
            ExtensionContext context)
            throws Throwable {
        return strictly(invocation);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation,
            DynamicTestInvocationContext called,
            ExtensionContext context)
            throws Throwable {
        strictly(invocation);
    }
}
