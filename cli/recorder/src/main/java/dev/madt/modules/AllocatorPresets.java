package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.TextResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The allocators that {@code --alloc} knows by a name: {@code allocators.txt}, which users read,
 * too.
 */
public final class AllocatorPresets {
    private static final String FILE = "allocators.txt";

    private final String text;
    private final Map<String, List<String>> forms = new LinkedHashMap<>();

    private AllocatorPresets(String text) {
        this.text = text;
        List<String> current = new ArrayList<>();
        for (String line : text.split("\n")) {
            String form = line.replaceFirst("#.*", "").strip();
            if (form.startsWith("[")) {
                current = new ArrayList<>();
                forms.put(form.substring(1, form.indexOf(']')), current);
            } else if (!form.isEmpty()) {
                current.add(form);
            }
        }
    }

    /** Reads them. */
    public static AllocatorPresets read(int status) throws Failure {
        try {
            return new AllocatorPresets(TextResource.read(AllocatorPresets.class, FILE));
        } catch (IOException e) {
            throw new Failure(status, e.getMessage(), e);
        }
    }

    /** As they stand in the file. */
    public String text() {
        return text;
    }

    Collection<String> names() {
        return forms.keySet();
    }

    /** Null: there is no such allocator. */
    List<String> forms(String name) {
        return forms.get(name);
    }
}
