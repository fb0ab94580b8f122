/* state_refused: reasons to refuse a partial result that several modules find. */
#ifndef STATE_REFUSED_H
#define STATE_REFUSED_H

#define STATE_REFUSED_LINE "not a line of a partial result"
#define STATE_REFUSED_COUNT "a count is absent or not an integer >= 0"
#define STATE_REFUSED_RECORDS "the sum of the counts of records is too large"
#define STATE_REFUSED_VALUES "the sum of the counts of values is too large"

#endif
