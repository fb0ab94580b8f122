/*
 * The stack machine of pickles works on JSON text. The text of each value on the stack follows that of the value below
 * it, so a list takes up its items without copying them: two bytes before each value are reserved, one for the closing
 * bracket of the preceding value and one for a comma or colon.
 *
 * A dictionary that pickle_next() returns leaves the stack at once. Later opcodes can refer to values in it, of which
 * only the places in the file are stored, in a temporary file: such a value is made again by running its opcodes again.
 * A cache of limited size has the texts of short values.
 */
#include "pickle.h"

#include "base/num_format.h"
#include "base/num_parse.h"
#include "io/spool.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/write.h"

#include <stdio.h>
#include <stdlib.h>

/* The opcodes of plain data, and what each does with the pickle p; v is room for a number. */
#define OPCODES(X)                                                                                                     \
	X(PROTO, 0x80, read_number(p, 1, &v) && ((v >= 2 && v <= 5) || refuse(p, "unknown protocol of pickles")))      \
	X(FRAME, 0x95, read_number(p, 8, &v))                                                                          \
	X(STOP, '.', stop(p))                                                                                          \
	X(MARK, '(', set_mark(p))                                                                                      \
	X(NONE, 'N', push_text(p, STR("null")))                                                                        \
	X(NEWTRUE, 0x88, push_text(p, STR("true")))                                                                    \
	X(NEWFALSE, 0x89, push_text(p, STR("false")))                                                                  \
	X(BININT, 'J', read_integer(p, 4))                                                                             \
	X(BININT1, 'K', read_integer(p, 1))                                                                            \
	X(BININT2, 'M', read_integer(p, 2))                                                                            \
	X(LONG1, 0x8a, read_long(p))                                                                                   \
	X(BINFLOAT, 'G', read_double(p))                                                                               \
	X(SHORT_BINUNICODE, 0x8c, read_text(p, 1))                                                                     \
	X(BINUNICODE, 'X', read_text(p, 4))                                                                            \
	X(BINUNICODE8, 0x8d, read_text(p, 8))                                                                          \
	X(EMPTY_DICT, '}', push_container(p, FORM_DICT))                                                               \
	X(EMPTY_LIST, ']', push_container(p, FORM_LIST))                                                               \
	X(EMPTY_TUPLE, ')', make_tuple(p, p->n, p->at))                                                                \
	X(TUPLE, 't', take_marked(p, FORM_OTHER))                                                                      \
	X(TUPLE1, 0x85, take_tuple(p, 1))                                                                              \
	X(TUPLE2, 0x86, take_tuple(p, 2))                                                                              \
	X(TUPLE3, 0x87, take_tuple(p, 3))                                                                              \
	X(APPEND, 'a', append(p))                                                                                      \
	X(APPENDS, 'e', take_marked(p, FORM_LIST))                                                                     \
	X(SETITEM, 's', has_values(p, 3) && add_items(p, p->n - 2, FORM_DICT))                                         \
	X(SETITEMS, 'u', take_marked(p, FORM_DICT))                                                                    \
	X(BINPUT, 'q', read_number(p, 1, &v) && put_memo(p, v))                                                        \
	X(LONG_BINPUT, 'r', read_number(p, 4, &v) && put_memo(p, v))                                                   \
	X(MEMOIZE, 0x94, put_memo(p, (uint64_t)p->n_numbers + p->base))                                                \
	X(BINGET, 'h', read_number(p, 1, &v) && get_memo(p, v))                                                        \
	X(LONG_BINGET, 'j', read_number(p, 4, &v) && get_memo(p, v))

#define OPCODE(name, code, run) name = code,
enum opcode { OPCODES(OPCODE) };

