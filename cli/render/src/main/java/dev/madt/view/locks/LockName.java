package dev.madt.view.locks;

/**
 * Says what a lock is called.
 *
 * @param single its own name, with its member
 * @param common the name that it shares with the same member of all data of a type or call
 */
public record LockName(String single, String common) {
    /** Returns one of them. */
    public String by(boolean shared) {
        return shared ? common : single;
    }
}
