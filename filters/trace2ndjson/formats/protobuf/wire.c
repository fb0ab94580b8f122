#include "wire.h"

#include "json/string.h"

int wire_varint(struct str text, uint64_t *v)
{
	unsigned char byte;
	size_t i;

	*v = 0;
	for (i = 0; i < text.n; i++) {
		byte = (unsigned char)text.p[i];
		/* Only one of the 64 bits is left for the tenth byte, and no byte may follow it. */
		if (i == 9 && byte > 1)
			return -1;
		*v |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80)
			return (int)i + 1;
	}
	return 0;
}

/* The faults of a message that is cut. */
static const char cut_number[] = "message ends inside a number",
		  cut_bytes[] = "length points past the end of its message";

static int set_fault(struct wire *w, const char *why)
{
	w->fault = why;
	return -1;
}

/* The part of read_number() for numbers of several bytes. */
static int read_long(struct wire *w, const char **p, uint64_t *v)
{
	int n = wire_varint((struct str){*p, (size_t)(w->end - *p)}, v);

	if (n == 0)
		return set_fault(w, cut_number);
	if (n < 0)
		return set_fault(w, "number has more than 10 bytes or 64 bits");
	*p += n;
	return 1;
}

/* Reads a number at *p, and moves *p to the byte after it. Returns 1, or -1 when the number is damaged. */
static inline int read_number(struct wire *w, const char **p, uint64_t *v)
{
	/* Most numbers have one byte. */
	if (*p == w->end || **p & 0x80)
		return read_long(w, p, v);
	*v = (unsigned char)*(*p)++;
	return 1;
}

/* Reads n bytes at *p, and moves *p to the byte after them. Returns -1 when there are fewer; sets the view anyway. */
static inline int read_bytes(struct wire *w, const char **p, uint64_t n, struct wire_field *field)
{
	field->bytes = (struct str){*p, (size_t)n};
	if (n > (uint64_t)(w->end - *p))
		return set_fault(w, cut_bytes);
	*p += n;
	return 1;
}

/* Reads a little-endian number; the format is little-endian on every machine. */
static uint64_t little_endian(struct str bytes)
{
	uint64_t v = 0;

	for (; bytes.n; bytes.n--)
		v = v << 8 | (unsigned char)bytes.p[bytes.n - 1];
	return v;
}

int wire_next(struct wire *w, struct wire_field *field)
{
	const char *p = w->p;
	uint64_t tag, n;
	int got;

	if (w->fault)
		return -1;
	if (p == w->end)
		return 0;
	if (read_number(w, &p, &tag) < 0)
		return -1;
	if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff)
		return set_fault(w, "field number is not valid in protobuf");
	field->no = (uint32_t)(tag >> 3);
	field->type = (enum wire_type)(tag & 7);
	switch (tag & 7) {
	case WIRE_VARINT:
		got = read_number(w, &p, &field->v);
		break;
	case WIRE_LEN:
		got = read_number(w, &p, &n);
		if (got > 0)
			got = read_bytes(w, &p, n, field);
		break;
	case WIRE_FIXED64:
	case WIRE_FIXED32:
		got = read_bytes(w, &p, (tag & 7) == WIRE_FIXED64 ? 8 : 4, field);
		if (got > 0)
			field->v = little_endian(field->bytes);
		break;
	case 3:
	case 4:
		return set_fault(w, "unexpected protobuf group (wire type 3 or 4)");
	default:
		return set_fault(w, "wire type is not valid in protobuf");
	}
	if (got > 0)
		w->p = p;
	return got;
}

int wire_head(struct str head, struct wire_field *field, size_t *size, const char **fault)
{
	struct wire w = wire_of(head);

	*field = (struct wire_field){0};
	/* The caller needs only the place of the bytes, which may be beyond the head. */
	if (wire_next(&w, field) > 0 || (w.fault == cut_bytes && field->type == WIRE_LEN)) {
		if (field->type != WIRE_LEN)
			field->bytes = (struct str){w.p, 0};
		*size = (size_t)(field->bytes.p - head.p);
		return 1;
	}
	*fault = w.fault;
	return !w.fault || w.fault == cut_number || w.fault == cut_bytes ? 0 : -1;
}

bool wire_find(struct str message, uint32_t no, enum wire_type type, struct wire_field *field)
{
	struct wire w = wire_of(message);
	struct wire_field f;
	bool found = false;

	while (wire_next(&w, &f) > 0) {
		if (f.no != no || f.type != type)
			continue;
		/* Of a field that is sent several times, the last value counts, as protobuf requires. */
		*field = f;
		found = true;
	}
	return found;
}

uint64_t wire_find_number(struct str message, uint32_t no)
{
	struct wire_field f;

	return wire_find(message, no, WIRE_VARINT, &f) ? f.v : 0;
}

struct str wire_find_bytes(struct str message, uint32_t no)
{
	struct wire_field f;

	return wire_find(message, no, WIRE_LEN, &f) ? f.bytes : STR("");
}

bool wire_next_message(struct wire *w, uint32_t no, struct str *message)
{
	struct wire_field f;

	while (wire_next(w, &f) > 0) {
		*message = f.bytes;
		if (f.no == no && f.type == WIRE_LEN)
			return true;
	}
	return false;
}

bool wire_sound(struct str message, struct wire *w)
{
	struct wire_field none;

	return wire_read(message, &(struct wire_want){0}, &none, w);
}

bool wire_read(struct str message, const struct wire_want *wants, struct wire_field *values, struct wire *w)
{
	struct wire inner = wire_of(message);
	struct wire_field f = {0};
	size_t i;

	for (i = 0; wants[i].no; i++)
		values[i] = f;
	while (wire_next(&inner, &f) > 0) {
		for (i = 0; wants[i].no && (f.no != wants[i].no || f.type != wants[i].type); i++)
			;
		if (wants[i].no)
			values[i] = f;
	}
	return wire_passed(&inner, w, NULL);
}

int wire_packed(struct str *rest, uint64_t *v)
{
	int n;

	if (!rest->n)
		return 0;
	n = wire_varint(*rest, v);
	if (n <= 0)
		return -1;
	*rest = str_from(*rest, (size_t)n);
	return 1;
}

bool wire_number(const struct wire_field *field, struct str *rest, uint64_t *v)
{
	/* A writer may pack repeated numbers into one field or send a field for each; readers must accept both. */
	if (field->type == WIRE_LEN)
		return wire_packed(rest, v) > 0;
	*v = field->v;
	if (!rest->n)
		return false;
	rest->n = 0;
	return true;
}

/* --- values as JSON --- */

void wire_put_text(struct reader *r, uint64_t at, struct buf *b, struct str text)
{
	if (json_plain(text) < text.n)
		reader_check_text(r, text, 0, at);
	json_quote(b, text);
}

void wire_put_name(struct reader *r, uint64_t at, struct buf *b, struct str name)
{
	if (b->p[b->n - 1] != '{')
		buf_char(b, ',');
	wire_put_text(r, at, b, name);
	buf_char(b, ':');
}

struct str wire_numbered(char room[WIRE_NUMBERED], const char *prefix, uint64_t number)
{
	return (struct str){room, (size_t)(num_put_u64(str_copy(room, str_of(prefix)), number) - room)};
}
