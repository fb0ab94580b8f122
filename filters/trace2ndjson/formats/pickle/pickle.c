/*
 * The stack machine of pickles works on JSON text. The text of each value on the stack follows that of the value below
 * it, so a list takes up its items without copying them: two bytes before each value are reserved, one for the closing
 * bracket of the preceding value and one for a comma or colon.
 */
#include "pickle.h"

#include "base/num_format.h"
#include "json/string.h"
#include "json/write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum opcode {
	PROTO = 0x80,
	FRAME = 0x95,
	STOP = '.',
	MARK = '(',
	NONE = 'N',
	NEWTRUE = 0x88,
	NEWFALSE = 0x89,
	BININT = 'J',
	BININT1 = 'K',
	BININT2 = 'M',
	LONG1 = 0x8a,
	BINFLOAT = 'G',
	SHORT_BINUNICODE = 0x8c,
	BINUNICODE = 'X',
	BINUNICODE8 = 0x8d,
	EMPTY_DICT = '}',
	EMPTY_LIST = ']',
	EMPTY_TUPLE = ')',
	TUPLE = 't',
	TUPLE1 = 0x85,
	TUPLE2 = 0x86,
	TUPLE3 = 0x87,
	APPEND = 'a',
	APPENDS = 'e',
	SETITEM = 's',
	SETITEMS = 'u',
	BINPUT = 'q',
	LONG_BINPUT = 'r',
	MEMOIZE = 0x94,
	BINGET = 'h',
	LONG_BINGET = 'j',
};

/* The opcodes that are refused, by name. */
static const struct pickle_opcode {
	unsigned char code;
	const char *name;
} refused[] = {
    {'c', "GLOBAL"},
    {0x93, "STACK_GLOBAL"},
    {'R', "REDUCE"},
    {'b', "BUILD"},
    {'i', "INST"},
    {'o', "OBJ"},
    {0x81, "NEWOBJ"},
    {0x92, "NEWOBJ_EX"},
    {'P', "PERSID"},
    {'Q', "BINPERSID"},
    {0x82, "EXT1"},
    {0x83, "EXT2"},
    {0x84, "EXT4"},
    {0x96, "BYTEARRAY8"},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
    {'B', "BINBYTES"},
    {'C', "SHORT_BINBYTES"},
    {0x8e, "BINBYTES8"},
    {0x8f, "EMPTY_SET"},
    {0x90, "ADDITEMS"},
    {0x91, "FROZENSET"},
    {'I', "INT"},
    {'L', "LONG"},
    {'F', "FLOAT"},
    {'V', "UNICODE"},
    {'S', "STRING"},
    {'T', "BINSTRING"},
    {'U', "SHORT_BINSTRING"},
    {'d', "DICT"},
    {'l', "LIST"},
    {'p', "PUT"},
    {'g', "GET"},
    {'0', "POP"},
    {'1', "POP_MARK"},
    {'2', "DUP"},
    {0x8b, "LONG4"},
};

enum { PREFIX = 2 }; /* the bytes before each value: the closing bracket of the preceding one, then a separator */
enum { NOT_HELD = 0 };

enum value_form { FORM_OTHER, FORM_TEXT, FORM_INTEGER /* a space precedes and follows it */, FORM_LIST, FORM_DICT };

/* A value on the stack. Lists and dictionaries have no closing bracket yet. */
struct pickle_slot {
	size_t at;       /* the offset of its prefix */
	size_t items;    /* how many items a list has, or how many keys and values a dictionary */
	uint32_t before; /* the number of remembered values when it was pushed */
	uint32_t held;   /* the number of the remembered value that it is, counted from 1; NOT_HELD */
	unsigned char form, depth;
	bool referred; /* an opcode referred to it: it must not change any more */
};

/* A value that the pickle can refer to again. */
struct pickle_memo {
	size_t from, n; /* its text; n is unknown while it is open */
	uint32_t place; /* its place on the stack, while it is open */
	unsigned char form, depth;
	bool open; /* a list or dictionary that nothing contains yet */
};

struct pickle {
	struct source *src;
	const struct pickle_limits *limits;
	struct fault *fault;
	struct buf *text;
	struct pickle_slot *stack;
	size_t n, cap;
	size_t *marks;
	size_t n_marks, marks_cap;
	struct pickle_memo *values;
	size_t n_values, values_cap;
	uint32_t *memo; /* by number: the remembered value, counted from 1 */
	size_t n_memo, memo_cap;
	uint64_t memoized; /* how many numbers are used */
	uint64_t at;       /* the offset of the opcode */
	bool stopped;
};

