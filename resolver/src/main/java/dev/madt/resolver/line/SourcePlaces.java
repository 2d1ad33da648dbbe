package dev.madt.resolver.line;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.SourceLevel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Source places of code addresses as lines print them; {@code ?} where the trace knows none. */
final class SourcePlaces {
    private static final byte[] UNKNOWN = ",?".getBytes(StandardCharsets.UTF_8);

    private final LineDetail detail;
    private final LongObjectHashMap<byte[]> places = new LongObjectHashMap<>();
    /** Of calls whose innermost code is inlined from a header of the system. */
    private final LongObjectHashMap<byte[]> own = new LongObjectHashMap<>();

    SourcePlaces(LineDetail detail) {
        this.detail = detail;
    }

    /** Notes where an address comes from; true if lines say it. */
    boolean put(Definition.Source known) {
        long code = known.code();
        List<SourceLevel> levels = known.levels();
        boolean said = detail.source() != LineDetail.Source.NONE && !levels.isEmpty();
        if (said) {
            places.put(code, ("," + text(levels)).getBytes(StandardCharsets.UTF_8));
            own.remove(code);
            SourceLevel level = OwnSource.USUAL.own(levels, known.callers());
            if (level != levels.get(0) && detail.source() != LineDetail.Source.CHAIN) {
                own.put(code, ("," + place(level)).getBytes(StandardCharsets.UTF_8));
            }
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

    /** As {@link #append}; of a call that allocates the line that reports have. */
    void appendOwn(LineBuffer line, long word) {
        byte[] place = own.get(CodeWord.inside(word));
        if (place == null) {
            append(line, word);
        } else {
            line.text(place);
        }
    }

    private static String place(SourceLevel level) {
        String file = level.file().substring(level.file().lastIndexOf('/') + 1);
        return file.isEmpty() ? "?" : level.line() > 0 ? file + ":" + level.line() : file;
    }

    private String text(List<SourceLevel> levels) {
        String place = place(levels.get(0));
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
