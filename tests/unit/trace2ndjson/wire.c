/* wire: reads every field of a message, and refuses everything that is not protobuf, with the place and the reason. */
#include "trace2ndjson/formats/protobuf/wire.h"

#include "test.h"

/* Reads all fields of a message; returns the sum of their numbers, and sets *w to the state at the end. */
static uint32_t read_all(struct str message, struct wire *w)
{
	struct wire_field f;
	uint32_t sum = 0;

	*w = wire_of(message);
	while (wire_next(w, &f) > 0)
		sum += f.no;
	return sum;
}

/* Returns the offset at which reading stopped, when the reason is `why`; otherwise -1. */
static long stops_at(struct str message, const char *why)
{
	struct wire w, sound;

	read_all(message, &w);
	if (!w.fault || !str_eq(str_of(w.fault), str_of(why)))
		return -1;
	if (wire_sound(message, &sound) || sound.fault != w.fault || sound.p != w.p)
		return -2;
	return w.p - message.p;
}

static void check_varints(void)
{
	uint64_t v;

	CHECK_INT(wire_varint(STR("\0"), &v), 1);
	CHECK_INT(v, 0);
	CHECK_INT(wire_varint(STR("\xac\x02rest"), &v), 2);
	CHECK_INT(v, 300);
	CHECK_INT(wire_varint(STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), &v), 10);
	CHECK(v == UINT64_MAX);
	/* A number may have more bytes than it needs. */
	CHECK_INT(wire_varint(STR("\x85\x80\x80\0"), &v), 4);
	CHECK_INT(v, 5);
	CHECK_INT(wire_varint(STR(""), &v), 0);
	CHECK_INT(wire_varint(STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff"), &v), 0);
	CHECK_INT(wire_varint(STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), &v), -1);
	CHECK_INT(wire_varint(STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\0"), &v), -1);
}

static void check_fields(void)
{
	/* 1: 150; 2: "text"; 3: 8 bytes; 4: 4 bytes; 1000: 1; 2 again: "last" */
	const struct str message =
	    STR("\x08\x96\x01\x12\x04text\x19\x01\0\0\0\0\0\0\x80\x25\x02\0\0\0\xc0\x3e\x01\x12\x04last");
	struct wire_field f;
	struct str text;
	struct wire w;
	size_t n;

	CHECK_INT(read_all(message, &w), 1 + 2 + 3 + 4 + 1000 + 2);
	CHECK(!w.fault && w.p == w.end);
	CHECK(wire_find(message, 1, WIRE_VARINT, &f) && f.v == 150);
	CHECK(wire_find(message, 2, WIRE_LEN, &f) && str_eq(f.bytes, STR("last")));
	CHECK(wire_find(message, 3, WIRE_FIXED64, &f) && f.v == 0x8000000000000001);
	CHECK(wire_find(message, 4, WIRE_FIXED32, &f) && f.v == 2);
	CHECK(!wire_find(message, 4, WIRE_VARINT, &f) && !wire_find(message, 5, WIRE_VARINT, &f));
	CHECK(wire_find_number(message, 1) == 150 && !wire_find_number(message, 2) && !wire_find_number(message, 5));
	CHECK(str_eq(wire_find_bytes(message, 2), STR("last")) && wire_find_bytes(message, 1).p);
	w = wire_of(message);
	CHECK(wire_next_message(&w, 2, &text) && str_eq(text, STR("text")));
	CHECK(wire_next_message(&w, 2, &text) && str_eq(text, STR("last")) && !wire_next_message(&w, 2, &text));
	CHECK(wire_double(0x3fe0000000000000) == 0.5);
	/* Only a cut between two fields leaves a valid message. */
	for (n = 0; n < message.n; n++) {
		read_all(str_head(message, n), &w);
		CHECK(!w.fault == (n == 0 || n == 3 || n == 9 || n == 18 || n == 23 || n == 26));
	}
}

/* The last field of each number and type counts; damage anywhere makes the message unusable. */
static void check_read(void)
{
	static const struct wire_want wants[] = {{2, WIRE_LEN}, {1, WIRE_VARINT}, {1, WIRE_LEN}, {0}};
	struct wire_field f[3];
	struct wire w = {0};

	CHECK(wire_read(STR("\x12\x01"
			    "a"
			    "\x08\x05\x12\x01"
			    "b"),
		  wants, f, &w) &&
	      !w.fault);
	CHECK(f[0].no == 2 && str_eq(f[0].bytes, STR("b")) && f[1].v == 5 && !f[2].no && !f[2].bytes.p && !f[2].v);
	CHECK(!wire_read(STR("\x08\x05\x12\x02"
			     "b"),
		  wants, f, &w) &&
	      w.fault && f[1].v == 5);
}

/* Returns the result of reading the beginning of a field; *sum: its number, the size of its head, its value or size. */
static int read_head(struct str head, size_t *sum)
{
	struct wire_field f;
	const char *fault = NULL;
	size_t size = 0;
	int got = wire_head(head, &f, &size, &fault);

	CHECK(!fault == (got > 0));
	*sum = f.no * 10000 + size * 1000 + (size_t)f.v + f.bytes.n;
	return got;
}

/* The content of a field need not be there. A head that is cut differs from one that is damaged. */
static void check_heads(void)
{
	size_t sum;

	CHECK(read_head(STR("\x08\x96\x01"), &sum) == 1 && sum == 13150);
	CHECK(read_head(STR("\x12\x84\x02 text"), &sum) == 1 && sum == 23260);
	CHECK(read_head(STR("\x19\x01\0\0\0\0\0\0\0 rest"), &sum) == 1 && sum == 39001);
	CHECK_INT(read_head(STR("\x08\x96"), &sum), 0);
	CHECK_INT(read_head(STR("\x12\x84"), &sum), 0);
	CHECK_INT(read_head(STR("\x92"), &sum), 0);
	CHECK_INT(read_head(STR("\x25\x02\0\0"), &sum), 0);
	CHECK_INT(read_head(STR("\x0b\0"), &sum), -1);
	CHECK_INT(read_head(STR("\x0e\0"), &sum), -1);
	CHECK_INT(read_head(STR("\x02\x01"), &sum), -1);
	CHECK_INT(read_head(STR("\x12\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), &sum), -1);
}

static void check_faults(void)
{
	CHECK_INT(stops_at(STR("\x08\x01\x12\x05text"), "length points past the end of its message"), 2);
	CHECK_INT(
	    stops_at(STR("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "length points past the end of its message"),
	    0);
	CHECK_INT(stops_at(STR("\x08\x01\x08"), "message ends inside a number"), 2);
	CHECK_INT(stops_at(STR("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
		      "number has more than 10 bytes or 64 bits"),
	    0);
	CHECK_INT(stops_at(STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\x01"),
		      "number has more than 10 bytes or 64 bits"),
	    0);
	CHECK_INT(stops_at(STR("\x08\x01\x02\x01"), "field number is not valid in protobuf"), 2);
	CHECK_INT(stops_at(STR("\x80\x80\x80\x80\x10\x01"), "field number is not valid in protobuf"), 0);
	CHECK_INT(stops_at(STR("\x08\x01\x13\x14"), "unexpected protobuf group (wire type 3 or 4)"), 2);
	CHECK_INT(stops_at(STR("\x0c"), "unexpected protobuf group (wire type 3 or 4)"), 0);
	CHECK_INT(stops_at(STR("\x0e\x01"), "wire type is not valid in protobuf"), 0);
	CHECK_INT(stops_at(STR("\x0f\x01"), "wire type is not valid in protobuf"), 0);
	CHECK_INT(stops_at(STR("\x0d\x01\0\0"), "length points past the end of its message"), 0);
}

static void check_packed(void)
{
	struct str rest = STR("\x03\x8e\x02\x9e\xa7\x05");
	uint64_t v;

	CHECK(wire_packed(&rest, &v) == 1 && v == 3);
	CHECK(wire_packed(&rest, &v) == 1 && v == 270);
	CHECK(wire_packed(&rest, &v) == 1 && v == 86942);
	CHECK_INT(wire_packed(&rest, &v), 0);
	rest = STR("\x03\x8e");
	CHECK_INT(wire_packed(&rest, &v), 1);
	CHECK_INT(wire_packed(&rest, &v), -1);
}

/* A repeated field has one number, or many if it is packed; a field of another type has none. */
static void check_numbers(void)
{
	struct wire_field one = {.type = WIRE_VARINT, .v = 7},
			  packed = {.type = WIRE_LEN, .bytes = STR("\x03\x8e\x02")},
			  fixed = {.type = WIRE_FIXED64, .v = 7};
	struct str rest = wire_numbers(&one);
	uint64_t v;

	CHECK(wire_number(&one, &rest, &v) && v == 7 && !wire_number(&one, &rest, &v));
	rest = wire_numbers(&packed);
	CHECK(wire_number(&packed, &rest, &v) && v == 3);
	CHECK(wire_number(&packed, &rest, &v) && v == 270 && !wire_number(&packed, &rest, &v));
	rest = wire_numbers(&fixed);
	CHECK(!wire_number(&fixed, &rest, &v));
}

void unit_test(void)
{
	check_varints();
	check_fields();
	check_read();
	check_heads();
	check_faults();
	check_packed();
	check_numbers();
}