/* --- reading --- */

static bool refuse(struct pickle *p, const char *why)
{
	return fault_refuse(p->fault, why, p->at);
}

static bool refuse_opcode(struct pickle *p, unsigned char code)
{
	static _Thread_local char text[96];
	const char *name = NULL;
	size_t i;

	for (i = 0; i < sizeof refused / sizeof *refused; i++) {
		if (refused[i].code == code)
			name = refused[i].name;
	}
	snprintf(text, sizeof text, "the pickle has the opcode %s (%02x), which is not plain data; file refused",
	    name ? name : "of no name", code);
	return refuse(p, text);
}

/* Loads n bytes to the beginning of the window. */
static bool load(struct pickle *p, uint64_t n)
{
	const uint64_t limit = p->limits->file;

	if (limit && (n > limit || p->src->offset > limit - n))
		return refuse(p, "the pickle is larger than the limit; file refused");
	while (p->src->n < n) {
		if (source_more(p->src) <= 0)
			return refuse(p, "cut short: the pickle does not end; file refused");
	}
	return true;
}

/* Reads a number of `bytes` bytes, little endian. */
static bool read_number(struct pickle *p, size_t bytes, uint64_t *v)
{
	size_t i;

	if (!load(p, bytes))
		return false;
	for (*v = 0, i = bytes; i-- > 0;)
		*v = *v << 8 | (unsigned char)p->src->p[i];
	source_skip(p->src, bytes);
	return true;
}

/* --- the stack --- */

static struct pickle_slot *push(struct pickle *p, enum value_form form)
{
	static const struct pickle_slot none;

	if (p->limits->text && p->text->n > p->limits->text) {
		refuse(p, "the values of the pickle are longer than the limit; file refused");
		return NULL;
	}
	if (p->n >= UINT32_MAX || (p->limits->stack && p->n >= p->limits->stack)) {
		refuse(p, "the pickle has too many values outside of lists; file refused");
		return NULL;
	}
	p->stack = mem_grow(p->stack, &p->cap, p->n + 1, sizeof *p->stack);
	p->stack[p->n] = none;
	p->stack[p->n].at = p->text->n;
	p->stack[p->n].before = (uint32_t)p->n_values;
	p->stack[p->n].form = (unsigned char)form;
	buf_lit(p->text, "  ");
	return &p->stack[p->n++];
}

static bool push_text(struct pickle *p, enum value_form form, struct str text)
{
	if (!push(p, form))
		return false;
	buf_add(p->text, text.p, text.n);
	return true;
}

static bool push_integer(struct pickle *p, int64_t v)
{
	char room[NUM_ROOM + 2], *end;

	room[0] = ' ';
	end = num_put_i64(room + 1, v);
	*end++ = ' ';
	return push_text(p, FORM_INTEGER, (struct str){room, (size_t)(end - room)});
}

static bool push_container(struct pickle *p, enum value_form form)
{
	struct pickle_slot *s = push(p, form);

	if (!s)
		return false;
	s->depth = 1;
	buf_char(p->text, form == FORM_LIST ? '[' : '{');
	return true;
}

static char closing(enum value_form form)
{
	return form == FORM_LIST ? ']' : '}';
}

static bool is_open(const struct pickle_slot *s)
{
	return s->form == FORM_LIST || s->form == FORM_DICT;
}

/* Returns the end of the text of a value on the stack. */
static size_t end_of(const struct pickle *p, size_t place)
{
	return place + 1 < p->n ? p->stack[place + 1].at : p->text->n;
}

/* Writes the closing bracket of a value: it does not change any more. */
static void close_value(struct pickle *p, size_t place)
{
	struct pickle_slot *s = &p->stack[place];
	size_t end = end_of(p, place);
	struct pickle_memo *value;

	if (!is_open(s))
		return;
	if (place + 1 < p->n)
		p->text->p[end++] = closing(s->form);
	else
		buf_char(p->text, closing(s->form)), end++;
	if (s->held == NOT_HELD)
		return;
	value = &p->values[s->held - 1];
	value->n = end - value->from;
	value->depth = s->depth;
	value->open = false;
}

/* Returns the place of the first value after the last mark; `needed` values must be there. */
static bool take_mark(struct pickle *p, size_t *first)
{
	if (!p->n_marks)
		return refuse(p, "the pickle lacks a mark; file refused");
	*first = p->marks[--p->n_marks];
	return true;
}

