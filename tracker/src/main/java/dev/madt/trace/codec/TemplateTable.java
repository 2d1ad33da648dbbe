package dev.madt.trace.codec;

import dev.madt.trace.event.RecordTemplate;
import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The templates by their numbers: every record asks here. Numbers are given from 16 on; large ones,
 * which no engine gives, are hashed.
 */
public final class TemplateTable {
    private static final int MOST_DIRECT = 1 << 20;
    private static final int FIRST = 1 << 10;

    private final IntObjectHashMap<RecordTemplate> large;
    private RecordTemplate[] direct;

    public TemplateTable() {
        large = new IntObjectHashMap<>();
        direct = new RecordTemplate[FIRST];
    }

    private TemplateTable(TemplateTable other) {
        large = new IntObjectHashMap<>(other.large);
        direct = other.direct.clone();
    }

    /** A table of its own that has the same templates. */
    public TemplateTable copy() {
        return new TemplateTable(this);
    }

    public void put(RecordTemplate template) {
        int number = template.number();
        if (number >= MOST_DIRECT) {
            large.put(number, template);
            return;
        }
        if (number >= direct.length) {
            direct = Arrays.copyOf(
                    direct, Math.max(number + 1, Math.min(MOST_DIRECT, 2 * direct.length)));
        }
        direct[number] = template;
    }

    /** The template of a number, from 0; null if there is none. */
    RecordTemplate get(int number) {
        return number < direct.length ? direct[number] : large.get(number);
    }
}
