/* xplane_stats: converts stats to JSON. A stat has the number of its name, and a value of any type. */
#include "xplane.h"

/* A stat: {1 metadata_id, 2 double, 3 uint64, 4 int64, 5 text, 6 bytes, 7 reference}. */
static bool read_stat(struct str message, uint64_t *id, struct wire_field *value)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	*id = 0;
	*value = (struct wire_field){0};
	while (wire_next(&w, &f) > 0) {
		if (f.no == 1 && f.type == WIRE_VARINT)
			*id = f.v;
		else if (f.no >= 2 && f.no <= 7)
			*value = f;
	}
	return !w.fault;
}

static void put_key(struct xplane *x, struct reader *r, const struct xplane_stat_name *name, uint64_t id)
{
	if (x->args.p[x->args.n - 1] != '{')
		buf_char(&x->args, ',');
	if (name)
		wire_put_text(
		    r, x->at, &x->args, name->name.has ? xplane_tables_text(&x->tables, name->name) : STR(""));
	else
		wire_put_numbered(&x->args, "stat ", id);
	buf_char(&x->args, ':');
}

/* Appends the value; a text is also stored in *values if it sets a member. */
static void put_value(struct xplane *x, struct reader *r, enum xplane_role role, const struct wire_field *value,
    struct xplane_values *values)
{
	const struct xplane_stat_name *name;
	struct str text = {NULL, 0};

	switch (value->no << 3 | value->type) {
	case 2 << 3 | WIRE_FIXED64:
		wire_put_double(&x->args, wire_double(value->v));
		break;
	case 3 << 3 | WIRE_VARINT:
		wire_put_uint(&x->args, value->v);
		break;
	case 4 << 3 | WIRE_VARINT:
		wire_put_int(&x->args, (int64_t)value->v);
		break;
	case 5 << 3 | WIRE_LEN:
		text = value->bytes;
		break;
	case 6 << 3 | WIRE_LEN:
		buf_lit(&x->args, "{\"bytes\":");
		wire_put_uint(&x->args, value->bytes.n);
		buf_char(&x->args, '}');
		break;
	case 7 << 3 | WIRE_VARINT:
		name = xplane_tables_stat(&x->tables, value->v);
		if (name)
			text = name->name.has ? xplane_tables_text(&x->tables, name->name) : STR("");
		else
			wire_put_numbered(&x->args, "#", value->v);
		break;
	default:
		buf_char(&x->args, '0');
	}
	if (text.p)
		wire_put_text(r, x->at, &x->args, text);
	if (role != XPLANE_OTHER)
		values->text[role] = text.p ? text : STR("");
	if (role == XPLANE_CORRELATION && value->type == WIRE_VARINT) {
		values->has_correlation = true;
		values->correlation = (int64_t)value->v;
	}
}

/* The position in a list of stats. */
struct stat_list {
	struct str shared;
	struct wire own;
	uint32_t no;
};

/* Gets the next stat, first the shared ones; false after the last one. */
static bool next_stat(struct stat_list *s, struct str *message)
{
	struct wire_field f;
	size_t n;

	if (s->shared.n) {
		memcpy(&n, s->shared.p, sizeof n);
		*message = (struct str){s->shared.p + sizeof n, n};
		s->shared = str_from(s->shared, sizeof n + n);
		return true;
	}
	while (wire_next(&s->own, &f) > 0) {
		if (f.no != s->no || f.type != WIRE_LEN)
			continue;
		*message = f.bytes;
		return true;
	}
	return false;
}

bool xplane_stats_put(struct xplane *x, struct reader *r, struct str shared, struct str message, uint32_t no,
    struct xplane_values *values)
{
	const struct stat_list all = {shared.p ? shared : STR(""), wire_of(message), no};
	struct xplane_stat_name *name;
	struct wire_field value;
	struct stat_list s = all;
	struct str stat;
	uint64_t id;
	size_t i;

	memset(values, 0, sizeof *values);
	/* If several stats have the same name, the last one counts. */
	x->events++;
	for (i = 0; next_stat(&s, &stat); i++) {
		if (!read_stat(stat, &id, &value))
			return false;
		name = xplane_tables_stat(&x->tables, id);
		if (name) {
			name->event = x->events;
			name->last = i;
		}
	}
	s = all;
	for (i = 0; next_stat(&s, &stat); i++) {
		read_stat(stat, &id, &value);
		name = xplane_tables_stat(&x->tables, id);
		if (name && name->last != i)
			continue;
		put_key(x, r, name, id);
		put_value(x, r, name ? name->role : XPLANE_OTHER, &value, values);
	}
	return true;
}
