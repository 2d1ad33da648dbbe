package dev.madt.view;

/** What several analyses keep {@link Notes} on, each at an index of its own. */
abstract sealed class Noted permits DataObject, Place {
    private static final Object[] NONE = {};

    Object[] notes = NONE;
}
