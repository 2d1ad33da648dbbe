package dev.madt.view;

import dev.madt.resolver.demangle.ColdCode;
import dev.madt.resolver.line.CodeWord;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says by which calls a process came to each allocation: by the stacks that were unwound there, or
 * else by the calls that are recorded. Constant time for an allocation; memory for the distinct
 * chains.
 */
final class AllocationChains {
    /** No process comes to so many, unless a trace is damaged. */
    private static final int MOST_NODES = 1 << 26;

    private final Places places;
    private final CallChain.SiteRule rule;
    private final boolean whole;
    private final ThreadCalls calls = new ThreadCalls();
    private final MemberTypes types;
    private final Map<Typed, Integer> tagsOfSites = new HashMap<>();
    private int tags = 1;
    private boolean called;
    private boolean unwound;
    private final CallChain start = CallChain.start();
    private final CallChain cut = CallChain.cut();
    /** By the numbers of nodes; null of those that have not come. */
    private Node[] nodes = new Node[16];
    /** Says how many calls of a chain were to be told; traces may hold more. */
    private int wanted = Integer.MAX_VALUE;
    /** The nodes of calls that end mappings, whose own events are still to come. */
    private final Map<MappingEnd, Long> mappingEnds = new HashMap<>();

    /** A call that ends mappings, or moves one. */
    private record MappingEnd(int thread, long old) {}

    /** Tells blocks apart that people call by one frame. */
    private record Typed(Place site, Place typed) {}

    /** A call of unwound stacks. */
    private static final class Node {
        private final int outer;
        private final boolean isCut;
        private final Place[] frames;
        /** Null if nobody has asked yet. */
        private CallChain chain;

        Node(int outer, boolean isCut, Place[] frames) {
            this.outer = outer;
            this.isCut = isCut;
            this.frames = frames;
        }
    }

    /**
     * @param types says what calls allocate
     * @param rule says which of the frames people mean
     * @param whole whether blocks are told apart by their whole chains; else by the frame that
     *     people mean alone
     */
    AllocationChains(Places places, MemberTypes types, CallChain.SiteRule rule, boolean whole) {
        this.places = places;
        this.types = types;
        this.rule = rule;
        this.whole = whole;
    }

    /** Takes what the trace says of itself. */
    void meta(Map<String, String> values) {
        String chain = values.getOrDefault("chain", "");
        if (chain.matches("[1-9][0-9]{0,5}")) {
            wanted = Integer.parseInt(chain);
        }
    }

    void neighbours(Neighbours of) {
        calls.neighbours(of);
    }

    /** A function is entered or left; stacks that are unwound make this needless. */
    void call(int thread, Place place, long stack) {
        if (!unwound) {
            called = true;
            calls.call(thread, place, stack);
        }
    }

    /** Follows an event that neither allocates nor ends anything. */
    void ring(TraceEvent event) {
        if (event instanceof TraceEvent.ChainNode node) {
            node(node);
        }
        if (event instanceof TraceEvent.MappingChain end) {
            mappingEnds.put(new MappingEnd(end.thread(), end.old()), end.chain());
        }
        calls.ring(event);
    }

    private void node(TraceEvent.ChainNode event) {
        unwound = true;
        int number = (int) event.node();
        if (number != event.node() || number <= 0 || number > MOST_NODES) {
            return;
        }
        if (number >= nodes.length) {
            nodes = Arrays.copyOf(nodes, Math.max(number + 1, 2 * nodes.length));
        }
        boolean known = event.outer() > 0 && event.outer() < number;
        nodes[number] = new Node(
                known ? (int) event.outer() : 0,
                !known && (event.cut() != 0 || event.outer() != 0),
                places.framesOf(event.code()));
    }

    /** Returns whether the innermost call of the chain is of a function, or of a part of it. */
    private static boolean isIn(CallChain chain, Place function) {
        return chain.outer() != null
                && chain.call().module().equals(function.module())
                && ColdCode.whole(chain.call().symbol()).equals(ColdCode.whole(function.symbol()));
    }

