package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says how accesses are noticed; the codes are those of {@code enum madt_engine}. */
public enum Engine {
    /** By page faults: exact for one thread, about 20 µs an access. */
    TRAP(SharedLayout.ENGINE_TRAP),
    /** By patched instructions that record themselves, docs/SPLICE.md. */
    SPLICE(SharedLayout.ENGINE_SPLICE);

    private final int code;

    Engine(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Engine::word).toList();
    }

    public static Engine of(String word) throws Failure {
        for (Engine engine : values()) {
            if (engine.word().equals(word)) {
                return engine;
            }
        }
        throw new Failure(
                Status.RUN_FAILED,
                "--engine is trap or splice, not '" + word + "'."
                        + Suggestion.sentence(word, words()));
    }
}
