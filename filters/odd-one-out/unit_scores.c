#include "unit_scores.h"

#include "base/mem.h"
#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

struct unit_record {
	size_t group, unit;
	double step;
};

/*
 * Z is the score; RATIO is NAN if the median is 0; LEAST is the score from which the unit is odd, which depends on the
 * number of members of the group; LEAST_ALONE is the same if the unit is odd in no field.
 */
enum part { Z, RATIO, LEAST, LEAST_ALONE, PARTS };

/* A value of a record. */
struct unit_value {
	double part[PARTS];
	bool scored;
	bool matters; /* the difference is large enough to be of interest */
};

void unit_scores_add(struct unit_scores *s, size_t group, size_t unit, const double *values, double step)
{
	s->records = mem_grow(s->records, &s->records_cap, s->n + 1, sizeof *s->records);
	s->values = mem_grow(s->values, &s->values_cap, (s->n + 1) * s->n_fields, sizeof *s->values);
	s->records[s->n] = (struct unit_record){group, unit, step};
	memcpy(s->values + s->n * s->n_fields, values, s->n_fields * sizeof *values);
	s->n++;
}

/* Returns the median of n > 0 values; reorders them. */
static double median(double *list, size_t n)
{
	qsort(list, n, sizeof *list, order_doubles);
	return n % 2 ? list[n / 2] : list[n / 2 - 1] / 2 + list[n / 2] / 2;
}

/*
 * The score from which a unit is odd. In small groups, the median absolute deviation of healthy members varies much, so
 * that large scores are frequent; with these limits, about 1 % of healthy groups have an odd unit in one of
 * nine fields.
 */
static double least_score(size_t members)
{
	return members >= 64 ? 5.5 : members >= 32 ? 6 : members >= 16 ? 8 : members >= 12 ? 10 : 15;
}

/*
 * The same for a unit that is odd in no field, in a group with these sorted distances from the median. The limits for
 * 12 to 31 members would hide such units in the groups whose spread happens to be large. The root mean square of the
 * distances varies less, so its multiple can be smaller; distances over 5 spreads would be those of odd units.
 */
static double least_score_alone(const double *distances, size_t members, double spread, double minimum)
{
	double sum = 0, deviation;
	size_t n;

	if (members < 12 || members >= 32)
		return least_score(members);
	for (n = 0; n < members && distances[n] <= 5 * spread; n++)
		sum += distances[n] * distances[n];
	deviation = fmax(sqrt(sum / (double)(n - 1)), minimum);
	return fmin(least_score(members), (members >= 16 ? 6 : 8) * deviation / spread);
}

/* --- groups --- */

static int compare_groups(const void *arg, size_t a, size_t b)
{
	const struct unit_record *x = (const struct unit_record *)arg + a, *y = (const struct unit_record *)arg + b;

	return (x->group > y->group) - (x->group < y->group);
}

static void add_unscored(struct unit_scores *s, size_t group, size_t field, size_t members)
{
	s->unscored = mem_grow(s->unscored, &s->unscored_cap, s->n_unscored + 1, sizeof *s->unscored);
	s->unscored[s->n_unscored++] = (struct unit_unscored){group, field, members};
}

/* Scores the values of a field in a group, whose n records are `list`. */
static void score_field(struct unit_scores *s, const size_t *list, size_t n, size_t field, double step)
{
	const struct unit_rule *rule = &s->rules[field];
	double m = 0, minimum, spread = 0, alone = 0, x;
	struct unit_value *v;
	size_t i, members = 0;

	for (i = 0; i < n; i++) {
		x = s->values[list[i] * s->n_fields + field];
		if (!isnan(x))
			s->work[members++] = x;
	}
	if (members >= UNIT_MEMBERS) {
		m = median(s->work, members);
		for (i = 0; i < members; i++)
			s->work[i] = fabs(s->work[i] - m);
		minimum = fmax(0.005 * fabs(m), rule->floor);
		spread = fmax(1.4826 * median(s->work, members), minimum);
		alone = least_score_alone(s->work, members, spread, minimum);
	}
	if (spread <= 0) {
		if (members)
			add_unscored(s, s->records[list[0]].group, field, members);
		return;
	}
	for (i = 0; i < n; i++) {
		v = &s->scored[list[i] * s->n_fields + field];
		x = s->values[list[i] * s->n_fields + field];
		v->part[Z] = (x - m) / spread;
		v->part[RATIO] = m != 0 ? x / m : NAN;
		v->part[LEAST] = least_score(members);
		v->part[LEAST_ALONE] = alone;
		v->scored = !isnan(x);
		v->matters = fabs(x - m) >= 0.03 * fabs(m) && (!rule->of_step || fabs(x - m) >= 0.01 * step);
	}
}

static void score_group(struct unit_scores *s, const size_t *list, size_t n)
{
	size_t i, steps = 0;
	double step = 0;

	for (i = 0; i < n; i++) {
		if (!isnan(s->records[list[i]].step))
			s->work[steps++] = s->records[list[i]].step;
	}
	if (steps)
		step = median(s->work, steps);
	for (i = 0; i < s->n_fields; i++)
		score_field(s, list, n, i, step);
}

static void score_groups(struct unit_scores *s)
{
	size_t *list = order_sort(s->n, compare_groups, s->records), at, end;

	for (at = 0; at < s->n; at = end) {
		for (end = at; end < s->n && s->records[list[end]].group == s->records[list[at]].group; end++)
			;
		score_group(s, list + at, end - at);
	}
	free(list);
}

/* --- units --- */

