#include "nsys.h"

#include "base/char_class.h"
#include "json/check.h"
#include "json/string.h"
#include "json/scan.h"
#include "json/iter_inline.h"

/* Where a member may be: in the object of the line (TOP), or in the event object and the object inside it (EVENT). */
enum { TOP = 1, EVENT = 2, ANY = TOP | EVENT };

/*
 * Whether a member is also kept in args when its value is stored in v[]. It is not kept if v[] represents it
 * completely.
 */
enum keep {
	KEPT,  /* always kept in args */
	WHOLE, /* not kept in args when it is a whole number */
	TIME,  /* not kept in args when it is a whole number; an object that contains the time is kept */
	TEXT,  /* not kept in args when it is a string */
	ARRAY, /* not kept in args when it is an array */
};

struct nsys_member {
	struct str name;
	unsigned where;
	enum nsys_field field;
	enum keep keep;
};

/* clang-format off */
#define ROW(name, where, field, keep) {{"" name, sizeof(name) - 1}, where, NSYS_##field, keep}
/* clang-format on */

/*
 * Sorted by the length of the name. Names that begin with a capital letter occur only in the old events; all others
 * occur in both forms.
 */
static const struct nsys_member known[] = {
    ROW("id", TOP, ID, KEPT),
    ROW("end", ANY, END, TIME),
    ROW("Type", TOP, TYPE, WHOLE),
    ROW("Type", EVENT, NVTX, KEPT),
    ROW("name", TOP, NAME, TEXT),
    ROW("name", EVENT, NAME_ID, KEPT),
    ROW("Text", EVENT, NAME, TEXT),
    ROW("text", TOP, NAME, TEXT),
    ROW("type", TOP, LINE, TEXT),
    ROW("data", TOP, DATA, ARRAY),
    ROW("endNs", EVENT, END, TIME),
    ROW("start", ANY, START, TIME),
    ROW("table", TOP, TABLE, TEXT),
    ROW("value", TOP, VALUE, KEPT),
    ROW("bytes", ANY, BYTES, WHOLE),
    ROW("nameId", ANY, NAME_ID, KEPT),
    ROW("TextId", EVENT, NAME_ID, KEPT),
    ROW("textId", ANY, NAME_ID, KEPT),
    ROW("startNs", EVENT, START, TIME),
    ROW("nameIdx", TOP, NAME_ID, KEPT),
    ROW("deviceId", ANY, DEV, WHOLE),
    ROW("streamId", ANY, STREAM, WHOLE),
    ROW("copyKind", ANY, COPY, KEPT),
    ROW("syncType", ANY, SYNC, KEPT),
    ROW("DomainId", EVENT, DOMAIN, KEPT),
    ROW("domainId", ANY, DOMAIN, KEPT),
    ROW("filename", TOP, NAME, TEXT),
    ROW("globalTid", ANY, THREAD, KEPT),
    ROW("GlobalTid", EVENT, THREAD, KEPT),
    ROW("globalPid", ANY, PROCESS, KEPT),
    ROW("GlobalPid", EVENT, PROCESS, KEPT),
    ROW("Timestamp", EVENT, START, TIME),
    ROW("eventType", TOP, NVTX, KEPT),
    ROW("timestamp", TOP, START, WHOLE),
    ROW("sizebytes", EVENT, BYTES, WHOLE),
    ROW("shortName", ANY, SHORT, WHOLE),
    ROW("eventClass", ANY, CLASS, KEPT),
    ROW("filenameId", TOP, NAME_ID, KEPT),
    ROW("returnValue", ANY, RESULT, WHOLE),
    ROW("mangledName", ANY, MANGLED, KEPT),
    ROW("EndTimestamp", EVENT, END, TIME),
    ROW("correlationId", ANY, CORR, WHOLE),
    ROW("demangledName", ANY, DEMANGLED, KEPT),
    ROW("GlobalProcess", EVENT, PROCESS, KEPT),
};

enum { KNOWN = sizeof known / sizeof *known, LONGEST = 13 };

struct walking {
	struct nsys_row *row;
	uint32_t kinds;
	bool args, clean;
};

/*
 * Returns an array. Element n is the index of the first row of known[] whose name has n characters, or KNOWN if no row
 * has such a name. Element 0 is not used.
 */
static const unsigned char *by_length(void)
{
	static unsigned char first[LONGEST + 1];
	size_t n, i;

	if (!first[1]) {
		for (n = 0; n <= LONGEST; n++) {
			for (i = 0; i < KNOWN && known[i].name.n != n; i++)
				;
			first[n] = (unsigned char)i;
		}
	}
	return first;
}

static inline const struct nsys_member *find_known(struct str key, unsigned where)
{
	size_t i = key.n <= LONGEST ? by_length()[key.n] : KNOWN;

	for (; i < KNOWN && known[i].name.n == key.n; i++) {
		if (known[i].name.p[0] == key.p[0] && (known[i].where & where) &&
		    memcmp(known[i].name.p, key.p, key.n) == 0)
			return &known[i];
	}
	return NULL;
}

const struct nsys_member *nsys_row_column(struct str name)
{
	return find_known(name, TOP);
}

