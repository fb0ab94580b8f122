/*
 * unit_scores: finds the units, such as ranks or hosts, whose values differ from those of the other members of their
 * groups. In a group, the score of a value is its distance from the median, divided by the spread of the group: 1.4826
 * times the median absolute deviation, but at least 0.5 % of the median and the floor of the field. The score of a unit
 * is the median over its records, in all groups.
 */
#ifndef UNIT_SCORES_H
#define UNIT_SCORES_H

#include <stdbool.h>
#include <stddef.h>

enum { UNIT_MEMBERS = 8 }; /* groups with fewer members are not scored: half of them would look odd */

/* How the values of a field are compared. */
struct unit_rule {
	double floor; /* minimum of the spread, in the unit of the values */
	bool of_step; /* to matter, a difference must also be at least 1 % of the group's median step */
	bool follows; /* a difference never has its cause in this field: it follows from other fields */
};

/* Zero-initialise, and set the first members; unit_scores_free(). */
struct unit_scores {
	size_t n_fields;
	const struct unit_rule *rules; /* one for each field; they must remain valid */
	/* set by unit_scores_compute() */
	struct unit_score {
		size_t unit;
		size_t records, groups; /* number of records that have scores, and of their groups */
		double score, ratio; /* score and value / median in field order[0]; ratio is NAN if the median is 0 */
		const double *z;     /* the score in each field; NAN: not scored */
		/*
		 * The fields with a score. Odd ones are first, and among these the likely causes: fields that do not
		 * follow from others, in which the unit is above the median. Then |z| descends.
		 */
		const size_t *order;
		size_t n_odd; /* number of fields in which the unit is odd */
	} * units;            /* odd ones first; then the absolute value of `score` descends */
	size_t n_units;
	struct unit_unscored {
		size_t group, field;
		size_t members; /* number of values; at least UNIT_MEMBERS if most are 0, so that the spread is 0 */
	} * unscored;
	size_t n_unscored;
	/* private */
	struct unit_record *records;
	double *values;
	struct unit_value *scored;
	double *z;
	bool *odd;
	size_t *order;
	double *work;
	size_t n, records_cap, values_cap, units_cap, unscored_cap;
};

/*
 * Adds a record of a unit in a group; both are numbers from 0. `values` has a value for each field, NAN for an absent
 * one. `step` is the time of a step, or NAN.
 */
void unit_scores_add(struct unit_scores *s, size_t group, size_t unit, const double *values, double step);

/* To be called once, after all records were added. */
void unit_scores_compute(struct unit_scores *s);

void unit_scores_free(struct unit_scores *s);

#endif
