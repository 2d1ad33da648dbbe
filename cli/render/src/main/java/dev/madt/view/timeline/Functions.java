package dev.madt.view.timeline;

import dev.madt.view.calls.CallFunction;
import dev.madt.view.calls.CallProfile;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The functions of a timeline, numbered in the order of their first calls. */
public final class Functions {
    private final CallProfile profile;
    private final List<CalledFunction> all = new ArrayList<>();
    private final Map<CallFunction, CalledFunction> known = new IdentityHashMap<>();

    /** @param profile where the costs of all calls are counted */
    public Functions(CallProfile profile) {
        this.profile = profile;
    }

    CalledFunction of(String name, String module) {
        return known.computeIfAbsent(profile.function(name, module), cost -> {
            CalledFunction function = new CalledFunction(all.size(), cost);
            all.add(function);
            return function;
        });
    }

    CallProfile profile() {
        return profile;
    }

    List<CalledFunction> all() {
        return all;
    }
}
