#include "comparability.h"

#include "base/err.h"
#include "json/string.h"

#include <math.h>

enum {
	FREQUENT = 5,         /* the number of items whose calls say whether the windows differ */
	SHOWN_OPERATORS = 3,  /* the number of operators whose inputs are printed */
	INPUTS_SIZE = 4 << 20 /* of one run, in bytes; the inputs of a run with more are not compared */
};

static void store_value(struct run_facts *f, struct run_values *v, struct str subject, struct str value)
{
	const size_t n = v->all.n;

	f->key.n = 0;
	buf_add(&f->key, subject.p, subject.n);
	buf_char(&f->key, '\n');
	buf_add(&f->key, value.p, value.n);
	if (map_put(&v->all, buf_str(&f->key)) == n)
		v->size += f->key.n;
	map_put(&v->subjects, subject);
}

/* The first value of a property counts: that of the first device, or of the first file of a job. */
static void add_property(struct run_facts *f, struct str name, struct str value)
{
	if (value.n && map_find(&f->properties.subjects, name) == MAP_NONE)
		store_value(f, &f->properties, name, value);
}

/* Takes versions, and the properties of the first device. */
static void take_metadata(struct run_facts *f, struct event *e)
{
	static const struct {
		const char *member, *name;
	} of_device[] = {{"name", "device"}, {"totalGlobalMem", "memory of the device in bytes"}, {"numSms", "SMs"}};
	const struct str json = event_get(e, EVENT_NAME), name = json_is_string(json) ? json_inner(json) : json;
	const struct str value = iter_find(event_get(e, EVENT_ARGS), STR("value"));
	struct str device;
	struct iter devices;
	size_t i;

	if (str_ends(name, STR("version")) || str_ends(name, STR("Version"))) {
		add_property(f, name, value);
	} else if (str_eq(name, STR("deviceProperties")) && iter_array(&devices, value) &&
		   iter_element(&devices, &device)) {
		for (i = 0; i < sizeof of_device / sizeof *of_device; i++)
			add_property(f, str_of(of_device[i].name), iter_find(device, str_of(of_device[i].member)));
	}
}

/* Takes the device and rank of a device record. The members up to dev are equal in most records: they are read once. */
static void take_place(struct run_facts *f, struct event *e)
{
	const struct str rest = str_from(e->raw, e->prefix);
	struct str dev, rank;

	if (f->place.n && e->prefix && str_starts(rest, buf_str(&f->place)))
		return;
	dev = event_get(e, EVENT_DEV);
	rank = event_get(e, EVENT_RANK);
	if (dev.p)
		value_ids_put(&f->devices, dev);
	if (rank.p)
		value_ids_put(&f->ranks, rank);
	f->place.n = 0;
	if (e->prefix && dev.p > rank.p && rank.p >= rest.p && dev.p + dev.n < rest.p + rest.n)
		buf_add(&f->place, rest.p, (size_t)(dev.p + dev.n + 1 - rest.p));
}

/* Takes the sizes of the inputs of a call of an operator. */
static void take_inputs(struct run_facts *f, struct event *e)
{
	const struct str json = event_get(e, EVENT_NAME), name = json_is_string(json) ? json_inner(json) : json;
	const struct str inputs = iter_find(event_get(e, EVENT_ARGS), STR("Input Dims"));

	if (inputs.n && f->inputs.size <= INPUTS_SIZE)
		store_value(f, &f->inputs, name, inputs);
}

void run_facts_take(struct run_facts *f, struct event *e)
{
	const enum event_kind kind = event_get_kind(e);

	if (kind == KIND_META)
		take_metadata(f, e);
	else
		f->events = f->events || kind < KIND_N;
	if (kind == KIND_OP && f->shapes)
		take_inputs(f, e);
	if (kind >= KIND_N || !event_kind_is_device(kind))
		return;
	f->device_work = true;
	take_place(f, e);
}

void run_facts_free(struct run_facts *f)
{
	value_ids_free(&f->devices);
	value_ids_free(&f->ranks);
	bufs_free(&f->place, &f->key);
	maps_free(&f->inputs.all, &f->inputs.subjects, &f->properties.all, &f->properties.subjects);
}

/* --- the notes --- */

static struct str subject_of(struct str key)
{
	return str_head(key, str_find(key, STR("\n")));
}

/* Returns the first value of a subject that only `v` has, or an empty text. */
static struct str only_value(const struct run_values *v, const struct run_values *other, struct str subject)
{
	struct str key;
	size_t i;

	for (i = 0; i < v->all.n; i++) {
		key = map_key(&v->all, i);
		if (str_eq(subject_of(key), subject) && map_find(&other->all, key) == MAP_NONE)
			return str_from(key, subject.n + 1);
	}
	return STR("");
}

