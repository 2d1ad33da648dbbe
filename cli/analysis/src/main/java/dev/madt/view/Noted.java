package dev.madt.view;

/** Holds what several analyses keep {@link Notes} on, each at an index of its own. */
abstract sealed class Noted permits DataObject, Place {
    private static final Object[] NONE = {};

    Object[] notes = NONE;
}
