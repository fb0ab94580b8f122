#include "record/name_match.h"

#include "json/string.h"

#include <stdlib.h>

/* A rule is a name, or an expression in name_match.set, or an expression that only regexec() can match. */
enum rule_type { RULE_NAME, RULE_IN_SET, RULE_REGEX };

struct name_match_rule {
	enum rule_type type;
	char *name; /* of RULE_NAME */
	size_t n;
	regex_t regex; /* of RULE_REGEX */
};

enum { KEEP_EACH = 64 }; /* bytes that the map needs for a name in addition to its text */

static struct name_match_rule *add_rule(struct name_match *m)
{
	m->rules = mem_grow(m->rules, &m->cap, m->n + 1, sizeof *m->rules);
	m->rules[m->n] = (struct name_match_rule){0};
	return &m->rules[m->n++];
}

void name_match_name(struct name_match *m, struct str name)
{
	struct name_match_rule *r = add_rule(m);

	r->name = str_dup(name);
	r->n = name.n;
}

/* Returns the length of the bracket expression at the beginning of a regular expression; all of it if not closed. */
static size_t bracket_length(const char *regex)
{
	const char *p = regex + 1, *end;

	p += *p == '^';
	p += *p == ']';
	for (; *p && *p != ']'; p++) {
		end = *p == '[' && p[1] && strchr(".:=", p[1]) ? strstr(p + 2, (char[]){p[1], ']', '\0'}) : NULL;
		p = end ? end + 1 : p;
	}
	return (size_t)(p - regex) + (*p == ']');
}

/* Appends a regular expression in which each point is a class of all bytes: in glibc, a point does not match a NUL. */
static void add_matching_nul(struct buf *to, const char *regex)
{
	size_t n;

	for (; *regex; regex += n) {
		n = *regex == '[' ? bracket_length(regex) : *regex == '\\' && regex[1] ? 2 : 1;
		if (*regex == '.')
			buf_lit(to, "[[:cntrl:]\x01-\xff]"); /* NUL is a control character */
		else
			buf_add(to, regex, n);
	}
	buf_char(to, '\0');
}

/* The texts for the errors of regcomp(), as in glibc. regerror() is not called, because it needs a buffer. */
static const char *const reasons[] = {
    [REG_BADPAT] = "syntax error",
    [REG_ECOLLATE] = "invalid collation character",
    [REG_ECTYPE] = "invalid character class name",
    [REG_EESCAPE] = "trailing backslash",
    [REG_ESUBREG] = "invalid back-reference",
    [REG_EBRACK] = "unmatched [, [^, [:, [., or [=",
    [REG_EPAREN] = "unmatched ( or \\(",
    [REG_EBRACE] = "unmatched \\{",
    [REG_BADBR] = "invalid content of \\{\\}",
    [REG_ERANGE] = "invalid range end",
    [REG_ESPACE] = "out of memory",
    [REG_BADRPT] = "invalid preceding regular expression",
#ifdef REG_ESIZE
    [REG_EEND] = "premature end",
    [REG_ESIZE] = "too large",
    [REG_ERPAREN] = "unmatched ) or \\)",
#endif
};

bool name_match_compile(regex_t *compiled, const char *regex, int flags, struct fault *f)
{
	const char *escape;
	struct buf text = {0};
	size_t error;

	for (escape = regex; (escape = strchr(escape, '\\')) && escape[1]; escape += 2) {
		if (escape[1] == 'd') {
			*f = (struct fault){.what = "\\d is not supported; write [0-9]"};
			return false;
		}
	}
	add_matching_nul(&text, regex);
	error = (size_t)regcomp(compiled, text.p, REG_EXTENDED | flags);
	buf_free(&text);
	if (!error)
		return true;
	if (error >= sizeof reasons / sizeof *reasons)
		error = REG_BADPAT;
	*f = (struct fault){.what = reasons[error]};
	return false;
}

bool name_match_search(const regex_t *compiled, struct str text, regmatch_t *at, size_t n)
{
	int error;

#ifdef REG_STARTEND
	at[0] = (regmatch_t){.rm_so = 0, .rm_eo = (regoff_t)text.n};
	error = regexec(compiled, text.p, n, at, REG_STARTEND);
#else
	error = regexec(compiled, text.p, n, at, 0);
#endif
	if (error == REG_ESPACE)
		mem_exhausted("matching a regular expression");
	return error == 0;
}

bool name_match_regex(struct name_match *m, const char *regex, struct fault *f)
{
	struct name_match_rule *r = add_rule(m);
	bool good = true;

	if (regex_set_add(&m->set, regex, m->fold)) {
		r->type = RULE_IN_SET;
		m->set_rules = mem_grow(m->set_rules, &m->set_rules_cap, m->set.n, sizeof *m->set_rules);
		m->set_rules[m->set.n - 1] = m->n - 1;
	} else {
		r->type = RULE_REGEX;
		good = name_match_compile(&r->regex, regex, REG_NOSUB | (m->fold ? REG_ICASE : 0), f);
		m->n -= !good;
		m->n_regex += good;
	}
	return good;
}

/* `name` is followed by a NUL if there are rules of type RULE_REGEX. */
static bool rule_matches(const struct name_match *m, const struct name_match_rule *r, struct str name)
{
	const struct str wanted = {r->name, r->n};
	regmatch_t at[1];

	if (r->type == RULE_REGEX)
		return name_match_search(&r->regex, name, at, 1);
	return r->type == RULE_NAME && (m->fold ? str_eq_any_case(wanted, name) : str_eq(wanted, name));
}

static size_t decide(struct name_match *m, struct str json)
{
	struct str name = json_is_string(json) ? json_decoded(&m->text, json_inner(json)) : json;
	size_t i, first;

	if (m->n_regex) {
		if (name.p != m->text.p) /* it has no escapes */
			buf_set(&m->text, name);
		buf_char(&m->text, '\0');
		name = (struct str){m->text.p, m->text.n - 1};
	}
	first = regex_set_first(&m->set, name);
	first = first == REGEX_SET_NONE ? m->n : m->set_rules[first];
	for (i = 0; i < first && m->n > m->set.n; i++) {
		if (rule_matches(m, &m->rules[i], name))
			return i;
	}
	return first < m->n ? first : NAME_MATCH_NONE;
}

size_t name_match_first(struct name_match *m, struct str json)
{
	size_t number, known = m->seen.n;

	if (!json.p)
		return NAME_MATCH_NONE;
	if (!json.n || json.p[0] != '"' || m->rare) /* the same number rarely occurs twice */
		return decide(m, json);
	number = map_put(&m->seen, json);
	if (number < known) {
		m->hits++;
		return m->answers[number];
	}
	m->answers = mem_grow(m->answers, &m->answers_cap, number + 1, sizeof *m->answers);
	m->answers[number] = decide(m, json);
	m->kept += json.n + KEEP_EACH;
	if (m->kept <= NAME_MATCH_KEEP)
		return m->answers[number];
	m->rare = m->hits < m->seen.n;
	map_free(&m->seen);
	m->kept = m->hits = 0;
	return m->answers[number];
}

void name_match_free(struct name_match *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		free(m->rules[i].name);
		if (m->rules[i].type == RULE_REGEX)
			regfree(&m->rules[i].regex);
	}
	mem_free(m->rules, m->set_rules, m->answers);
	regex_set_free(&m->set);
	map_free(&m->seen);
	buf_free(&m->text);
	*m = (struct name_match){0};
}
