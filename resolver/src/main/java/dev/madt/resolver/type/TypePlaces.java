package dev.madt.resolver.type;

import java.util.HashMap;
import java.util.Map;

/**
 * Tells types of one name apart by where they are declared: the first one keeps the name, others
 * have their place behind it, {@code struct node {list.c:12}}. A header that two compilers found
 * in different folders declares the same types. All modules of a session share this, so that a
 * name means one type in all traces of the session.
 */
public final class TypePlaces {
    /** Holds what stands for a place that is not known. */
    public static final String UNKNOWN = "…";

    private final Map<String, String> first = new HashMap<>();

    /**
     * The name of a type, told apart from others.
     *
     * @param place file and line of its declaration, or {@link #UNKNOWN}
     */
    public synchronized String told(String name, String place) {
        if (place.equals(UNKNOWN)) {
            return name;
        }
        String known = first.putIfAbsent(name, place);
        return known == null || known.equals(place) ? name : name + " {" + place + "}";
    }
}
