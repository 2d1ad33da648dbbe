# Run by gdb: prints, for each line of the file in $EXPRESSIONS, what the debugger knows of it.
#   address EXPRESSION   its address as a decimal number
#   fields EXPRESSION    "name:bit:bits:bytes " for each member of its type, members of members in
#                        braces
# or "error" and the reason.
import os

RECORDS = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)


def layout(of):
    of = of.strip_typedefs()
    if of.code == gdb.TYPE_CODE_ARRAY:
        return "[%d]" % (of.range()[1] + 1) + layout(of.target())
    if of.code not in RECORDS:
        return str(of.sizeof)
    parts = []
    for field in of.fields():
        if hasattr(field, "bitpos"):
            name = "" if field.is_base_class or not field.name else field.name
            parts.append("%s:%d:%d:%s" % (name, field.bitpos, field.bitsize, layout(field.type)))
    return "%d{%s}" % (of.sizeof, " ".join(parts))


def is_bit_field(of, name):
    for field in of.strip_typedefs().fields():
        if field.name == name:
            return hasattr(field, "bitpos") and field.bitsize > 0
        hidden = field.is_base_class or not field.name
        record = field.type.strip_typedefs().code in RECORDS
        if hidden and record and is_bit_field(field.type, name):
            return True
    return False


def address(expression):
    value = gdb.parse_and_eval(expression)
    whole, dot, member = expression.rpartition(".")
    if dot and is_bit_field(gdb.parse_and_eval(whole).type, member):
        return "error a bit-field has no address"
    if value.type.code == gdb.TYPE_CODE_REF:
        return "error the address of a reference is that of another variable"
    return str(int(value.address))


def answer(line):
    what, expression = line.rstrip("\n").split(" ", 1)
    try:
        if what == "address":
            return address(expression)
        return layout(gdb.parse_and_eval(expression).type)
    except Exception as error:
        return "error " + str(error).replace("\n", " ")


for line in open(os.environ["EXPRESSIONS"]):
    print("=" + answer(line))
