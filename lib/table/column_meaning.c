#include "table/column_meaning.h"

#include "base/char_class.h"

static enum column_kind member_kind(struct str name, const struct source_kind *source, const struct field_units *given)
{
	if (given && map_find(&given->times, name) != MAP_NONE)
		return COLUMN_TIME;
	if (given && map_find(&given->sizes, name) != MAP_NONE)
		return COLUMN_SIZE;
	return source_kind_member(source, name);
}

static struct column_meaning plain_meaning(struct str name, enum column_kind kind)
{
	return (struct column_meaning){kind, NULL, name.n, name.n, name.n};
}

/* Returns the meaning of a name that ends with _UNIT: COLUMN_ANY if this ending is not a unit, but part of the word. */
static struct column_meaning with_unit(struct str name, struct str field, const struct unit *unit,
    const struct source_kind *source, const struct field_units *given)
{
	enum column_kind kind = member_kind(field, source, given);
	const bool fits = unit->size ? kind == COLUMN_SIZE : kind == COLUMN_TIME || kind == COLUMN_STAMP;

	/*
	 * An ending that does not fit the field is a unit only in our reports. Even there, _s is not, because many
	 * names end in it.
	 */
	if (!fits && (kind != COLUMN_ANY || !source->report || str_eq(str_of(unit->name), STR("s"))))
		return plain_meaning(name, COLUMN_ANY);
	kind = fits ? kind : unit->size ? COLUMN_SIZE : COLUMN_TIME;
	return (struct column_meaning){kind, unit, field.n, field.n, name.n};
}

/* Returns the meaning of a name that consists of a member's name, an optional unit and any number of aggregates. */
static struct column_meaning find_meaning(
    struct str name, const struct source_kind *source, const struct field_units *given)
{
	/* Aggregates that have the unit of their field, as p99 has; count has not. */
	static const char *const same[] = {"sum", "mean", "min", "max", "std", "pstd", "first", "last", "median", NULL};
	static const char *const distances[] = {
	    "sum", "std", "pstd", NULL}; /* of points in time, these are durations */
	struct column_meaning t = plain_meaning(name, member_kind(name, source, given));
	struct str head, tail;
	const size_t at = str_after_last(name, '_');

	if (t.kind != COLUMN_ANY || at < 2)
		return t;
	head = str_head(name, at - 1);
	tail = str_from(name, at);
	if (units_find(tail))
		return with_unit(name, head, units_find(tail), source, given);
	if (str_eq(tail, STR("share")) && (source->report || find_meaning(head, source, given).kind != COLUMN_ANY))
		return plain_meaning(name, COLUMN_SHARE);
	if (!str_in(tail, same) && !(tail.n > 1 && tail.p[0] == 'p' && is_digit(tail.p[1])))
		return t;
	t = find_meaning(head, source, given);
	if (t.kind == COLUMN_STAMP && str_in(tail, distances))
		t.kind = COLUMN_TIME;
	return t.kind == COLUMN_ANY || t.kind == COLUMN_SHARE ? plain_meaning(name, COLUMN_ANY) : t;
}

struct column_meaning column_meaning_of(
    struct str name, const struct source_kind *source, const struct field_units *given)
{
	static const struct member_kinds no_fields;
	static const struct source_kind nothing = {.fields = &no_fields};
	struct str field = str_head(name, str_find(name, STR("/")));
	struct column_meaning t;

	if (str_eq(name, STR("name")) || str_ends(name, STR(".name")) || str_eq(name, STR("short")))
		return plain_meaning(name, COLUMN_NAME);
	t = plain_meaning(field, member_kind(field, source, given));
	/* Units and aggregates can follow only names that our programs write, and names given with --time or --size. */
	if (t.kind == COLUMN_ANY)
		t = find_meaning(field, source_kind_is_ours(source) ? source : &nothing, given);
	if (t.kind == COLUMN_ANY)
		return plain_meaning(name, COLUMN_ANY);
	if (source->fields && source->fields->one_field)
		t.field_n = 0;
	return t;
}

void column_meaning_rename(struct buf *b, struct str name, const struct column_meaning *t, const struct unit *unit)
{
	buf_add(b, name.p, t->unit_at);
	if (unit) {
		buf_char(b, '_');
		buf_add(b, unit->name, strlen(unit->name));
	}
	buf_add(b, name.p + t->unit_end, name.n - t->unit_end);
}