/* The opcodes that are refused, by name. */
static const struct pickle_opcode {
	unsigned char code;
	const char *name;
} refused[] = {{'c', "GLOBAL"}, {0x93, "STACK_GLOBAL"}, {'R', "REDUCE"}, {'b', "BUILD"}, {'i', "INST"}, {'o', "OBJ"},
    {0x81, "NEWOBJ"}, {0x92, "NEWOBJ_EX"}, {'P', "PERSID"}, {'Q', "BINPERSID"}, {0x82, "EXT1"}, {0x83, "EXT2"},
    {0x84, "EXT4"}, {0x96, "BYTEARRAY8"}, {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"}, {'B', "BINBYTES"},
    {'C', "SHORT_BINBYTES"}, {0x8e, "BINBYTES8"}, {0x8f, "EMPTY_SET"}, {0x90, "ADDITEMS"}, {0x91, "FROZENSET"},
    {'I', "INT"}, {'L', "LONG"}, {'F', "FLOAT"}, {'V', "UNICODE"}, {'S', "STRING"}, {'T', "BINSTRING"},
    {'U', "SHORT_BINSTRING"}, {'d', "DICT"}, {'l', "LIST"}, {'p', "PUT"}, {'g', "GET"}, {'0', "POP"}, {'1', "POP_MARK"},
    {'2', "DUP"}, {0x8b, "LONG4"}};

enum { PREFIX = 2 }; /* the bytes before each value: the closing bracket of the preceding one, then a separator */
enum { NOT_HELD = 0 };

enum value_form { FORM_OTHER, FORM_TEXT, FORM_INTEGER /* a space precedes and follows it */, FORM_LIST, FORM_DICT };

/* A value on the stack. Lists and dictionaries have no closing bracket yet. */
struct pickle_slot {
	size_t at; /* the offset of its prefix */
	union {
		size_t items; /* how many items a list has, or how many keys and values a dictionary */
		int64_t integer;
	};
	uint64_t place, end; /* its opcodes in the file, as far as they were read */
	uint32_t before;     /* the number of remembered values when it was pushed */
	uint32_t held;       /* the index in values[] of the remembered value that it is, counted from 1; NOT_HELD */
	uint32_t shared;     /* the number by which an opcode referred to it, counted from 1; otherwise 0 */
	uint32_t index;      /* of a list in a list of lists: its number there */
	unsigned char form, depth;
	unsigned char list;    /* if it is a list of the table: its number there, counted from 1; otherwise 0 */
	unsigned char item_of; /* if it is a dictionary in a list of the table: the number of this list; otherwise 0 */
	bool inner;            /* it is a list in a list of lists */
	bool appended;         /* a dictionary in this list was returned, and no opcode has appended it yet */
	bool referred;         /* an opcode referred to it: it must not change any more */
	bool tight;            /* its text has no white space */
};

/* A value that the pickle can refer to again. */
struct pickle_memo {
	size_t from, n;      /* its text; n is unknown while it is open */
	uint64_t place, end; /* its opcodes in the file; `end` is unknown while it is open */
	uint32_t number;     /* the number by which opcodes refer to it, counted from 0 */
	uint32_t slot;       /* its place on the stack, while it is open */
	unsigned char form, depth;
	bool open; /* a list or dictionary that nothing contains yet */
};

struct pickle_mark {
	size_t first; /* the place on the stack of the first value after it */
	uint64_t place;
};

/* The opcodes in the file of a value that is not in memory any more; n is 0 if no opcode may refer to it. */
struct pickle_place {
	uint64_t at, n;
};

/* A text of more than CACHE_LONGEST bytes is made again each time: this costs little compared with writing it. */
enum { CACHE_VALUES = 1 << 16, CACHE_TEXT = 8 << 20, CACHE_LONGEST = 1024, LEVELS = 32 };

/* The values that are not in memory any more. */
struct pickle_store {
	struct spool file; /* the pickle */
	bool copies;       /* `file` is a copy of the source, made while it is read */
	struct spool places;
	struct spool_window place_window, windows[LEVELS];
	/* The cache of short values: a value is at its number modulo CACHE_VALUES, and its text is in `text`. */
	struct pickle_memo *cached;
	struct buf text;
};

struct pickle {
	struct source *src;
	struct pickle_limits limits;
	struct fault *fault;
	struct buf *text;
	struct pickle_slot *stack;
	size_t n, cap;
	struct pickle_mark *marks;
	size_t n_marks, marks_cap;
	/*
	 * The remembered values in memory, in the order of their numbers. The values from values[n_outer] on have
	 * successive numbers, n_places and higher; the others contain or precede the dictionary that is read.
	 */
	struct pickle_memo *values;
	size_t n_values, values_cap, n_outer;
	uint32_t n_numbers; /* how many numbers are used */
	uint32_t n_places;  /* how many of them have a place in the store */
	uint32_t base;      /* the first number in the file: some writers count from 1 */
	uint64_t at;        /* the offset of the opcode */
	bool stopped;
	/* of pickle_next() */
	const struct pickle_list *lists;
	size_t n_lists;
	struct pickle_store *store;
	struct pickle *whole; /* the reader of the file: another one if this one makes a value again */
	unsigned level;       /* how many readers called this one */
	struct pickle_member *members;
	size_t members_cap;
	size_t first; /* the place on the stack of the first member of the item; 0 while no item is complete */
	uint64_t skipped;
	struct buf room;  /* the text */
	struct buf tight; /* the texts of members without white space */
};

/* --- reading --- */

static bool refuse(struct pickle *p, const char *why)
{
	return fault_refuse(p->fault, why, p->at);
}

static bool refuse_opcode(struct pickle *p, unsigned char code)
{
	static _Thread_local char text[96];
	const char *name = "of no name";
	size_t i;

	for (i = 0; i < sizeof refused / sizeof *refused; i++)
		name = refused[i].code == code ? refused[i].name : name;
	snprintf(text, sizeof text, "the pickle has the opcode %s (%02x), which is not plain data", name, code);
	return refuse(p, text);
}

/* Copies the bytes of the window that are not copied yet, if the source cannot be read again. */
static bool copy_window(struct pickle *p)
{
	struct spool *const file = &p->store->file;
	const size_t known = (size_t)(file->size - p->src->offset);

	return !p->store->copies || spool_add(file, p->src->p + known, p->src->n - known, p->fault);
}

static bool load_more(struct pickle *p, uint64_t n)
{
	if (n > p->limits.file || p->src->offset > p->limits.file - n)
		return refuse(p, "the pickle is larger than the limit");
	while (p->src->n < n) {
		if (source_more(p->src) <= 0) {
			refuse(p, "cut short: the pickle does not end");
			p->fault->cut = true;
			return false;
		}
		if (p->store && !copy_window(p))
			return false;
	}
	return true;
}

/* Loads n bytes to the beginning of the window. */
static inline bool load(struct pickle *p, uint64_t n)
{
	return (n <= p->src->n && p->src->offset + n <= p->limits.file) || load_more(p, n);
}

/* Returns the number of up to 8 bytes at `at`, little endian; 8 bytes can be loaded, also at the window's end. */
static inline uint64_t number_at(const char *at, size_t bytes)
{
	uint64_t v;

	memcpy(&v, at, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return bytes ? v & UINT64_MAX >> (64 - 8 * bytes) : 0;
}

/* Returns the value of a number of up to 8 bytes, the highest bit of which is its sign. */
static inline int64_t signed_number(uint64_t v, size_t bytes)
{
	return bytes ? (int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes) : 0;
}

static inline bool read_number(struct pickle *p, size_t bytes, uint64_t *v)
{
	if (!load(p, bytes))
		return false;
	*v = number_at(p->src->p, bytes);
	source_skip(p->src, bytes);
	return true;
}

/* --- the stack --- */

static bool make_room(struct pickle *p)
{
	if (p->text->n > p->limits.text)
		return refuse(p, "the values of the pickle are longer than the limit");
	if (p->n >= p->limits.stack || p->n >= UINT32_MAX)
		return refuse(p, "the pickle has too many values outside of lists");
	p->stack = mem_grow(p->stack, &p->cap, p->n + 1, sizeof *p->stack);
	return true;
}

static inline struct pickle_slot *push(struct pickle *p, enum value_form form)
{
	struct pickle_slot *s;
	char *prefix;

	if ((p->text->n > p->limits.text || p->n >= p->limits.stack || p->n >= p->cap) && !make_room(p))
		return NULL;
	s = &p->stack[p->n++];
	*s = (struct pickle_slot){.at = p->text->n,
	    .place = p->at,
	    .end = p->src->offset,
	    .before = (uint32_t)p->n_values,
	    .form = (unsigned char)form};
	prefix = buf_room(p->text, PREFIX);
	prefix[0] = prefix[1] = ' ';
	p->text->n += PREFIX;
	return s;
}

static bool push_text(struct pickle *p, struct str text)
{
	if (!push(p, FORM_OTHER))
		return false;
	buf_add(p->text, text.p, text.n);
	return true;
}

static bool push_integer(struct pickle *p, int64_t v)
{
	struct pickle_slot *s = push(p, FORM_INTEGER);

	if (!s)
		return false;
	s->integer = v;
	buf_char(p->text, ' ');
	num_add_i64(p->text, v);
	buf_char(p->text, ' ');
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

/* Returns the text of a value on the stack. A list or dictionary must be closed. */
static struct str slot_text(const struct pickle *p, size_t place)
{
	const struct pickle_slot *s = &p->stack[place];
	const size_t pad = s->form == FORM_INTEGER, end = end_of(p, place) + (place + 1 < p->n && is_open(s));

	return (struct str){p->text->p + s->at + PREFIX + pad, end - s->at - PREFIX - 2 * pad};
}

/*
 * Appends the text of a list, dictionary or tuple without white space to *to, which must have room for it if there are
 * views of it. Appends other values unchanged. Returns the length.
 */
static size_t squeeze(struct pickle *p, size_t place, struct buf *to)
{
	const size_t before = to->n;

	scan_append(to, slot_text(p, place));
	return to->n - before;
}

/* Writes the closing bracket of a value: it does not change any more. */
static void close_value(struct pickle *p, size_t place)
{
	struct pickle_slot *s = &p->stack[place];
	size_t end = end_of(p, place);
	struct pickle_memo *value;

	if (!is_open(s))
		return;
	if (place + 1 == p->n)
		buf_char(p->text, ' ');
	p->text->p[end++] = closing(s->form);
	if (s->held == NOT_HELD)
		return;
	value = &p->values[s->held - 1];
	value->n = end - value->from;
	value->end = s->end;
	value->depth = s->depth;
	value->open = false;
}

/* Returns the place on the stack of the first value after the last mark; 0 if there is no mark. */
static size_t last_mark(const struct pickle *p)
{
	return p->n_marks ? p->marks[p->n_marks - 1].first : 0;
}

/* Whether n values are on the stack, above the last mark. */
static bool has_values(struct pickle *p, size_t n)
{
	return p->n - last_mark(p) >= n || refuse(p, "the stack of the pickle is empty");
}

/* Adds the depth of the values from `first` on to that of what contains them. */
static bool set_depth(struct pickle *p, size_t first, unsigned char *depth)
{
	size_t i;

	for (i = first; i < p->n; i++) {
		if (p->stack[i].depth >= p->limits.depth)
			return refuse(p, "the values of the pickle are nested too deep");
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
	       refuse(p, "the pickle has a key that is neither text nor integer");
}

/* --- the lists of the table --- */

/*
 * Returns the number, counted from 1, of the list of the table that a new list at the top of the stack is; 0 if it is
 * another one. The last mark, or else the beginning of the stack, shows which dictionary has the key before it.
 */
static unsigned char list_of_key(const struct pickle *p)
{
	const size_t first = p->n_marks ? last_mark(p) : 1, place = p->n - 1;
	const struct pickle_slot *dict;
	struct str name;
	size_t i;

	if (!first || place <= first || (place - first) % 2 == 0 || p->stack[place - 1].form != FORM_TEXT)
		return 0;
	dict = &p->stack[first - 1];
	if (dict->form != FORM_DICT || (first > 1 && !dict->item_of))
		return 0;
	name = json_inner(slot_text(p, place - 1));
	for (i = 0; i < p->n_lists; i++) {
		if (p->lists[i].of == (int)dict->item_of - 1 && str_eq(name, str_of(p->lists[i].key)))
			return (unsigned char)(i + 1);
	}
	return 0;
}

/* Whether the value at the top of the stack is a list of the table that contains dictionaries. */
static bool is_item_list(const struct pickle *p)
{
	const struct pickle_slot *s = &p->stack[p->n - 1];

	return p->n && s->list && (s->inner || !p->lists[s->list - 1].nested);
}

/* Finds out to which list of the table a new list or dictionary at the top of the stack belongs. */
static void place_in_lists(struct pickle *p)
{
	struct pickle_slot *s = &p->stack[p->n - 1], *below = s - 1;
	bool nested;

	if (p->n < 2)
		return;
	nested = below->list && p->lists[below->list - 1].nested;
	if (s->form == FORM_DICT) {
		s->item_of = !nested || below->inner ? below->list : 0;
	} else if (nested && (!below->inner || last_mark(p) != p->n - 1)) {
		/* the first list in a list of lists, or the one that follows the list `below` */
		s->list = below->list;
		s->inner = true;
		s->index = below->inner ? below->index + 1 : 0;
	} else {
		s->list = list_of_key(p);
	}
}

static bool push_container(struct pickle *p, enum value_form form)
{
	struct pickle_slot *s = push(p, form);

	if (!s)
		return false;
	s->depth = 1;
	if (p->n_lists)
		place_in_lists(p);
	buf_char(p->text, form == FORM_LIST ? '[' : '{');
	return true;
}

/* Refuses to put a list of the table elsewhere, because its items have been returned already. */
static bool is_stored(struct pickle *p, size_t first)
{
	size_t i;

	for (i = first; i < p->n; i++) {
		if (p->stack[i].list)
			return refuse(p, "the pickle has a known list at an unknown place");
	}
	return true;
}

/* Stores the place of a remembered value: it may have one already, without its end. */
static bool store_place(struct pickle *p, const struct pickle_memo *value)
{
	struct pickle_store *const store = p->store;
	struct pickle_place place = {value->place, value->open ? 0 : value->end - value->place};
	const uint64_t at = (uint64_t)value->number * sizeof place;

	if (value->number < p->n_places)
		return value->open ||
		       spool_write(&store->places, &store->place_window, at, &place, sizeof place, p->fault);
	p->n_places++;
	return spool_add(&store->places, &place, sizeof place, p->fault);
}

/* Removes the values from `first` on from the stack, and the remembered values in them from memory. */
static bool forget(struct pickle *p, size_t first)
{
	const size_t before = p->stack[first].before;
	size_t i;

	for (i = before < p->n_outer ? before : p->n_outer; i < p->n_values; i++) {
		if (!store_place(p, &p->values[i]))
			return false;
	}
	p->n_values = p->n_outer = before;
	p->text->n = p->stack[first].at;
	p->n = first;
	return true;
}

/* Removes the values from `first` on, which follow a list of the table that should contain them. */
static bool skip_items(struct pickle *p, size_t first)
{
	struct pickle_slot *list = &p->stack[first - 1];
	size_t i;

	list->appended = false;
	for (i = first; i < p->n; i++) {
		if (p->stack[i].list && (list->inner || !p->stack[i].inner || p->stack[i].list != list->list))
			return is_stored(p, i);
		p->skipped += !p->stack[i].list;
	}
	return first == p->n || forget(p, first);
}

/* Makes the values from `first` on the members of the item that pickle_next() returns. */
static bool return_members(struct pickle *p, size_t first)
{
	const int of = (int)p->stack[first - 1].item_of - 1;
	struct pickle_member *member;
	const struct pickle_slot *s;
	size_t i;

	p->members = mem_grow(p->members, &p->members_cap, (p->n - first) / 2, sizeof *p->members);
	for (i = first; i < p->n; i++) {
		s = &p->stack[i];
		if (s->list && (s->inner || (i - first) % 2 == 0 || p->lists[s->list - 1].of != of))
			return is_stored(p, i);
		if (is_open(s) && !s->list)
			close_value(p, i);
		if ((i - first) % 2 == 0 && !make_key(p, i))
			return false;
	}
	scan_pad(p->text);
	p->tight.n = 0;
	buf_room(&p->tight, p->text->n - p->stack[first].at + 2 * SCAN_PAD);
	for (i = first; i < p->n; i += 2) {
		s = &p->stack[i];
		member = &p->members[(i - first) / 2];
		member->key = (struct str){p->text->p + s->at + PREFIX + 1, end_of(p, i) - s->at - PREFIX - 2};
		s++;
		member->value = s->list ? STR("[]") : s->form == FORM_INTEGER ? STR("") : slot_text(p, i + 1);
		if (s->depth && !s->tight && !s->list) {
			member->value.p = p->tight.p + p->tight.n;
			member->value.n = squeeze(p, i + 1, &p->tight);
		}
		member->is_integer = s->form == FORM_INTEGER;
		member->integer = member->is_integer ? s->integer : 0;
		member->shared = s->shared;
	}
	p->first = first;
	return true;
}

/* --- lists, dictionaries and tuples --- */

/* Moves the values from `first` on into the list or dictionary that precedes them. */
static bool add_items(struct pickle *p, size_t first, enum value_form form)
{
	struct pickle_slot *s;
	size_t i;

	if (!first || (p->n_marks && last_mark(p) >= first) || p->stack[first - 1].form != form)
		return refuse(p, "the pickle adds items to what is no list or dictionary");
	s = &p->stack[first - 1];
	if (s->referred && p->n > first)
		return refuse(p, "the pickle changes a value that it referred to, or puts it into itself");
	if (form == FORM_DICT && (p->n - first) % 2)
		return refuse(p, "the pickle has a key without a value");
	if (!set_depth(p, first, &s->depth))
		return false;
	s->end = p->src->offset;
	if (s->list)
		return skip_items(p, first);
	if (p->n_lists && form == FORM_DICT && p->n > first && (first == 1 || s->item_of))
		return return_members(p, first);
	if (!is_stored(p, first))
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

/* Makes the values from `first` on a tuple, whose opcodes begin at `place`. */
static bool make_tuple(struct pickle *p, size_t first, uint64_t place)
{
	struct pickle_slot tuple = {.depth = 1, .form = FORM_OTHER, .place = place};
	size_t i;

	if (first == p->n) {
		if (!push_text(p, STR("[]")))
			return false;
		p->stack[p->n - 1].depth = 1;
		p->stack[p->n - 1].place = place;
		return true;
	}
	if (!set_depth(p, first, &tuple.depth) || !is_stored(p, first))
		return false;
	for (i = first; i < p->n; i++) {
		close_value(p, i);
		if (i > first)
			p->text->p[p->stack[i].at + 1] = ',';
	}
	tuple.at = p->stack[first].at;
	tuple.end = p->src->offset;
	insert(p, tuple.at + PREFIX, '[', p->stack[first].before);
	buf_char(p->text, ']');
	tuple.before = p->stack[first].before;
	p->stack[first] = tuple;
	p->n = first + 1;
	return true;
}

/* --- the cache --- */

/* Returns the value with this number, whose text is in store->text; NULL if the cache does not have it. */
static inline const struct pickle_memo *cache_find(const struct pickle_store *store, uint32_t number)
{
	const struct pickle_memo *cached = &store->cached[number % CACHE_VALUES];

	return cached->n && cached->number == number ? cached : NULL;
}

/* Adds a value whose text is in `from`; it replaces the value at the same place. */
static void cache_add(struct pickle_store *store, const struct pickle_memo *value, const struct buf *from)
{
	struct pickle_memo *cached = &store->cached[value->number % CACHE_VALUES];

	if (value->n > CACHE_LONGEST || value->form == FORM_INTEGER)
		return;
	*cached = *value;
	cached->from = store->text.n;
	buf_add(&store->text, from->p + value->from, value->n);
	scan_pad(&store->text);
}

/* Empties a full cache. */
static void cache_limit(struct pickle_store *store)
{
	if (store->text.n < CACHE_TEXT)
		return;
	memset(store->cached, 0, CACHE_VALUES * sizeof *store->cached);
	store->text.n = 0;
}

/* --- the memo --- */

static bool put_memo(struct pickle *p, uint64_t number)
{
	struct pickle_slot *s;
	struct pickle_memo *value;

	if (!has_values(p, 1))
		return false;
	s = &p->stack[p->n - 1];
	if (p->whole != p)
		return true;
	if (!p->n_numbers)
		p->base = number <= 1 ? (uint32_t)number : 0;
	if (number != (uint64_t)p->n_numbers + p->base || p->n_numbers >= UINT32_MAX - 1 || s->held != NOT_HELD)
		return refuse(p, "the pickle numbers its values in an unknown way");
	p->values = mem_grow(p->values, &p->values_cap, p->n_values + 1, sizeof *p->values);
	value = &p->values[p->n_values++];
	*value = (struct pickle_memo){.from = s->at + PREFIX,
	    .n = p->text->n - s->at - PREFIX,
	    .place = s->place,
	    .end = s->end,
	    .number = p->n_numbers++,
	    .slot = (uint32_t)(p->n - 1),
	    .form = s->form,
	    .depth = s->depth,
	    .open = is_open(s)};
	s->held = (uint32_t)p->n_values;
	if (p->store && value->form == FORM_TEXT)
		cache_add(p->store, value, p->text);
	return true;
}

/* Pushes a copy of a remembered value, which nothing can be added to. Its text is in `from`. */
static bool push_copy(struct pickle *p, const struct pickle_memo *value, const struct buf *from)
{
	struct pickle_slot *s =
	    push(p, value->form == FORM_TEXT || value->form == FORM_INTEGER ? value->form : FORM_OTHER);
	char *to;

	if (!s)
		return false;
	s->depth = value->depth;
	s->shared = value->number + 1;
	s->tight = from != p->whole->text;
	to = buf_room(p->text, value->n + 1); /* this may move the text */
	to = str_copy_short(to, (struct str){from->p + value->from, value->n});
	p->text->n = (size_t)(to - p->text->p);
	if (value->open)
		buf_char(p->text, closing(value->form));
	if (value->form == FORM_INTEGER) { /* it may have become a key */
		p->text->p[s->at + PREFIX] = p->text->p[p->text->n - 1] = ' ';
		if (num_int(slot_text(p, p->n - 1), &s->integer) != NUM_OK)
			s->integer = 0;
	}
	return true;
}

/* Pushes a copy of a value in memory. */
static bool push_held(struct pickle *p, const struct pickle_memo *held)
{
	struct pickle *const whole = p->whole;
	struct pickle_memo value = *held;
	struct pickle_slot *s;

	if (value.open) {
		s = &whole->stack[value.slot];
		if (p != whole || (whole->n_lists && (s->list || s->item_of || !value.slot)))
			return refuse(p, "the pickle refers to a value that is not complete");
		s->referred = true;
		value.n = end_of(p, value.slot) - value.from;
		value.depth = s->depth;
	}
	return push_copy(p, &value, whole->text);
}

static bool step(struct pickle *p);

/* Runs the opcodes of a value again, with a reader of its own, whose only value it then is. */
static bool make_again(struct pickle *p, struct pickle *again, struct pickle_place place)
{
	struct pickle_store *const store = p->whole->store;
	const char *bytes;
	bool ok = true;

	if (again->level >= LEVELS)
		return refuse(p, "the values of the pickle are nested too deep");
	if (place.at + place.n > store->file.size)
		return refuse(p, "the file has changed while it was read");
	bytes = spool_read(&store->file, &store->windows[again->level], place.at, (size_t)place.n, p->fault);
	if (!bytes)
		return false;
	source_lend(again->src, (struct str){bytes, (size_t)place.n}, place.at);
	while (ok && again->src->n)
		ok = step(again);
	if (!ok || again->n != 1 || again->n_marks)
		return ok && refuse(p, "the file has changed while it was read");
	close_value(again, 0);
	return true;
}

static void free_reader(struct pickle *p)
{
	mem_free(p->stack, p->marks, p->values, p->members);
	bufs_free(&p->room, &p->tight);
}

/* Pushes a copy of a value that is not in memory any more. */
static bool push_again(struct pickle *p, uint32_t number, struct pickle_place place)
{
	struct pickle again = {.limits = p->limits, .fault = p->fault, .whole = p->whole, .level = p->level + 1};
	struct pickle_memo value = {.number = number};
	struct buf tight = {0};
	bool ok;

	again.text = &again.room;
	again.src = source_new(p->src->file, (struct source_feed){NULL, NULL});
	ok = make_again(p, &again, place);
	if (ok && again.stack[0].form == FORM_INTEGER) {
		ok = push_integer(p, again.stack[0].integer);
	} else if (ok) {
		scan_pad(&again.room);
		value.n = squeeze(&again, 0, &tight);
		value.form = again.stack[0].form;
		value.depth = again.stack[0].depth;
		cache_add(p->whole->store, &value, &tight);
		ok = push_copy(p, &value, &tight);
	}
	buf_free(&tight);
	source_close(again.src);
	free_reader(&again);
	return ok;
}

/* Pushes a copy of a value that is in the file only. */
static bool push_stored(struct pickle *p, uint32_t number)
{
	struct pickle *const whole = p->whole;
	struct pickle_store *const store = whole->store;
	struct pickle_place place;
	const char *bytes;
	size_t i;

	bytes =
	    spool_read(&store->places, &store->place_window, (uint64_t)number * sizeof place, sizeof place, p->fault);
	if (!bytes)
		return false;
	memcpy(&place, bytes, sizeof place);
	if (place.n)
		return push_again(p, number, place);
	for (i = 0; i < whole->n_outer; i++) {
		if (whole->values[i].number == number)
			return push_held(p, &whole->values[i]);
	}
	return refuse(p, "the pickle refers to a list that is not stored");
}

static bool get_memo(struct pickle *p, uint64_t number)
{
	const struct pickle *const whole = p->whole;
	const struct pickle_memo *cached;

	if (number < whole->base || number - whole->base >= whole->n_numbers)
		return refuse(p, "the pickle refers to a value of an unknown number");
	number -= whole->base;
	if (number < whole->n_places) {
		cached = cache_find(whole->store, (uint32_t)number);
		return cached ? push_copy(p, cached, &whole->store->text) : push_stored(p, (uint32_t)number);
	}
	return push_held(p, &whole->values[whole->n_outer + (number - whole->n_places)]);
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
	struct str text;
	uint64_t n;

	if (!read_number(p, bytes, &n) || !load(p, n))
		return false;
	text = (struct str){p->src->p, n};
	if (!is_text(text))
		return refuse(p, "the pickle has a text that is not UTF-8");
	source_skip(p->src, n); /* the text stays in the window */
	if (!push(p, FORM_TEXT))
		return false;
	json_quote(p->text, text);
	return true;
}

static bool read_long(struct pickle *p)
{
	uint64_t n, v;

	if (!read_number(p, 1, &n))
		return false;
	if (n > 8)
		return refuse(p, "the pickle has an integer of more than 64 bits");
	return read_number(p, n, &v) && push_integer(p, signed_number(v, n));
}

static bool read_double(struct pickle *p)
{
	uint64_t bits;
	double v;

	if (!read_number(p, 8, &bits))
		return false;
	bits = __builtin_bswap64(bits);
	memcpy(&v, &bits, sizeof v);
	if (!push(p, FORM_OTHER))
		return false;
	json_put_double(p->text, v);
	return true;
}

static bool set_mark(struct pickle *p)
{
	if (p->n_marks >= p->limits.stack)
		return refuse(p, "the pickle has too many marks");
	p->marks = mem_grow(p->marks, &p->marks_cap, p->n_marks + 1, sizeof *p->marks);
	p->marks[p->n_marks++] = (struct pickle_mark){p->n, p->at};
	return true;
}

static bool stop(struct pickle *p)
{
	if (!has_values(p, 1))
		return false;
	if (p->n != 1 || p->n_marks)
		return refuse(p, "the pickle ends with several values");
	if (p->src->n || source_more(p->src) > 0)
		return refuse(p, "bytes follow the end of the pickle");
	if (p->src->fault.what)
		return refuse(p, "damaged after the end of the pickle");
	close_value(p, 0);
	p->stopped = true;
	return true;
}

/* --- opcodes --- */

/* Reads an integer of this number of bytes; only those of four bytes have a sign. */
static bool read_integer(struct pickle *p, size_t bytes)
{
	uint64_t v;

	return read_number(p, bytes, &v) && push_integer(p, bytes == 4 ? (int32_t)(uint32_t)v : (int64_t)v);
}

static bool take_tuple(struct pickle *p, size_t n)
{
	return has_values(p, n) && make_tuple(p, p->n - n, p->stack[p->n - n].place);
}

static bool append(struct pickle *p)
{
	if (p->n && p->stack[p->n - 1].appended)
		return skip_items(p, p->n);
	return has_values(p, 2) && add_items(p, p->n - 1, FORM_LIST);
}

/* Moves the values after the last mark into the list or dictionary before it, or makes them a tuple (FORM_OTHER). */
static bool take_marked(struct pickle *p, enum value_form form)
{
	struct pickle_mark mark;

	if (!p->n_marks)
		return refuse(p, "the pickle lacks a mark");
	mark = p->marks[--p->n_marks];
	return form == FORM_OTHER ? make_tuple(p, mark.first, mark.place) : add_items(p, mark.first, form);
}

#define CASE(name, value, run)                                                                                         \
	case name:                                                                                                     \
		return run;
static bool run(struct pickle *p, unsigned char code)
{
	uint64_t v;

	switch (code) {
		OPCODES(CASE)
	default:
		return refuse_opcode(p, code);
	}
}

static bool step(struct pickle *p)
{
	uint64_t code;

	p->at = p->src->offset;
	return read_number(p, 1, &code) && run(p, (unsigned char)code);
}

bool pickle_read(struct source *src, const struct pickle_limits *limits, struct buf *json, struct fault *fault)
{
	struct pickle p = {.src = src, .limits = *limits, .fault = fault, .text = json, .whole = &p};
	bool ok = true;

	while (ok && !p.stopped)
		ok = step(&p);
	free_reader(&p);
	return ok;
}

struct pickle *pickle_open(
    struct source *src, const struct pickle_limits *limits, const struct pickle_list *lists, size_t n)
{
	struct pickle *p = mem_zero(1, sizeof *p);
	struct pickle_store *store = mem_zero(1, sizeof *store);
	struct fault fault;

	*p = (struct pickle){
	    .src = src, .limits = *limits, .text = &p->room, .whole = p, .lists = lists, .n_lists = n, .store = store};
	store->cached = mem_zero(CACHE_VALUES, sizeof *store->cached);
	spool_init(&store->places);
	store->copies = source_descriptor(src) < 0;
	if (store->copies)
		spool_init(&store->file);
	else
		spool_source(&store->file, src, &fault);
	return p;
}

/* --- dictionaries as most events are written --- */

/*
 * quick_item() reads a dictionary of at most QUICK members whose keys and values are numbers, constants, and texts in
 * the cache. It needs neither the stack nor copies of texts, and takes a third of the time.
 */
enum { QUICK = 32, QUICK_BYTES = 16 /* at most one key and one value */ };

/* Returns the number of `bytes` bytes at *at, which it moves to the following byte. */
static inline uint64_t quick_number(const char **at, size_t bytes)
{
	*at += bytes;
	return number_at(*at - bytes, bytes);
}

/* Reads an opcode that refers to a text in the cache. Returns NULL if it is another opcode, or not in the cache. */
static inline const struct pickle_memo *quick_get(const struct pickle *p, const char **at)
{
	const unsigned char code = (unsigned char)**at;
	const struct pickle_memo *cached;
	const char *after = *at + 1;
	uint64_t number;

	if (code != BINGET && code != LONG_BINGET)
		return NULL;
	number = quick_number(&after, code == BINGET ? 1 : 4) - p->base;
	if (number >= p->n_places)
		return NULL;
	cached = cache_find(p->store, (uint32_t)number);
	*at = cached ? after : *at;
	return cached;
}

/* Reads an integer; false if it is another opcode. */
static inline bool quick_integer(const char **at, int64_t *v)
{
	const unsigned char code = (unsigned char)**at;
	const char *after = *at + 1;
	size_t n;

	if (code == BININT)
		*v = (int32_t)(uint32_t)quick_number(&after, 4);
	else if (code == BININT1 || code == BININT2)
		*v = (int64_t)quick_number(&after, code == BININT1 ? 1 : 2);
	else if (code == LONG1 && (n = (unsigned char)*after++) > 0 && n <= 8)
		*v = signed_number(quick_number(&after, n), n);
	else
		return false;
	*at = after;
	return true;
}

/* Reads the value of a member. */
static inline bool quick_value(const struct pickle *p, const char **at, struct pickle_member *member)
{
	static const struct str constants[] = {{"null", 4}, {"true", 4}, {"false", 5}};
	const struct pickle_memo *cached;
	const unsigned char code = (unsigned char)**at;

	member->value.n = member->shared = 0;
	member->is_integer = quick_integer(at, &member->integer);
	if (member->is_integer)
		return true;
	if (code == NONE || code == NEWTRUE || code == NEWFALSE) {
		member->value = constants[code == NONE ? 0 : code == NEWTRUE ? 1 : 2];
		++*at;
		return true;
	}
	if (!(cached = quick_get(p, at)))
		return false;
	member->value = (struct str){p->store->text.p + cached->from, cached->n};
	member->shared = cached->number + 1;
	return true;
}

/* Skips the opcode that remembers the dictionary, if there is one; sets *remembered. */
static bool quick_put(const struct pickle *p, const char **at, bool *remembered)
{
	const unsigned char code = (unsigned char)**at;

	*remembered = code == MEMOIZE || code == BINPUT || code == LONG_BINPUT;
	*at += *remembered;
	if (code == BINPUT || code == LONG_BINPUT)
		return quick_number(at, code == BINPUT ? 1 : 4) == (uint64_t)p->n_numbers + p->base;
	return p->n_numbers > 0;
}

/* Gives a number to a dictionary that no opcode may refer to. */
static bool skip_number(struct pickle *p)
{
	struct pickle_memo value = {.number = p->n_numbers, .open = true};

	for (; p->n_outer < p->n_values; p->n_outer++) {
		if (!store_place(p, &p->values[p->n_outer]))
			return false;
	}
	p->n_numbers++;
	return store_place(p, &value);
}

/* Reads the next dictionary of a list. Returns false, and reads nothing, if it is not so simple, or not complete. */
static bool quick_item(struct pickle *p, struct pickle_item *item)
{
	struct pickle_slot *list = &p->stack[p->n - 1];
	const char *at = p->src->p, *const end = at + p->src->n;
	const struct pickle_memo *key;
	bool remembered;
	size_t n;

	if (end - at < QUICK_BYTES || (unsigned char)*at++ != EMPTY_DICT || !quick_put(p, &at, &remembered) ||
	    *at++ != MARK || p->n_numbers >= UINT32_MAX - 1)
		return false;
	p->members = mem_grow(p->members, &p->members_cap, QUICK, sizeof *p->members);
	for (n = 0; n < QUICK && end - at > QUICK_BYTES && (key = quick_get(p, &at)); n++) {
		if (key->form != FORM_TEXT || !quick_value(p, &at, &p->members[n]))
			return false;
		p->members[n].key = (struct str){p->store->text.p + key->from + 1, key->n - 2};
	}
	if (!n || end == at || *at++ != SETITEMS || p->src->offset + (size_t)(at - p->src->p) > p->limits.file)
		return false;
	*item = (struct pickle_item){
	    .list = list->list - 1, .index = list->index, .at = p->src->offset, .n = n, .members = p->members};
	list->appended = true;
	p->at = p->src->offset;
	source_skip(p->src, (size_t)(at - p->src->p));
	return !remembered || skip_number(p);
}

/* Removes the last item. */
static bool remove_item(struct pickle *p)
{
	const size_t first = p->first;

	p->first = 0;
	if (first <= 1) /* the members of the outermost dictionary, or no item */
		return !first || forget(p, first);
	p->stack[first - 2].appended = true;
	cache_limit(p->store);
	return forget(p, first - 1);
}

int pickle_next(struct pickle *p, struct pickle_item *item, struct fault *fault)
{
	const struct pickle_slot *dict;

	p->fault = fault;
	if (!remove_item(p) || !copy_window(p))
		return -1;
	fault->what = NULL;
	while (!p->first) {
		if (p->stopped)
			return 0;
		if (is_item_list(p) && quick_item(p, item))
			return 1;
		if (fault->what || !step(p))
			return -1;
	}
	dict = &p->stack[p->first - 1];
	*item = (struct pickle_item){.list = (int)dict->item_of - 1,
	    .index = p->first > 1 ? (dict - 1)->index : 0,
	    .at = dict->place,
	    .n = (p->n - p->first) / 2,
	    .members = p->members};
	return 1;
}

bool pickle_outer(const struct pickle *p, const char *key, int64_t *v)
{
	size_t i;

	/* The list of the item, its key, and the preceding members are on the stack. */
	if (p->first == 1) /* members of the outermost dictionary */
		return false;
	for (i = p->first ? p->first - 2 : p->n - 1; i >= 3 && p->stack[i - 3].form == FORM_TEXT; i -= 2) {
		if (p->stack[i - 2].form == FORM_INTEGER && str_eq(json_inner(slot_text(p, i - 3)), str_of(key))) {
			*v = p->stack[i - 2].integer;
			return true;
		}
	}
	return false;
}

uint64_t pickle_skipped(const struct pickle *p)
{
	return p->skipped;
}

void pickle_close(struct pickle *p)
{
	struct pickle_store *const store = p->store;
	size_t i;

	for (i = 0; i < LEVELS; i++)
		spool_window_free(&store->windows[i]);
	spool_window_free(&store->place_window);
	spool_free(&store->places);
	spool_free(&store->file);
	buf_free(&store->text);
	free_reader(p);
	mem_free(store->cached, store, p);
}

bool pickle_report(struct reader *r, const struct fault *fault, const char *consequence)
{
	return (fault->cut ? reader_cut : reader_lost)(
	    r, reader_text(r, "%s; %s", fault->what, consequence), 0, fault->at.byte);
}

bool pickle_begins(struct str head)
{
	static const char first[] = {(char)FRAME, EMPTY_DICT, EMPTY_LIST};

	return head.n > 2 && head.p[0] == '\x80' && head.p[1] >= 2 && head.p[1] <= 5 &&
	       memchr(first, head.p[2], sizeof first);
}