static void note_properties(const struct run_values *a, const struct run_values *b)
{
	size_t i;

	for (i = 0; i < a->subjects.n; i++) {
		const struct str name = map_key(&a->subjects, i);
		const struct str before = only_value(a, b, name), after = only_value(b, a, name);

		if (before.n && after.n)
			note("%.*s: %.*s in A, %.*s in B", STR_FMT(name), STR_FMT(before), STR_FMT(after));
	}
}

/* Adds the subjects that both have, and for which `v` has a value that `other` does not have. */
static void find_different(struct map *found, const struct run_values *v, const struct run_values *other)
{
	struct str key;
	size_t i;

	for (i = 0; i < v->all.n; i++) {
		key = map_key(&v->all, i);
		if (map_find(&other->all, key) == MAP_NONE && map_find(&other->subjects, subject_of(key)) != MAP_NONE)
			map_put(found, subject_of(key));
	}
}

/* Notes the first operators of both runs that have inputs of different sizes. */
static void note_inputs(const struct run_values *a, const struct run_values *b)
{
	struct map different = {0};
	struct str name, before, after;
	size_t i;

	if (a->size > INPUTS_SIZE || b->size > INPUTS_SIZE) {
		note("too many different Input Dims: they were not compared");
		return;
	}
	find_different(&different, a, b);
	find_different(&different, b, a);
	for (i = 0; i < different.n && i < SHOWN_OPERATORS; i++) {
		name = map_key(&different, i);
		before = only_value(a, b, name);
		after = only_value(b, a, name);
		note("Input Dims of %.*s: %.*s%s%s%.*s%s", STR_FMT(name), STR_FMT(before), before.n ? " only in A" : "",
		    before.n && after.n ? ", " : "", STR_FMT(after), after.n ? " only in B" : "");
	}
	if (different.n > i)
		note("Input Dims of other operators differ: %zu", different.n - i);
	map_free(&different);
}

/* Notes that the runs have different numbers of something, if both are known. */
static bool note_number(const char *what, size_t a, size_t b)
{
	if (!a || !b || a == b)
		return true;
	note("%s: %zu in A, %zu in B", what, a, b);
	return false;
}

/* Returns whether at least half of the time of `a` is in items that `b` has. */
static bool note_common(const struct compared_run *a, const struct compared_run *b, size_t n_items)
{
	double all = 0, common = 0;
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < n_items; i++) {
		const struct difference_side side = compared_run_side(a, i, false);

		all += number_double(&side.total);
		if (compared_run_side(b, i, false).count)
			common += number_double(&side.total);
		count += compared_run_side(b, i, false).count;
	}
	if (!count || !(common * 2 < all))
		return true;
	note("B has only %.1f %% of A's time under the same keys; operators (-g op) are comparable more often",
	    100 * common / all);
	return false;
}

/* Notes if the items with the most calls changed their calls by one factor: one run is a longer piece of the work. */
static void note_windows(const struct compared_run *a, const struct compared_run *b, size_t n_items)
{
	uint64_t counts[FREQUENT] = {0};
	double factors[FREQUENT] = {0}, least = INFINITY, most = 0;
	size_t n = 0, i, at;

	for (i = 0; i < n_items; i++) {
		const uint64_t before = compared_run_side(a, i, false).count;
		const uint64_t after = compared_run_side(b, i, false).count;

		if (!before || !after || before <= counts[FREQUENT - 1])
			continue;
		for (at = FREQUENT - 1; at > 0 && counts[at - 1] < before; at--) {
			counts[at] = counts[at - 1];
			factors[at] = factors[at - 1];
		}
		counts[at] = before;
		factors[at] = (double)after / (double)before;
		n += n < FREQUENT;
	}
	for (i = 0; i < n; i++) {
		least = fmin(least, factors[i]);
		most = fmax(most, factors[i]);
	}
	if (n == FREQUENT && most <= least * 1.02 && fabs(most - 1) > 0.02)
		note("the windows differ: B has %.3g times the calls of A; compare steps", (least + most) / 2);
}

bool comparability_note(const struct run_facts *facts_a, const struct run_facts *facts_b, const struct compared_run *a,
    const struct compared_run *b, size_t n_items)
{
	bool comparable = true;

	if (facts_a->events && facts_b->events && facts_a->device_work != facts_b->device_work) {
		note("only %s has device work", facts_a->device_work ? "A" : "B");
		comparable = false;
	}
	comparable = note_number("devices", facts_a->devices.n, facts_b->devices.n) && comparable;
	comparable = note_number("ranks", facts_a->ranks.n, facts_b->ranks.n) && comparable;
	note_properties(&facts_a->properties, &facts_b->properties);
	if (facts_a->ranks.n == 1 && facts_b->ranks.n == 1 &&
	    !str_eq(value_ids_text(&facts_a->ranks, 0), value_ids_text(&facts_b->ranks, 0)))
		note("the ranks differ");
	note_inputs(&facts_a->inputs, &facts_b->inputs);
	note_number("steps", a->steps.n, b->steps.n);
	if (!a->steps.n || !b->steps.n)
		note_windows(a, b, n_items);
	return note_common(a, b, n_items) && comparable;
}
