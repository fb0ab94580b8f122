#include "step_sums.h"

#include "base/mem.h"
#include "record/step_mark.h"

#include <stdlib.h>

/* A device record comes at most this long after its launch, in marks: a server has many steps a second. */
enum { KEPT_MARKS = 1 << 16 };

/* Sets the sums of context (part 0) or generation (part 1). Returns false if the part has tokens, but no sums. */
static bool read_part(const struct step_mark *m, size_t part, struct step_sums_part *p)
{
	const struct step_sums_part sums = {m->counts[STEP_CONTEXT_TOKENS + part],
	    m->counts[STEP_CONTEXT_LENGTH + part], m->products[STEP_CONTEXT_SQUARES + part],
	    m->products[STEP_CONTEXT_KEYS + part]};

	if (sums.sq < 0 || sums.sk < 0 || sums.sqsq < 0 || sums.sqsk < 0)
		return sums.sq <= 0;
	*p = sums;
	return true;
}

static bool read_mark(struct str name, struct step_sums *s)
{
	struct step_mark m;

	return step_mark_read(name, &m) == STEP_MARK_FOUND &&
	       (m.products[STEP_CONTEXT_SQUARES] >= 0 || m.products[STEP_GENERATION_SQUARES] >= 0) &&
	       read_part(&m, 0, &s->prefill) && read_part(&m, 1, &s->generation);
}

void step_marks_add(struct step_marks *m, struct str name, int64_t ts)
{
	struct step_sums s = {.ts = ts};

	if (!read_mark(name, &s))
		return;
	if (m->n == KEPT_MARKS) {
		m->n /= 2;
		memmove(m->list, m->list + m->n, m->n * sizeof *m->list);
	}
	m->list = mem_grow(m->list, &m->cap, m->n + 1, sizeof *m->list);
	m->list[m->n++] = s;
}

const struct step_sums *step_marks_find(const struct step_marks *m, int64_t ts)
{
	size_t i;

	for (i = m->n; i-- > 0;) {
		if (m->list[i].ts <= ts)
			return &m->list[i];
	}
	return NULL;
}

void step_marks_free(struct step_marks *m)
{
	free(m->list);
}