enum nsys_field nsys_member_field(const struct nsys_member *k)
{
	return k->field;
}

struct str nsys_whole(struct str value)
{
	const struct str none = {NULL, 0};
	size_t i;

	if (value.n > 2 && value.p[0] == '"')
		value = json_inner(value);
	i = value.n > 1 && value.p[0] == '-';
	if (value.n == 0 || (value.p[i] == '0' && value.n > i + 1))
		return none;
	return str_all(str_from(value, i), is_digit) ? value : none;
}

uint64_t nsys_global_id(struct str value)
{
	struct str digits = value.p ? nsys_whole(value) : value;
	bool minus = digits.n && digits.p[0] == '-'; /* sqlite stores ids of 2^63 and above as negative numbers */
	uint64_t v = 0;
	size_t i;

	for (i = minus; i < digits.n; i++)
		v = v * 10 + (uint64_t)(digits.p[i] - '0');
	return minus ? 0 - v : v;
}

static bool take_time(struct str *v, struct str value)
{
	bool object = value.p[0] == '{';
	struct str time = object ? iter_find(value, STR("Time")) : value;
	struct str digits = time.p ? nsys_whole(time) : time;

	*v = digits.p ? digits : time; /* a value that is not a number is reported when the record is made */
	return digits.p && !object;
}

/*
 * Sets *v to the value if it begins with `open`, the first character of a string or an array; otherwise leaves *v
 * absent.
 */
static bool take_opened(struct str *v, struct str value, char open)
{
	if (value.p[0] != open)
		return false;
	*v = value;
	return true;
}

bool nsys_row_take(struct nsys_row *row, const struct nsys_member *k, struct str value)
{
	struct str *v = &row->v[k->field];

	if (v->p || str_eq(value, STR("null")))
		return false; /* another member has already set v[], or this value is null */
	switch (k->keep) {
	case WHOLE:
		*v = nsys_whole(value);
		return v->p;
	case TIME:
		return take_time(v, value);
	case TEXT:
		return take_opened(v, value, '"');
	case ARRAY:
		return take_opened(v, value, '[');
	default:
		*v = value;
		return false;
	}
}

bool nsys_row_take_int(struct nsys_row *row, const struct nsys_member *k, struct str digits)
{
	struct str *v = &row->v[k->field];

	if (v->p || k->keep == TEXT || k->keep == ARRAY)
		return false;
	*v = digits;
	return k->keep != KEPT;
}

/* Adds ,"key":value to args. Returns false when the value is not JSON. */
static bool pass(struct walking *w, struct str key, struct str value)
{
	struct buf *to = &w->row->args;
	struct fault f;
	char *p;

	if (!w->args)
		return true;
	p = buf_room(to, key.n + value.n + 4 + SOURCE_PAD);
	*p++ = ',';
	memcpy(p, key.p - 1, key.n + 2);
	p += key.n + 2;
	*p++ = ':';
	if (value.p[0] == '{' || value.p[0] == '[') {
		if (w->clean && !json_check(value, &f))
			return false;
		p += scan_squeeze(p, value).n;
	} else {
		memcpy(p, value.p, value.n);
		p += value.n;
	}
	to->n = (size_t)(p - to->p);
	return true;
}

/*
 * Returns whether the value is an object whose members are read as fields too. Sets *name to the key of the first such
 * object.
 */
static bool opens(struct str *name, struct str key, struct str value)
{
	if (value.p[0] != '{' || name->p)
		return false;
	*name = (struct str){key.p - 1, key.n + 2};
	return true;
}

static enum nsys_walked walk_members(struct walking *w, struct str object, unsigned where)
{
	struct nsys_row *row = w->row;
	const struct nsys_member *k;
	enum nsys_walked inner;
	struct str key, value;
	struct iter at;
	int r;

	iter_init(&at, object);
	if (at.close != '}')
		return NSYS_BROKEN;
	while ((r = iter_quick(&at, &key, &value)) > 0) {
		if (where == TOP && opens(&row->event, key, value)) {
			if (!(nsys_event_kinds(row->event) & w->kinds))
				return NSYS_SKIPPED;
			inner = walk_members(w, value, EVENT);
		} else if (where == EVENT && str_eq(row->event, STR("\"CudaEvent\"")) &&
			   opens(&row->object, key, value)) {
			if (!(nsys_object_kinds(row->object) & w->kinds))
				return NSYS_SKIPPED;
			inner = walk_members(w, value, EVENT);
		} else {
			k = find_known(key, where);
			inner = (k && nsys_row_take(row, k, value)) || pass(w, key, value) ? NSYS_WALKED : NSYS_BROKEN;
		}
		if (inner != NSYS_WALKED)
			return inner;
	}
	return r < 0 ? NSYS_BROKEN : NSYS_WALKED;
}

enum nsys_walked nsys_row_walk(struct nsys_row *row, const struct nsys_line *line, uint32_t kinds, bool args)
{
	struct walking w = {row, kinds, args, line->clean};

	memset(row->v, 0, sizeof row->v);
	row->event = row->object = (struct str){NULL, 0};
	row->args.n = 0;
	return walk_members(&w, line->text, TOP);
}
