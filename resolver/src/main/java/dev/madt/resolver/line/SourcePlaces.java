package dev.madt.resolver.line;

import dev.madt.trace.event.SourceLevel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Source places of code addresses as lines print them; {@code ?} where the trace knows none. */
final class SourcePlaces {
    private static final byte[] UNKNOWN = ",?".getBytes(StandardCharsets.UTF_8);

    private final LineDetail detail;
    private final LongObjectHashMap<byte[]> places = new LongObjectHashMap<>();

    SourcePlaces(LineDetail detail) {
        this.detail = detail;
    }

    /** Notes where an address comes from; true if lines say it. */
    boolean put(long code, List<SourceLevel> levels) {
        boolean said = detail.source() != LineDetail.Source.NONE && !levels.isEmpty();
        if (said) {
            places.put(code, ("," + text(levels)).getBytes(StandardCharsets.UTF_8));
        }
        return said;
    }

    /** Appends a comma and the place of a code word, if lines say it. */
    void append(LineBuffer line, long word) {
        if (detail.source() != LineDetail.Source.NONE) {
            byte[] place = places.get(CodeWord.inside(word));
            line.text(place == null ? UNKNOWN : place);
        }
    }

    private String text(List<SourceLevel> levels) {
        SourceLevel inner = levels.get(0);
        String file = inner.file().substring(inner.file().lastIndexOf('/') + 1);
        String place = file.isEmpty() ? "?" : inner.line() > 0 ? file + ":" + inner.line() : file;
        return detail.source() == LineDetail.Source.CHAIN ? functions(levels) + " " + place : place;
    }

    private String functions(List<SourceLevel> levels) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < levels.size(); i++) {
            String name = levels.get(i).function();
            text.append(i == 0 ? "" : i == 1 ? " (inlined in " : ", ");
            text.append(name.isEmpty() ? "?" : detail.levels().demangle(name));
        }
        return levels.size() > 1 ? text.append(')').toString() : text.toString();
    }
}
