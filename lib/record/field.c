/* field: gets the values of a field from a record. */
#include "record/field_private.h"

#include "json/iter.h"

#include <stdlib.h>

void field_free(struct field *f)
{
	field_free_short_forms(f);
	free(f->steps);
	free(f->plain);
	free(f->all);
	map_free(&f->near);
	buf_free(&f->text);
	buf_free(&f->scratch);
	*f = (struct field){0};
}

/*
 * Handles a record without the field. If it is one of the first records, collects the names of its members for a hint.
 */
static bool absent(struct field *f, struct event *e, struct value *v)
{
	*v = (struct value){.type = VALUE_NONE};
	if (!f->found && f->records <= FIELD_HINT_RECORDS)
		field_note_names(f, e);
	return false;
}

static bool get_first(struct field *f, struct event *e, struct value *v)
{
	/* Members of the canonical prefix need no walk. */
	if (f->member == EVENT_TS && event_has(e, EVENT_TS)) {
		value_of_int(v, e->ts, e->m[EVENT_TS]);
		return true;
	}
	if (f->member == EVENT_DUR && event_has(e, EVENT_DUR)) {
		value_of_int(v, e->dur, e->m[EVENT_DUR]);
		return true;
	}
	if (f->member < EVENT_N && event_has(e, f->member)) {
		value_of(v, e->m[f->member]);
		return true;
	}
	if (f->computed && f->ahead == e->raw.p)
		*v = f->computed_ahead;
	else if (f->computed)
		field_get_computed(f, e, v);
	if (f->computed)
		return v->type != VALUE_NONE;
	if (f->ahead != e->raw.p)
		field_find_all(f, e);
	if (!f->n_all)
		return false;
	value_of(v, f->all[0]);
	return true;
}

/* Removes all values that are not numbers from a bucket's list, because field_get() would stop at the first of them. */
static void keep_numbers(struct field *f)
{
	size_t n = 0, i;
	struct value v;

	for (i = 0; i < f->n_all; i++) {
		value_of(&v, f->all[i]);
		if (field_to_bucket(f, &v))
			f->all[n++] = f->all[i];
	}
	f->n_all = n;
}

/*
 * When groupby groups by a bucket such as ts/10ms, its output has no member ts, but a member named "ts/10ms", whose
 * value is already the edge of a bucket.
 */
static bool get_edge(struct field *f, struct event *e, struct value *v)
{
	struct str spec = str_of(f->spec), edge;

	if (!iter_may_find(e->raw, spec.p) && !memchr(e->raw.p, '\\', e->raw.n))
		return false;
	edge = field_find_member(f, e, e->raw, spec);
	event_check(e, edge);
	value_of(v, edge.p && edge.p[0] == 'n' ? (struct str){NULL, 0} : edge);
	return v->type != VALUE_NONE;
}

static bool get(struct field *f, struct event *e, size_t i, struct value *v)
{
	bool there;

	if (i == 0) {
		f->records++;
		if (f->ahead != e->raw.p)
			f->n_all = 0;
		there = get_first(f, e, v);
		f->ahead = NULL;
		if (!there) {
			if (!f->width || !get_edge(f, e, v))
				return absent(f, e, v);
			f->found++;
			return true;
		}
		f->found++;
		if (f->width && f->each && f->n_all) {
			keep_numbers(f);
			value_of(v, f->n_all ? f->all[0] : STR("null"));
		}
	} else {
		if (i >= f->n_all) {
			*v = (struct value){.type = VALUE_NONE};
			return false;
		}
		value_of(v, f->all[i]);
	}
	if (f->width && !field_to_bucket(f, v)) {
		*v = (struct value){.type = VALUE_NONE};
		return false;
	}
	return true;
}

bool field_get(struct field *f, struct event *e, size_t i, struct value *v)
{
	bool there = get(f, e, i, v);

	f->numbers += v->type == VALUE_INT || v->type == VALUE_REAL;
	return there;
}

void field_look_ahead(struct field *f, struct event *e)
{
	struct value edge;
	bool there;

	f->n_all = 0;
	if (f->computed) {
		there = field_get_computed(f, e, &f->computed_ahead);
	} else {
		field_find_all(f, e);
		there = f->n_all > 0;
	}
	if (!there && f->width)
		get_edge(f, e, &edge);
	f->ahead = e->raw.p;
}
