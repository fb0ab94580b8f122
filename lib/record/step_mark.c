#include "record/step_mark.h"

#include "base/char_class.h"

const char *const step_mark_count_names[] = {
    "context", "generation", "context_tokens", "generation_tokens", "context_length", "generation_length", NULL};

/*
 * In a form, % and a character stand for a number: the counts C G (requests), A F (new tokens), B H (lengths) of
 * context and generation; their products Q R (squares), S U (keys), which only detailed marks have; T: all new tokens;
 * P: requests of a decode step that are in prefill; _: any other number. %W is a word in capitals, %L a list of the
 * context lengths. {x|y} stands for any of the parts x and y, in any order. The first form that matches the whole name
 * counts.
 */
static const struct form {
	const char *family;
	unsigned writer, detail;
	const char *text;
	bool each_one; /* unless the mark says otherwise, a request in decode has one new token */
	bool phaseless;
} forms[] = {
    {"vllm", 1, 0, "execute_%T_context_%C(sq%Ask%Bsqsq%Qsqsk%S)_generation_%G(sq%Fsk%Hsqsq%Rsqsk%U)", false, false},
    {"atom", 2, 1, "prefill[bs=%C tok=%A ctx=%L{ sqsq=%Q| sqsk=%S| sk=%B| tbo=%_}]", false, false},
    {"atom", 2, 1, "decode[bs=%G{/%_} tok=%F{ d=%_| p=%P| spec=%_| sqsq=%R| sqsk=%U| sk=%H| tbo=%_}]", false, false},
    {"sglang", 3, 1, "step[EXTEND bs=%C toks=%A{ c_sq=%A| c_sqsq=%Q| c_sqsk=%S| c_sk=%B}]", false, false},
    {"sglang", 3, 1, "step[DECODE bs=%G{ g_sq=%F| g_sqsq=%R| g_sqsk=%U| g_sk=%H}]", true, false},
    {"sglang", 3, 1,
	"step[MIXED bs=%_ c=%C g=%G{ c_sq=%A| c_sk=%B| c_sqsq=%Q| c_sqsk=%S| g_sq=%F| g_sk=%H| g_sqsq=%R| g_sqsk=%U}]",
	false, false},
    {"sglang", 3, 1, "step[%W bs=%_]", false, false},
    {"trtllm", 4, 1, "[Executor] _forward_step %_: %C ctx reqs, %G gen reqs", true, false},
    {"trtllm", 4, 1, "[Executor] _forward_step %_: %C ctx reqs, %A ctx tokens, %G gen reqs", true, false},
    {"vllm", 5, 1, "execute_context_%C(%A)_generation_%G(%F)", false, false},
    {"vllm", 6, 2, "execute_new_%C_cached_%G", false, true},
    {"xdit", 7, 2, "execute_diffusion_%__%_x%_", false, false},
};

/* The numbers of a name that are not counts. */
struct extra {
	int64_t total, prefills; /* -1: absent */
	bool large;
};

bool step_mark_number(struct str *s, int64_t *v, bool *large)
{
	const struct str digits = str_first(*s, is_digit);
	size_t i;

	for (i = 0, *v = 0; i < digits.n; i++) {
		if (__builtin_mul_overflow(*v, 10, v) || __builtin_add_overflow(*v, digits.p[i] - '0', v)) {
			*large = true;
			*v = 0;
		}
	}
	*s = str_from(*s, digits.n);
	return digits.n;
}

static bool take_literal(struct str *s, const char *text)
{
	if (!str_starts(*s, str_of(text)))
		return false;
	*s = str_from(*s, strlen(text));
	return true;
}

/* Reads "[1, 2]" as the sum of its numbers; "[1, 2]...+7" says that 7 numbers are missing: the sum is unknown. */
static bool take_list(struct str *s, int64_t *sum, bool *large)
{
	int64_t v;

	*sum = 0;
	if (!take_literal(s, "["))
		return false;
	if (!take_literal(s, "]")) {
		do {
			if (!step_mark_number(s, &v, large))
				return false;
			*large |= __builtin_add_overflow(*sum, v, sum);
		} while (take_literal(s, ", ") || take_literal(s, ","));
		if (!take_literal(s, "]"))
			return false;
	}
	if (!take_literal(s, "...+"))
		return true;
	*sum = -1;
	return step_mark_number(s, &v, large);
}

