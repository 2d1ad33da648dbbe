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
    private static final String OFFERS = " offers";

    private final String text;
    private final Map<String, List<String>> forms = new LinkedHashMap<>();
    /** By functions, the names of those that are offered where they are hot. */
    private final Map<String, String> offers = new LinkedHashMap<>();

    private AllocatorPresets(String text) {
        this.text = text;
        List<String> current = new ArrayList<>();
        String name = "";
        for (String line : text.split("\n")) {
            String form = line.replaceFirst("#.*", "").strip();
            if (form.startsWith("[")) {
                current = new ArrayList<>();
                name = form.substring(1, form.indexOf(']'));
                forms.put(name, current);
            } else if (form.endsWith(OFFERS)) {
                offers.put(form.substring(0, form.length() - OFFERS.length()), name);
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

    /**
     * Returns the name of an allocator which cuts its blocks out of larger ones, that a program has
     * in which a function is hot; null: none is known.
     *
     * @param function as the linker names it
     */
    public String offeredBy(String function) {
        return offers.get(function);
    }

    Collection<String> names() {
        return forms.keySet();
    }

    /** Null: there is no such allocator. */
    List<String> forms(String name) {
        return forms.get(name);
    }
}