static int compare_records(const void *arg, size_t a, size_t b)
{
	const struct unit_record *x = (const struct unit_record *)arg + a, *y = (const struct unit_record *)arg + b;

	return x->unit != y->unit ? (x->unit < y->unit ? -1 : 1) : compare_groups(arg, a, b);
}

/* Returns the median of a part of the scores of a unit in a field, and sets *count to their number; NAN if it is 0. */
static double median_part(
    struct unit_scores *s, const size_t *list, size_t n, size_t field, enum part part, size_t *count)
{
	const struct unit_value *v;
	size_t i, k = 0;

	for (i = 0; i < n; i++) {
		v = &s->scored[list[i] * s->n_fields + field];
		if (v->scored && !isnan(v->part[part]))
			s->work[k++] = v->part[part];
	}
	*count = k;
	return k ? median(s->work, k) : NAN;
}

/* Whether the score of a unit can explain that it is late. */
static bool is_cause(const struct unit_scores *s, const double *z, size_t field)
{
	return z[field] > 0 && !s->rules[field].follows;
}

/* Sets s->odd for the fields in which a unit has a score of at least `limit`; returns their number. */
static size_t find_odd(struct unit_scores *s, const size_t *list, size_t n, const double *z, enum part limit)
{
	size_t field, i, count, matter, n_odd = 0;
	double least;

	for (field = 0; field < s->n_fields; field++) {
		least = median_part(s, list, n, field, limit, &count);
		for (i = matter = 0; i < n; i++)
			matter += s->scored[list[i] * s->n_fields + field].matters;
		s->odd[field] =
		    count && fabs(z[field]) >= least && matter * 2 > count && (limit == LEAST || is_cause(s, z, field));
		n_odd += s->odd[field];
	}
	return n_odd;
}

/* Returns whether field a explains the unit better than field b. */
static bool is_better(const struct unit_scores *s, const double *z, const bool *odd, size_t a, size_t b)
{
	if (odd[a] != odd[b])
		return odd[a];
	if (is_cause(s, z, a) != is_cause(s, z, b))
		return is_cause(s, z, a);
	return fabs(z[a]) > fabs(z[b]);
}

/* Counts the groups of the records of a unit that have a score. */
static size_t count_groups(const struct unit_scores *s, const size_t *list, size_t n)
{
	size_t i, field, groups = 0, last = SIZE_MAX;

	for (i = 0; i < n; i++) {
		for (field = 0; field < s->n_fields && !s->scored[list[i] * s->n_fields + field].scored; field++)
			;
		if (field == s->n_fields || s->records[list[i]].group == last)
			continue;
		last = s->records[list[i]].group;
		groups++;
	}
	return groups;
}

/* Computes the scores of a unit, whose n records are `list`, at s->units[s->n_units], unless it has none. */
static void score_unit(struct unit_scores *s, const size_t *list, size_t n)
{
	size_t *order = s->order + s->n_units * s->n_fields, field, count, fields = 0, at;
	double *z = s->z + s->n_units * s->n_fields;
	struct unit_score u = {.unit = s->records[list[0]].unit, .z = z, .order = order};

	for (field = 0; field < s->n_fields; field++) {
		z[field] = median_part(s, list, n, field, Z, &count);
		u.records = count > u.records ? count : u.records;
	}
	u.n_odd = find_odd(s, list, n, z, LEAST);
	if (!u.n_odd)
		u.n_odd = find_odd(s, list, n, z, LEAST_ALONE);
	for (field = 0; field < s->n_fields; field++) {
		if (isnan(z[field]))
			continue;
		for (at = fields++; at > 0 && is_better(s, z, s->odd, field, order[at - 1]); at--)
			order[at] = order[at - 1];
		order[at] = field;
	}
	if (!fields)
		return;
	u.score = z[order[0]];
	u.ratio = median_part(s, list, n, order[0], RATIO, &count);
	u.groups = count_groups(s, list, n);
	s->units = mem_grow(s->units, &s->units_cap, s->n_units + 1, sizeof *s->units);
	s->units[s->n_units++] = u;
}

static int compare_units(const void *a, const void *b)
{
	const struct unit_score *x = a, *y = b;

	if (!x->n_odd != !y->n_odd)
		return x->n_odd ? -1 : 1;
	if (fabs(x->score) != fabs(y->score))
		return fabs(x->score) > fabs(y->score) ? -1 : 1;
	return x->unit < y->unit ? -1 : x->unit > y->unit;
}

void unit_scores_compute(struct unit_scores *s)
{
	const size_t all = s->n * s->n_fields;
	size_t *list, at, end;

	s->work = mem_zero(s->n + 1, sizeof *s->work);
	s->scored = mem_zero(all + 1, sizeof *s->scored);
	s->z = mem_zero(all + 1, sizeof *s->z);
	s->order = mem_zero(all + 1, sizeof *s->order);
	s->odd = mem_zero(s->n_fields + 1, sizeof *s->odd);
	score_groups(s);
	list = order_sort(s->n, compare_records, s->records);
	for (at = 0; at < s->n; at = end) {
		for (end = at; end < s->n && s->records[list[end]].unit == s->records[list[at]].unit; end++)
			;
		score_unit(s, list + at, end - at);
	}
	free(list);
	if (s->n_units)
		qsort(s->units, s->n_units, sizeof *s->units, compare_units);
}

void unit_scores_free(struct unit_scores *s)
{
	mem_free(s->units, s->unscored, s->records, s->values, s->scored, s->z, s->order, s->odd, s->work);
}
