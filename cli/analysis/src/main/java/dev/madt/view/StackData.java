package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.FrameName;
import dev.madt.resolver.line.FramePlace;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.OpenFrames;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * The variables on stacks as data objects: one for each variable and frame address. Accesses are
 * followed in their order, each in front of the question what it is to.
 */
final class StackData {
    /** Deep recursion brings ever new frame addresses. */
    private static final int MOST = 1 << 16;

    private final OpenFrames frames;
    private final MemberTypes types;
    private final Map<FrameName, LongObjectHashMap<DataObject>> objects = new HashMap<>();
    private final long[] begin = new long[1];
    private final AddressStates states;
    private long version;
    private int made;
    private int thread;

    /** @param states is told of ranges that turn out to be stacks, and of other open frames */
    StackData(AddressSpace space, MemberTypes types, AddressStates states) {
        this.frames = new OpenFrames(space, true, states::changed);
        this.types = types;
        this.states = states;
    }

    private void told() {
        if (version != frames.version()) {
            version = frames.version();
            states.framesChanged();
        }
    }

    /** Returns whether nothing is known of any frame. */
    boolean isEmpty() {
        return frames.isEmpty();
    }

    void define(Definition definition) {
        frames.define(definition);
    }

    /** The label of the region of an address if it is a stack of the kernel's; or null. */
    String plain(long address) {
        return frames.isEmpty() ? null : frames.stackLabel(address);
    }

    /** Follows a record. */
    void record(int byThread, RecordTemplate template, long[] words, int from) {
        thread = byThread;
        frames.record(byThread, template, words, from);
        told();
    }

    /** Follows an access. */
    void access(int byThread, AccessSite site, long address) {
        thread = byThread;
        frames.access(byThread, site, address);
        told();
    }

    /** Follows a bulk transfer. */
    void transfer(int byThread) {
        thread = byThread;
        frames.transfer(byThread);
        told();
    }

    /** Returns whether what a place accesses at an address may have another name the next time. */
    boolean varies(Place place, long address) {
        return place.frame() == AccessSite.NO_FRAME
                && frames.isStack(thread, address)
                && (place.site() == null || frames.place(place.site()) == null);
    }

    /** The variable at an address that a call of a thread is given; null if none is known. */
    DataObject given(int byThread, Place call, long address, String region) {
        FrameName name = frames.name(byThread, call.address(), address, begin);
        return name == null ? null : of(name, begin[0] + name.offset(), region);
    }

    /** The variable at an address, where the rest of a region is; null if none is known. */
    DataObject at(Place code, long address, String region) {
        AccessSite site = code.site();
        if (site == null) {
            FrameName name = frames.name(thread, code.address(), address, begin);
            return name == null ? null : of(name, begin[0] + name.offset(), region);
        }
        FramePlace place = frames.place(site);
        if (place != null) {
            return of(place.name(), address - place.offset(), region);
        }
        if (site.frame() != AccessSite.NO_FRAME) {
            return null;
        }
        FrameName name = frames.name(thread, site, address, begin);
        return name == null ? null : of(name, begin[0] + name.offset(), region);
    }

    private DataObject of(FrameName name, long start, String region) {
        LongObjectHashMap<DataObject> ofName = objects.get(name);
        DataObject object = ofName == null ? null : ofName.get(start);
        return object == null ? make(name, start, region) : object;
    }

    private DataObject make(FrameName name, long start, String region) {
        if (made++ >= MOST) {
            objects.clear();
            made = 0;
        }
        DataObject object = DataObject.local(name, start, region, types.nameOf(name.type()));
        objects.computeIfAbsent(name, absent -> new LongObjectHashMap<>()).put(start, object);
        return object;
    }
}
