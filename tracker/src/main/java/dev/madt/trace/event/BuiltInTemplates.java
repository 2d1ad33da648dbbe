package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;

/**
 * Says what the built-in templates stand for: each a {@link RecordTemplate} without sites, but for
 * accesses of code without a map, of which {@link UnknownCode} has a template with one site for
 * each place.
 */
public final class BuiltInTemplates {
    /**
     * Number that no trace has: its one word is how many accesses were made that nobody wants
     * ({@link RecordTemplate#isUnwanted}).
     */
    public static final int PASSED = -1;

    private static final RecordTemplate PASSED_ACCESSES =
            new RecordTemplate(PASSED, new AccessSite[0]);
    private static final RecordTemplate[] TEMPLATES =
            new RecordTemplate[SharedLayout.TEMPLATE_FIRST_MODULE];

    static {
        for (int i = 0; i < TEMPLATES.length; i++) {
            TEMPLATES[i] = new RecordTemplate(i, new AccessSite[0]);
        }
    }

    private BuiltInTemplates() {}

    public static RecordTemplate of(int number) {
        return number == PASSED ? PASSED_ACCESSES : TEMPLATES[number];
    }

    /**
     * Words that say all of one of these templates; those of a ring event are told by the event.
     */
    public static int words(int number) {
        return switch (number) {
            case SharedLayout.TEMPLATE_COPY -> 4;
            case SharedLayout.TEMPLATE_STORE, SharedLayout.TEMPLATE_FETCH -> 3;
            case SharedLayout.TEMPLATE_LOAD_UNKNOWN, SharedLayout.TEMPLATE_WRITE_UNKNOWN -> 2;
            case SharedLayout.TEMPLATE_THREAD, PASSED -> 1;
            default -> 0;
        };
    }

    /**
     * Makes the call for a bulk transfer or an access of code without a map; its words stand from
     * {@code at} on.
     */
    public static void give(
            EventConsumer consumer,
            long number,
            int thread,
            RecordTemplate template,
            long[] words,
            int at) {
        switch (template.number()) {
            case SharedLayout.TEMPLATE_COPY ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.COPY,
                        words[at + 1],
                        words[at + 2],
                        words[at + 3],
                        words[at]);
            case SharedLayout.TEMPLATE_STORE ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.STORE,
                        words[at + 1],
                        0,
                        words[at + 2],
                        words[at]);
            case SharedLayout.TEMPLATE_FETCH ->
                consumer.block(
                        number,
                        thread,
                        BlockKind.FETCH,
                        words[at + 1],
                        0,
                        words[at + 2],
                        words[at]);
            case SharedLayout.TEMPLATE_LOAD_UNKNOWN ->
                consumer.access(number, thread, template.site(0), false, words[at + 1]);
            case SharedLayout.TEMPLATE_WRITE_UNKNOWN ->
                consumer.access(number, thread, template.site(0), true, words[at + 1]);
            default -> {}
        }
    }
}