/* Whether n values are on the stack, above the last mark. */
static bool has_values(struct pickle *p, size_t n)
{
	return p->n - (p->n_marks ? p->marks[p->n_marks - 1] : 0) >= n ||
	       refuse(p, "the stack of the pickle is empty; file refused");
}

/* Adds the depth of the values from `first` on to that of what contains them. */
static bool set_depth(struct pickle *p, size_t first, unsigned char *depth)
{
	const unsigned most = p->limits->depth ? p->limits->depth : 255;
	size_t i;

	for (i = first; i < p->n; i++) {
		if (p->stack[i].depth >= most)
			return refuse(p, "the values of the pickle are nested too deep; file refused");
		if (p->stack[i].depth >= *depth)
			*depth = (unsigned char)(p->stack[i].depth + 1);
	}
	return true;
}

/* Makes a value the key of a dictionary. */
static bool make_key(struct pickle *p, size_t place)
{
	if (p->stack[place].form == FORM_INTEGER)
		p->text->p[p->stack[place].at + PREFIX] = p->text->p[end_of(p, place) - 1] = '"';
	return p->stack[place].form == FORM_TEXT || p->stack[place].form == FORM_INTEGER ||
	       refuse(p, "the pickle has a key that is neither text nor integer; file refused");
}

/* Moves the values from `first` on into the list or dictionary that precedes them. */
static bool add_items(struct pickle *p, size_t first, enum value_form form)
{
	struct pickle_slot *s;
	size_t i;

	if (!first || (p->n_marks && p->marks[p->n_marks - 1] >= first) || p->stack[first - 1].form != form)
		return refuse(p, "the pickle adds items to what is no list or dictionary; file refused");
	s = &p->stack[first - 1];
	if (s->referred && p->n > first)
		return refuse(
		    p, "the pickle changes a value that it referred to, or puts it into itself; file refused");
	if (form == FORM_DICT && (p->n - first) % 2)
		return refuse(p, "the pickle has a key without a value; file refused");
	if (!set_depth(p, first, &s->depth))
		return false;
	for (i = first; i < p->n; i++, s->items++) {
		close_value(p, i);
		if (form == FORM_DICT && s->items % 2 == 0 && !make_key(p, i))
			return false;
		p->text->p[p->stack[i].at + 1] = form == FORM_DICT && s->items % 2 ? ':' : s->items ? ',' : ' ';
	}
	p->n = first;
	return true;
}

/* Inserts a byte into the text; the remembered values from number `before` on move with it. */
static void insert(struct pickle *p, size_t at, char c, size_t before)
{
	buf_room(p->text, 1);
	memmove(p->text->p + at + 1, p->text->p + at, p->text->n - at);
	p->text->p[at] = c;
	p->text->n++;
	for (; before < p->n_values; before++)
		p->values[before].from += p->values[before].from >= at;
}

/* Makes the values from `first` on a tuple. */
static bool make_tuple(struct pickle *p, size_t first)
{
	struct pickle_slot tuple = {.depth = 1, .form = FORM_OTHER, .before = (uint32_t)p->n_values};
	size_t i;

	if (first == p->n) {
		if (!push_text(p, FORM_OTHER, STR("[]")))
			return false;
		p->stack[p->n - 1].depth = 1;
		return true;
	}
	if (!set_depth(p, first, &tuple.depth))
		return false;
	for (i = first; i < p->n; i++) {
		close_value(p, i);
		if (i > first)
			p->text->p[p->stack[i].at + 1] = ',';
	}
	tuple.at = p->stack[first].at;
	insert(p, tuple.at + PREFIX, '[', p->stack[first].before);
	buf_char(p->text, ']');
	p->stack[first] = tuple;
	p->n = first + 1;
	return true;
}

/* --- the memo --- */

static bool put_memo(struct pickle *p, uint64_t number)
{
	struct pickle_slot *s;
	struct pickle_memo *value;

	if (!has_values(p, 1))
		return false;
	/* Picklers count from 0 or 1; a number far beyond would need memory that the file does not have. */
	if (number > 4 * p->memoized + 1024)
		return refuse(p, "the pickle numbers its values in an unknown way; file refused");
	s = &p->stack[p->n - 1];
	if (s->held == NOT_HELD) {
		p->values = mem_grow(p->values, &p->values_cap, p->n_values + 1, sizeof *p->values);
		value = &p->values[p->n_values++];
		*value = (struct pickle_memo){.from = s->at + PREFIX,
		    .n = p->text->n - s->at - PREFIX,
		    .place = (uint32_t)(p->n - 1),
		    .form = s->form,
		    .depth = s->depth,
		    .open = is_open(s)};
		s->held = (uint32_t)p->n_values;
	}
	if (number >= p->n_memo) {
		p->memo = mem_grow_zero(p->memo, &p->memo_cap, (size_t)number + 1, sizeof *p->memo);
		p->n_memo = (size_t)number + 1;
	}
	p->memoized += !p->memo[number];
	p->memo[number] = s->held;
	return true;
}