/* Reads the value that a % in the form stands for. */
static bool take_value(char c, struct str *s, struct step_mark *m, struct extra *x)
{
	static const char letters[] = "CGAFBH", products[] = "QRSU";
	const char *at = strchr(letters, c), *product = strchr(products, c);
	struct str word;
	int64_t v;

	if (c == 'W') {
		word = str_first(*s, is_upper);
		for (*s = str_from(*s, word.n); s->n && (is_upper(s->p[0]) || is_digit(s->p[0]) || s->p[0] == '_');)
			*s = str_from(*s, 1);
		return word.n;
	}
	if (c == 'L')
		return take_list(s, &m->counts[STEP_CONTEXT_LENGTH], &x->large);
	if (!step_mark_number(s, &v, &x->large))
		return false;
	if (at)
		m->counts[at - letters] = v;
	else if (product)
		m->products[product - products] = v;
	else if (c == 'T')
		x->total = v;
	else if (c == 'P')
		x->prefills = v;
	return true;
}

/* Matches a form up to one of the characters `end`, or its end; moves *form there, and *s after the text. */
static bool take_part(const char **form, const char *end, struct str *s, struct step_mark *m, struct extra *x)
{
	for (; **form && !strchr(end, **form); ++*form) {
		if (**form == '%') {
			if (!take_value(*++*form, s, m, x))
				return false;
		} else if (!s->n || s->p[0] != **form) {
			return false;
		} else {
			*s = str_from(*s, 1);
		}
	}
	return true;
}

/* Matches the parts {x|y}, as often as they come; `form` is at the brace, which the next one closes. */
static void take_parts(const char *form, struct str *s, struct step_mark *m, struct extra *x)
{
	const char *part = form + 1;
	struct str rest;

	while (*part && *part != '}') {
		rest = *s;
		if (take_part(&part, "|}", &rest, m, x) && rest.n < s->n) {
			*s = rest;
			part = form + 1;
			continue;
		}
		part += strcspn(part, "|}");
		part += *part == '|';
	}
}

static bool matches(const char *form, struct str s, struct step_mark *m, struct extra *x)
{
	while (take_part(&form, "{", &s, m, x)) {
		if (!*form)
			return !s.n;
		take_parts(form, &s, m, x);
		form = strchr(form, '}') + 1;
	}
	return false;
}

/* Sets the counts that follow from others: in a form with one kind of requests, the number of the other kind is 0. */
static void complete(struct step_mark *m, const struct form *form, const struct extra *x)
{
	int64_t *c = m->counts, sum;
	size_t i;

	if (x->prefills > 0) { /* the number of their tokens is in no mark */
		c[STEP_CONTEXT] = x->prefills;
		c[STEP_GENERATION] = c[STEP_GENERATION] >= x->prefills ? c[STEP_GENERATION] - x->prefills : -1;
	}
	for (i = 0; i < STEP_COUNTS; i++) {
		if (c[i] < 0 && c[i % 2] < 0 && c[(i + 1) % 2] >= 0)
			c[i] = -2;
	}
	for (i = 0; i < STEP_COUNTS; i++)
		c[i] = c[i] == -2 ? 0 : c[i];
	if (form->each_one && c[STEP_GENERATION_TOKENS] < 0)
		c[STEP_GENERATION_TOKENS] = c[STEP_GENERATION];
	if (form->each_one && c[STEP_CONTEXT_TOKENS] < 0 && c[STEP_CONTEXT] == 0)
		c[STEP_CONTEXT_TOKENS] = 0;
	if (m->products[STEP_CONTEXT_SQUARES] >= 0 || m->products[STEP_GENERATION_SQUARES] >= 0)
		m->detail = 0;
	m->differs =
	    x->total >= 0 &&
	    (__builtin_add_overflow(c[STEP_CONTEXT_TOKENS], c[STEP_GENERATION_TOKENS], &sum) || sum != x->total);
}

enum step_mark_found step_mark_read(struct str name, struct step_mark *m)
{
	struct extra x;
	size_t i, k;

	if (!name.n || !strchr("e[spd", name.p[0])) /* first characters of marks; most ranges are not marks */
		return STEP_MARK_NONE;
	for (i = 0; i < sizeof forms / sizeof *forms; i++) {
		const struct form *f = &forms[i];

		*m = (struct step_mark){.family = f->family, .writer = f->writer, .detail = f->detail};
		m->phaseless = f->phaseless;
		for (k = 0; k < STEP_COUNTS; k++)
			m->counts[k] = -1;
		for (k = 0; k < STEP_PRODUCTS; k++)
			m->products[k] = -1;
		x = (struct extra){-1, -1, false};
		if (!matches(f->text, name, m, &x))
			continue;
		complete(m, f, &x);
		return x.large ? STEP_MARK_LARGE : STEP_MARK_FOUND;
	}
	return STEP_MARK_NONE;
}
