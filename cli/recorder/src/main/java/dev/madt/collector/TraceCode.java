package dev.madt.collector;

import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.line.CodeWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Code words of the buffer on their way into a trace: each becomes that of a call, whose symbol and
 * source line are defined first.
 */
final class TraceCode {
    private final ModuleTable modules;
    private final TraceFrames frames;
    private final CodeWords calls = new CodeWords(this::defineCall);
    private final CodeWords chainCalls = new CodeWords(this::defineChainCall);
    private final GoSites goSites = new GoSites(this::functionName);
    /** By the numbers of chains' nodes, the calls. */
    private final LongArrayList nodes = new LongArrayList();

    private final CodeWords allocations = new CodeWords(this::defineAllocation);

    TraceCode(ModuleTable modules, TraceFrames frames) {
        this.modules = modules;
        this.frames = frames;
    }

    /** The call before a return address, which the trace knows from here on. */
    long call(long word) {
        return calls.code(word);
    }

    /** The allocating call before a return address, which the trace knows from here on. */
    long allocation(long word) {
        return allocations.code(word);
    }

    /** The call of a chain before a return address, or what a handler interrupted. */
    long chainCall(TraceEvent.ChainNode node) {
        long code = chainCalls.code(node.code());
        goSites.node(node, code);
        if (node.node() == nodes.size() + 1 && frames.notes() != null) {
            nodes.add(CodeWord.inside(code));
            if (node.outer() > 0 && node.outer() < node.node()) {
                frames.notes().caller(CodeWord.inside(code), nodes.get((int) node.outer() - 1));
            }
        }
        return code;
    }

    /** The block of Go's that an event tells of, by the call that users mean. */
    TraceEvent.Allocation ofGo(TraceEvent.Allocation event) {
        if (frames.notes() != null) {
            frames.notes().goType(event.goType());
        }
        return goSites.ofUser((TraceEvent.Allocation) event.by(callBefore(event.code())));
    }

    private String functionName(long code) {
        LoadedModule module = modules.at(code);
        ElfSymbol function = module == null ? null : module.function(code);
        return function == null ? null : function.name();
    }

    /** The call before a return address of any function, or what was interrupted there. */
    long callBefore(long word) {
        return chainCalls.code(word);
    }

    /** A function of which the trace knows the name from here on. */
    void function(long entry) {
        frames.define(entry);
    }

    /** The call before a return address of an allocator by another name. */
    long namedCall(long word) {
        return chainCalls.code(word);
    }

    /** The same, which allocated. */
    long namedAllocation(long word) {
        long code = namedCall(word);
        note(code);
        return code;
    }

    /** A call that the parent's trace knows, which allocated. */
    void inherited(long code) {
        frames.define(code);
        note(code);
    }

    /** Forgets what was known of code that comes or goes, in front of the event's change. */
    void change(TraceEvent event) {
        if (event instanceof TraceEvent.ModuleUnload gone && frames.notes() != null) {
            frames.notes().forget(gone.start(), gone.start() + gone.size());
        }
        if (event.type() == RingEventType.MODULE_UNLOAD
                || event.type() == RingEventType.MODULE_LOAD) {
            frames.encoder().forgetCodes();
            calls.forget();
            chainCalls.forget();
            allocations.forget();
        }
    }

    private long defineCall(long word) {
        long code = modules.callAddress(word);
        frames.define(code);
        return code;
    }

    private long defineChainCall(long word) {
        long code = modules.callBefore(word);
        frames.define(code);
        return code;
    }

    private long defineAllocation(long word) {
        long code = calls.code(word);
        note(code);
        return code;
    }

    private void note(long code) {
        if (frames.notes() != null) {
            frames.notes().allocation(CodeWord.inside(code));
        }
    }

    /**
     * Says which call of a chain allocates for Go's users: the innermost one outside of Go's
     * runtime, whose own functions ({@code runtime.newobject}, {@code runtime.growslice} …)
     * compilers put there. Of what the runtime has for itself it is the innermost one outside of
     * those.
     */
    static final class GoSites {
        private static final Pattern FOR_COMPILERS = Pattern.compile(
                "runtime\\.(?:newobject|newarray|growslice|make(?:slice|chan|map).*|raw(?:string"
                        + "|byte"
                        + "|rune).*|convT.*|mapassign.*|concatstring.*|persistentalloc.*"
                        + "|(?:slice)?(?:byte|rune|string).*to.*(?:string|slice).*)");

        /** Functions of the runtime that other packages give their names. */
        private static final Pattern IN_OTHER_NAMES =
                Pattern.compile("reflect\\.(?:unsafe_New.*|makechan|makemap|mapassign.*|mapclone)"
                        + "|internal/reflectlite\\.unsafe_New.*|internal/bytealg\\.MakeNoZero");

        private final LongFunction<String> names;
        /** By the numbers of nodes, from 1 on. */
        private final LongArrayList calls = LongArrayList.newListWith(0);

        private final IntArrayList outers = IntArrayList.newListWith(0);
        /** The nodes of the calls for users; 0: nobody has asked yet. */
        private final IntArrayList sites = IntArrayList.newListWith(0);

        /** @param names of the functions around code addresses; null where none is known */
        GoSites(LongFunction<String> names) {
            this.names = names;
        }

        /** A node of a chain has come; {@code call}: its code word as the trace has it. */
        void node(TraceEvent.ChainNode node, long call) {
            if (node.node() == calls.size()) {
                boolean known = node.outer() > 0 && node.outer() < node.node();
                calls.add(call);
                outers.add(known ? (int) node.outer() : 0);
                sites.add(0);
            }
        }

        /** The event by the call that users mean, which its chain begins with from here on. */
        TraceEvent.Allocation ofUser(TraceEvent.Allocation event) {
            long chain = event.chain();
            if (chain <= 0 || chain >= calls.size()) {
                return event;
            }
            int site = site((int) chain);
            return new TraceEvent.Allocation(
                    event.type(),
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.word2(),
                    site,
                    calls.get(site));
        }

        private int site(int node) {
            if (sites.get(node) == 0) {
                int outer = outside(node, GoSites::isRuntime);
                int inRuntime = outer == 0 ? outside(node, GoSites::isForCompilers) : outer;
                sites.set(node, inRuntime == 0 ? node : inRuntime);
            }
            return sites.get(node);
        }

        /** Returns the innermost node that is not by such functions; 0: there is none. */
        private int outside(int node, Predicate<String> these) {
            int outer = node;
            while (outer != 0 && these.test(names.apply(CodeWord.inside(calls.get(outer))))) {
                outer = outers.get(outer);
            }
            return outer;
        }

        private static boolean isForCompilers(String function) {
            return function != null && FOR_COMPILERS.matcher(function).matches();
        }

        private static boolean isRuntime(String function) {
            return function != null
                    && (IN_OTHER_NAMES.matcher(function).matches()
                            || function.startsWith("runtime.")
                            || function.startsWith("runtime/internal/")
                            || function.startsWith("internal/runtime/"));
        }
    }
}
