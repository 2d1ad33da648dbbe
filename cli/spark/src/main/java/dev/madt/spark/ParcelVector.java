package dev.madt.spark;

import dev.madt.sql.Parcel;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** A column of a parcel, read in place; valid until the parcel is given back. */
final class ParcelVector extends ColumnVector {
    /** Bytes of a text that have room in its two words, behind those of its length. */
    private static final int INLINED = 12;

    private static final int LENGTH_BYTES = 4;
    private static final int TEXT_BYTES = 16;

    private final Parcel parcel;
    private final int column;
    private final int[] integers;
    private final long[] longs;
    /** Holds where one row stands for all. */
    private final boolean same;

    private ParcelVector(DataType type, Parcel parcel, int column) {
        super(type);
        this.parcel = parcel;
        this.column = column;
        this.integers = parcel.integers(column);
        this.longs = parcel.longs(column);
        this.same = parcel.times() > 1;
    }

    static ParcelVector of(Parcel parcel, int column) {
        DataType type = parcel.integers(column) != null
                ? DataTypes.IntegerType
                : parcel.isTexts(column) ? DataTypes.StringType : DataTypes.LongType;
        return new ParcelVector(type, parcel, column);
    }

    private int row(int row) {
        return same ? 0 : row;
    }

    @Override
    public boolean hasNull() {
        return !parcel.isWhole(column);
    }

    @Override
    public int numNulls() {
        int missing = 0;
        for (int row = 0; hasNull() && row < parcel.count(); row++) {
            missing += parcel.has(column, row) ? 0 : 1;
        }
        return same && missing > 0 ? (int) parcel.times() : missing;
    }

    @Override
    public boolean isNullAt(int row) {
        return !parcel.has(column, row(row));
    }

    @Override
    public int getInt(int row) {
        return integers[row(row)];
    }

    @Override
    public long getLong(int row) {
        return longs[row(row)];
    }

    /** A short text lies within the words, a long one elsewhere ({@code TextPool}). */
    @Override
    public UTF8String getUTF8String(int row) {
        int at = 2 * row(row);
        int length = (int) longs[at];
        return length <= INLINED
                ? UTF8String.fromAddress(
                        longs,
                        Platform.LONG_ARRAY_OFFSET + (long) at / 2 * TEXT_BYTES + LENGTH_BYTES,
                        length)
                : UTF8String.fromAddress(null, longs[at + 1], length);
    }

    @Override
    public void close() {
        // the parcel goes back to where it is filled
    }

    private UnsupportedOperationException none() {
        return new UnsupportedOperationException("no table has columns of this type: " + type);
    }

    @Override
    public boolean getBoolean(int row) {
        throw none();
    }

    @Override
    public byte getByte(int row) {
        throw none();
    }

    @Override
    public short getShort(int row) {
        throw none();
    }

    @Override
    public float getFloat(int row) {
        throw none();
    }

    @Override
    public double getDouble(int row) {
        throw none();
    }

    @Override
    public ColumnarArray getArray(int row) {
        throw none();
    }

    @Override
    public ColumnarMap getMap(int row) {
        throw none();
    }

    @Override
    public Decimal getDecimal(int row, int precision, int scale) {
        throw none();
    }

    @Override
    public byte[] getBinary(int row) {
        throw none();
    }

    @Override
    public ColumnVector getChild(int index) {
        throw none();
    }
}