    /** The chain that begins with a node; null of one that has not come. */
    private CallChain chainOf(long number) {
        Node node = number > 0 && number < nodes.length ? nodes[(int) number] : null;
        if (node != null && node.chain == null) {
            node.chain = chainOf(node, wanted);
        }
        return node == null ? null : node.chain;
    }

    /** Returns the chain of up to so many calls that begins with a node; null: it has not come. */
    CallChain chainOf(long number, int calls) {
        Node node = number > 0 && number < nodes.length ? nodes[(int) number] : null;
        return node == null ? null : chainOf(node, calls);
    }

    private CallChain chainOf(Node innermost, int calls) {
        List<Node> told = new ArrayList<>();
        Node node = innermost;
        while (node != null && told.size() < calls) {
            told.add(node);
            node = nodes[node.outer];
        }
        CallChain chain = node != null || told.get(told.size() - 1).isCut ? cut : start;
        for (int i = told.size() - 1; i >= 0; i--) {
            chain = in(chain, told.get(i).frames);
        }
        return chain;
    }

    private static CallChain in(CallChain outer, Place... frames) {
        CallChain chain = outer;
        for (int i = frames.length - 1; i >= 0; i--) {
            chain = chain.in(frames[i]);
        }
        return chain;
    }

    /**
     * Returns the chain of an allocation or of an end, its own call innermost; null: unknown. To be
     * asked once of each event.
     */
    CallChain of(TraceEvent.Allocation event) {
        CallChain chain = chainOf(nodeOf(event));
        return chain != null || !called ? chain : recorded(event);
    }

    private long nodeOf(TraceEvent.Allocation event) {
        return switch (event.type()) {
            case MREMAP_END, MUNMAP -> {
                Long node = mappingEnds.remove(new MappingEnd(event.thread(), event.old()));
                yield node == null ? 0 : node;
            }
            default -> event.chain();
        };
    }

    /**
     * By recorded calls: the function that called the allocator is the innermost that is open,
     * unless its calls are not recorded; or that one was called by it, and has gone on in the
     * allocator by a jump.
     */
    private CallChain recorded(TraceEvent.Allocation event) {
        CallChain chain = calls.of(event.thread());
        Place[] frames = places.framesOf(event.code());
        Place function = frames[frames.length - 1];
        CallChain caller = chain;
        while (caller.outer() != null
                && !isIn(caller, function)
                && (caller == chain || caller.hasJumped() || CodeWord.isTail(event.code()))) {
            caller = caller.outer();
        }
        return in(isIn(caller, function) ? caller.outer() : chain, frames);
    }

    /** Returns the number of what tells blocks apart, from 1 on; 0 of those without a chain. */
    int tag(CallChain chain) {
        if (chain == null) {
            return 0;
        }
        if (chain.tag < 0) {
            judge(chain);
            chain.tag = whole
                    ? tags++
                    : chain.site == null
                            ? 0
                            : tagsOfSites.computeIfAbsent(
                                    new Typed(chain.site, chain.typed), absent -> tags++);
        }
        return chain.tag;
    }

    /** Says of a block by which chain it was allocated; null: unknown. */
    DataObject describe(DataObject block, CallChain chain) {
        if (chain == null) {
            return block;
        }
        judge(chain);
        if (chain.typed != null) {
            long code = chain.typed.address();
            block.typed(code, types.nameOfBlocks(code));
        }
        return block.by(chain, chain.site);
    }

    /** Looks once which calls people mean, and which know the type: blocks of a chain are many. */
    private void judge(CallChain chain) {
        if (!chain.judged) {
            chain.judged = true;
            chain.site = rule.siteOf(chain);
            chain.typed = types.isEmpty() ? null : typed(chain);
        }
    }

    /**
     * Returns the innermost frame whose line, or function, tells what is allocated; as long as all
     * in it pass on what they are asked for. Null if none does.
     */
    private Place typed(CallChain chain) {
        for (CallChain each = chain; each.outer() != null; each = each.outer()) {
            if (types.nameOfBlocks(each.call().address()) != null) {
                return each.call();
            }
            if (!rule.passesOn(each.call())) {
                break;
            }
        }
        return null;
    }
}
