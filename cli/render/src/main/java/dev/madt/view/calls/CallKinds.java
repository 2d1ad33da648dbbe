package dev.madt.view.calls;

/** Holds what traces hold beside calls. */
final class CallKinds {
    private boolean timed;
    private boolean calls;
    private boolean accesses;

    void timed() {
        timed = true;
    }

    void hasCalls() {
        calls = true;
    }

    void hasAccesses() {
        accesses = true;
    }

    boolean isTimed() {
        return timed;
    }

    boolean isOfCalls() {
        return calls;
    }

    boolean isOfAccesses() {
        return accesses;
    }
}