/* Pushes a copy of a remembered value, which nothing can be added to. */
static bool get_memo(struct pickle *p, uint64_t number)
{
	struct pickle_memo value;
	struct pickle_slot *s;

	if (number >= p->n_memo || !p->memo[number])
		return refuse(p, "the pickle refers to a value of an unknown number; file refused");
	value = p->values[p->memo[number] - 1];
	if (value.open) {
		p->stack[value.place].referred = true;
		value.n = end_of(p, value.place) - value.from;
		value.depth = p->stack[value.place].depth;
	}
	s = push(p, value.form == FORM_TEXT || value.form == FORM_INTEGER ? value.form : FORM_OTHER);
	if (!s)
		return false;
	s->depth = value.depth;
	s->held = p->memo[number];
	buf_room(p->text, value.n + 1);
	buf_add(p->text, p->text->p + value.from, value.n);
	if (value.open)
		buf_char(p->text, closing(value.form));
	if (value.form == FORM_INTEGER) /* it may have become a key */
		p->text->p[s->at + PREFIX] = p->text->p[p->text->n - 1] = ' ';
	return true;
}

/* --- values --- */

/* Whether the bytes are UTF-8, in which Python also writes surrogates. */
static bool is_text(struct str s)
{
	uint32_t code;
	size_t n;

	while ((s = str_from(s, json_plain(s))).n) {
		n = utf8_decode(s, &code);
		if (!n && s.n >= 3 && s.p[0] == '\xed' && (s.p[1] & '\xe0') == '\xa0' && (s.p[2] & '\xc0') == '\x80')
			n = 3;
		if (!n)
			return false;
		s = str_from(s, n);
	}
	return true;
}

/* Reads a text whose length is a number of `bytes` bytes. */
static bool read_text(struct pickle *p, size_t bytes)
{
	uint64_t n;

	if (!read_number(p, bytes, &n) || !load(p, n))
		return false;
	if (!is_text((struct str){p->src->p, n}))
		return refuse(p, "the pickle has a text that is not UTF-8; file refused");
	if (!push(p, FORM_TEXT))
		return false;
	json_quote(p->text, (struct str){p->src->p, n});
	source_skip(p->src, n);
	return true;
}

static bool read_long(struct pickle *p)
{
	uint64_t n, v = 0;

	if (!read_number(p, 1, &n))
		return false;
	if (n > 8)
		return refuse(p, "the pickle has an integer of more than 64 bits; file refused");
	if (!read_number(p, n, &v))
		return false;
	if (n && n < 8 && v >> (8 * n - 1))
		v |= UINT64_MAX << 8 * n;
	return push_integer(p, (int64_t)v);
}

static bool read_double(struct pickle *p)
{
	char room[NUM_ROOM];
	uint64_t bits;
	double v;

	if (!read_number(p, 8, &bits))
		return false;
	bits = __builtin_bswap64(bits);
	memcpy(&v, &bits, sizeof v);
	if (!isfinite(v))
		return push_text(p, FORM_OTHER,
		    isnan(v) ? STR("\"NaN\"")
		    : v < 0  ? STR("\"-Infinity\"")
			     : STR("\"Infinity\""));
	return push_text(p, FORM_OTHER, (struct str){room, (size_t)(num_put_double(room, v) - room)});
}

static bool read_protocol(struct pickle *p)
{
	uint64_t v;

	return read_number(p, 1, &v) && ((v >= 2 && v <= 5) || refuse(p, "unknown protocol of pickles; file refused"));
}

static bool skip_frame(struct pickle *p)
{
	uint64_t v;

	return read_number(p, 8, &v);
}

static bool set_mark(struct pickle *p)
{
	if (p->limits->stack && p->n_marks >= p->limits->stack)
		return refuse(p, "the pickle has too many marks; file refused");
	p->marks = mem_grow(p->marks, &p->marks_cap, p->n_marks + 1, sizeof *p->marks);
	p->marks[p->n_marks++] = p->n;
	return true;
}

