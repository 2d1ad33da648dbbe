package dev.madt.trace.schema;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.schema.EventSchema.Word;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An event of any type with any words, among them the least and the greatest.
 *
 * @param named what its record is to have, by the names of the schema
 * @param words what it is to have in its places
 */
record RandomEvent(TraceEvent event, Map<String, Object> named, List<Long> words) {
    private static final long[] EXTREMES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};

    static RandomEvent of(EventSchema schema, EventSchema.Event said, Random random) {
        RingEventType type = RingEventType.valueOf(said.name());
        Map<String, Object> named = new HashMap<>(
                Map.of("type", type, "thread", (int) number(random), "epoch", number(random)));
        List<Word> told = schema.words(said.record());
        List<Long> words =
                told.stream().map(word -> word == null ? 0L : number(random)).toList();
        for (int i = 0; i < words.size(); i++) {
            if (told.get(i) != null) {
                named.put(told.get(i).name(), words.get(i));
            }
        }
        String text = said.text().isEmpty() ? "" : "text" + random.nextInt();
        long code = said.coded() ? number(random) : 0;
        if (said.coded()) {
            named.put("code", code);
        }
        if (!text.isEmpty()) {
            named.put(said.text(), text);
        }
        TraceEvent event = TraceEvent.of(
                type,
                (int) named.get("thread"),
                (long) named.get("epoch"),
                words.get(0),
                words.get(1),
                words.get(2),
                words.get(3),
                text,
                code);
        return new RandomEvent(event, named, words);
    }

    private static long number(Random random) {
        return random.nextInt(4) == 0
                ? EXTREMES[random.nextInt(EXTREMES.length)]
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }
}
