#include "step_sums.h"

#include "base/char_class.h"

#include <stdlib.h>

/* A device record comes at most this long after its launch, in marks: a server has many steps a second. */
enum { KEPT_MARKS = 1 << 16 };

/* Reads the number after the first `before` in the text; returns false without a number. */
static bool number_after(struct str text, const char *before, int64_t *n)
{
	struct str digits = str_from(text, str_find(text, str_of(before)));

	digits = str_first(str_from(digits, strlen(before)), is_digit);
	if (!digits.n || digits.n > 18)
		return false;
	for (*n = 0; digits.n; digits = str_from(digits, 1))
		*n = *n * 10 + (digits.p[0] - '0');
	return true;
}

/* Reads a part of a vLLM mark, such as (sq32sk55086sqsq32sqsk55086). */
static bool read_packed(struct str text, struct step_sums_part *p)
{
	return number_after(text, "(sq", &p->sq) && number_after(text, "sk", &p->sk) &&
	       number_after(text, "sqsq", &p->sqsq) && number_after(text, "sqsk", &p->sqsk);
}

/* Reads a part of a mark of SGLang or ATOM. `prefix` is c_, g_ or empty, `tokens` the name of sq if it has another. */
static bool read_named(struct str text, const char *prefix, const char *tokens, struct step_sums_part *p)
{
	static const char *const names[] = {"sk=", "sqsq=", "sqsk=", "sq="};
	int64_t *const values[] = {&p->sk, &p->sqsq, &p->sqsk, &p->sq};
	const size_t before = strlen(prefix);
	char name[16] = {' '};
	size_t i;

	memcpy(name + 1, prefix, before);
	for (i = 0; i < 4; i++) {
		memcpy(name + 1 + before, names[i], strlen(names[i]) + 1);
		if (!number_after(text, name, values[i]) && (i < 3 || !number_after(text, tokens, values[i])))
			return false;
	}
	return true;
}

static bool read_mark(struct str name, struct step_sums *s)
{
	const struct str context = str_from(name, str_find(name, STR("_context_")));
	const struct str generation = str_from(name, str_find(name, STR("_generation_")));

	if (str_starts(name, STR("execute_")))
		return read_packed(context, &s->prefill) && read_packed(generation, &s->generation);
	if (str_starts(name, STR("step[EXTEND ")))
		return read_named(name, "c_", " toks=", &s->prefill);
	if (str_starts(name, STR("step[DECODE ")))
		return read_named(name, "g_", " bs=", &s->generation);
	if (str_starts(name, STR("step[MIXED ")))
		return read_named(name, "c_", " c_sq=", &s->prefill) &&
		       read_named(name, "g_", " g_sq=", &s->generation);
	if (str_starts(name, STR("prefill[")))
		return read_named(name, "", " tok=", &s->prefill);
	return str_starts(name, STR("decode[")) && read_named(name, "", " tok=", &s->generation);
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
