package dev.madt.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Marks tests that only the soak profile runs. What they test has a smaller test in every
 * verification.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Soak.Profile.class)
public @interface Soak {
    /** Lets the test run in the soak profile. */
    final class Profile implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return Tier.SOAK
                    ? ConditionEvaluationResult.enabled("soak profile")
                    : ConditionEvaluationResult.disabled("runs in the soak profile");
        }
    }
}