static bool stop(struct pickle *p)
{
	if (!has_values(p, 1))
		return false;
	if (p->n != 1 || p->n_marks)
		return refuse(p, "the pickle ends with several values; file refused");
	if (p->src->n || source_more(p->src) > 0)
		return refuse(p, "bytes follow the end of the pickle; file refused");
	if (p->src->fault.what)
		return refuse(p, "damaged after the end of the pickle; file refused");
	close_value(p, 0);
	p->stopped = true;
	return true;
}

/* --- opcodes --- */

static bool run_integer(struct pickle *p, unsigned char code)
{
	uint64_t v;

	if (!read_number(p, code == BININT ? 4 : code == BININT2 ? 2 : 1, &v))
		return false;
	return push_integer(p, code == BININT ? (int32_t)(uint32_t)v : (int64_t)v);
}

static bool run_memo(struct pickle *p, unsigned char code)
{
	uint64_t number = p->memoized;

	if (code != MEMOIZE && !read_number(p, code == LONG_BINPUT || code == LONG_BINGET ? 4 : 1, &number))
		return false;
	return code == BINGET || code == LONG_BINGET ? get_memo(p, number) : put_memo(p, number);
}

/* Runs an opcode that makes one value contain others. */
static bool run_container(struct pickle *p, unsigned char code)
{
	size_t first;

	switch (code) {
	case TUPLE1:
	case TUPLE2:
	case TUPLE3:
		first = (size_t)code - TUPLE1 + 1;
		return has_values(p, first) && make_tuple(p, p->n - first);
	case APPEND:
		return has_values(p, 2) && add_items(p, p->n - 1, FORM_LIST);
	case SETITEM:
		return has_values(p, 3) && add_items(p, p->n - 2, FORM_DICT);
	}
	if (!take_mark(p, &first))
		return false;
	return code == TUPLE ? make_tuple(p, first) : add_items(p, first, code == APPENDS ? FORM_LIST : FORM_DICT);
}

static bool run(struct pickle *p, unsigned char code)
{
	switch (code) {
	case PROTO:
		return read_protocol(p);
	case FRAME:
		return skip_frame(p);
	case STOP:
		return stop(p);
	case MARK:
		return set_mark(p);
	case NONE:
		return push_text(p, FORM_OTHER, STR("null"));
	case NEWTRUE:
		return push_text(p, FORM_OTHER, STR("true"));
	case NEWFALSE:
		return push_text(p, FORM_OTHER, STR("false"));
	case BININT:
	case BININT1:
	case BININT2:
		return run_integer(p, code);
	case LONG1:
		return read_long(p);
	case BINFLOAT:
		return read_double(p);
	case SHORT_BINUNICODE:
		return read_text(p, 1);
	case BINUNICODE:
		return read_text(p, 4);
	case BINUNICODE8:
		return read_text(p, 8);
	case EMPTY_LIST:
		return push_container(p, FORM_LIST);
	case EMPTY_DICT:
		return push_container(p, FORM_DICT);
	case EMPTY_TUPLE:
		return make_tuple(p, p->n);
	case TUPLE:
	case TUPLE1:
	case TUPLE2:
	case TUPLE3:
	case APPEND:
	case APPENDS:
	case SETITEM:
	case SETITEMS:
		return run_container(p, code);
	case BINPUT:
	case LONG_BINPUT:
	case MEMOIZE:
	case BINGET:
	case LONG_BINGET:
		return run_memo(p, code);
	}
	return refuse_opcode(p, code);
}

bool pickle_read(struct source *src, const struct pickle_limits *limits, struct buf *json, struct fault *fault)
{
	struct pickle p = {.src = src, .limits = limits, .fault = fault, .text = json, .at = src->offset};
	bool ok = true;
	uint64_t code;

	while (ok && !p.stopped) {
		p.at = src->offset;
		ok = read_number(&p, 1, &code) && run(&p, (unsigned char)code);
	}
	free(p.stack);
	free(p.marks);
	free(p.values);
	free(p.memo);
	return ok;
}

bool pickle_begins(struct str head)
{
	static const char first[] = {(char)FRAME, EMPTY_DICT, EMPTY_LIST};

	return head.n > 2 && head.p[0] == '\x80' && head.p[1] >= 2 && head.p[1] <= 5 &&
	       memchr(first, head.p[2], sizeof first);
}
