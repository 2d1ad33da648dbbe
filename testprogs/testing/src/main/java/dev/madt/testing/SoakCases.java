package dev.madt.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Gives more cases of a parametrised test or class, in the soak profile alone; what every
 * verification runs stands in another source beside this one. Several arguments of a case are
 * separated by commas: nothing between two is null, and a pair of single quotes is empty text.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ArgumentsSource(SoakCases.Cases.class)
public @interface SoakCases {
    /** Holds the cases. */
    String[] value();

    /** Returns the cases if they are to run. */
    final class Cases implements ArgumentsProvider, AnnotationConsumer<SoakCases> {
        private String[] cases = {};

        @Override
        public void accept(SoakCases annotation) {
            cases = annotation.value();
        }

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            return Tier.SOAK ? cases(parameters.getAll().size()) : Stream.empty();
        }

        Stream<Arguments> cases(int parameters) {
            return Arrays.stream(cases)
                    .map(text -> Arguments.of(parameters == 1 ? new Object[] {text} : cells(text)));
        }

        private static Object[] cells(String text) {
            return Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(cell -> cell.isEmpty() ? null : cell.equals("''") ? "" : cell)
                    .toArray();
        }
    }
}
