#include "program/opt_value.h"

#include "base/num_format.h"
#include "base/units.h"
#include "record/field.h"

#include <stdio.h>

void opt_invalid(const char *option, struct str got, const char *expected)
{
	die("%s: '%.*s': expected %s", option, STR_FMT(got), expected);
}

/* Returns the word of the list to which `got` is similar; p is NULL if no word is similar. */
static struct str similar_word(struct str got, const char *const *words)
{
	struct str_near near = {got, {NULL, 0}, 0};

	while (*words)
		str_near(&near, str_of(*words++));
	return near.best;
}

void opt_unknown(const char *option, struct str got, const char *const *words)
{
	const struct str similar = similar_word(got, words);
	struct buf all = {0};
	size_t i;

	for (i = 0; words[i]; i++) {
		if (i && words[i + 1])
			buf_lit(&all, ", ");
		else if (i)
			buf_lit(&all, " or ");
		buf_add(&all, words[i], strlen(words[i]));
	}
	if (similar.p)
		die("%s: '%.*s': expected %.*s; did you mean '%.*s'?", option, STR_FMT(got), (int)all.n, all.p,
		    STR_FMT(similar));
	buf_char(&all, '\0');
	opt_invalid(option, got, all.p);
}

void opt_excluded(const char *a, const char *b)
{
	die("%s and %s cannot be used together", a, b);
}

void opt_needs(const char *option, const char *needed)
{
	die("%s needs %s", option, needed);
}

void opt_reserved(const char *option, struct str name)
{
	die("%s: '%.*s' is a standard member; choose another name", option, STR_FMT(name));
}

bool opt_item(const char **list, struct buf *text, struct str *item)
{
	const char *p = *list;
	bool begins = true; /* a part of a field begins at p */
	size_t quoted;

	if (!p)
		return false;
	text->n = 0;
	while (*p == ' ')
		p++;
	while (*p && *p != ',') {
		quoted = begins ? field_quoted(str_of(p)) : 0;
		p += p[0] == '\\' && p[1] == ',';
		begins = *p == '.' || *p == ':';
		buf_add(text, p, quoted ? quoted : 1);
		p += quoted ? quoted : 1;
	}
	*list = *p ? p + 1 : NULL;
	*item = buf_str(text);
	return true;
}

/* Returns the index of `word` in the list of the option's valid words; exits if it is not there. */
static int64_t find_word(const struct opt_value *v, struct str word)
{
	const struct opt_arg *arg = &v->opt->arg;
	int64_t i;

	for (i = 0; arg->words[i]; i++) {
		if (str_eq(word, str_of(arg->words[i])))
			return i;
	}
	opt_unknown(v->option, word, arg->words);
}

/* Returns the bit of a word of a set; 0 for a word that only an open set has. */
static int64_t find_bit(const struct opt_value *v, struct str word)
{
	const char *const *words = v->opt->arg.words;

	if (v->opt->arg.type == OPT_TYPE_OPEN_SET && word.n && !str_in(word, words) && !similar_word(word, words).p)
		return 0;
	return INT64_C(1) << find_word(v, word);
}

/*
 * Writes v to `to`, in the largest unit in which v is an integer; 0 is written without a unit. Returns a view of the
 * text.
 */
static struct str put_quantity(char *to, int64_t v, bool size)
{
	const struct unit *best = NULL, *unit;
	char *p;
	size_t i;

	for (i = 0; v && (unit = units_at(i)); i++) {
		if (unit->size == size && v % unit->factor == 0 && (!best || unit->factor > best->factor))
			best = unit;
	}
	p = num_put_i64(to, best ? v / best->factor : v);
	if (best)
		p = stpcpy(p, best->name);
	return (struct str){to, (size_t)(p - to)};
}

/*
 * Parses the number; exits with a message such as "--every: '2': expected a time >= 1ms, such as 10ms (units: ns us ms
 * s)".
 */
static int64_t parse_number(const struct opt_value *v)
{
	static const struct {
		const char *what, *example;
	} types[] = {
	    [OPT_TYPE_COUNT] = {"an integer", ""},
	    [OPT_TYPE_SIZE] = {"a size", ", such as 64MiB (units: B kB MB GB KiB MiB GiB)"},
	    [OPT_TYPE_TIME] = {"a time", ", such as 10ms (units: ns us ms s)"},
	    [OPT_TYPE_STAMP] = {"a time", ", such as 10ms (units: ns us ms s)"},
	};
	const enum opt_type type = v->opt->arg.type;
	const int64_t min = v->opt->arg.min;
	const bool count = type == OPT_TYPE_COUNT, size = type == OPT_TYPE_SIZE;
	const bool stamp = type == OPT_TYPE_STAMP;
	const struct str text = str_of(v->text + (stamp && v->text[0] == '+'));
	const struct unit *unit = NULL;
	char room[NUM_ROOM];
	struct str least = {room, 0};
	int64_t number;
	const enum num_result result = count ? num_int(text, &number) : units_parse(text, &number, &unit);

	if (result == NUM_OK && number >= min && (!unit || unit->size == size))
		return number;
	if (count)
		least.n = (size_t)(num_put_i64(room, min) - room);
	else if (min != INT64_MIN)
		least = put_quantity(room, min, size);
	die("%s: '%s': expected %s%s%.*s%s%s", v->option, v->text, types[type].what, least.n ? " >= " : "",
	    STR_FMT(least), result == NUM_RANGE ? " that fits in 64 bits" : "", types[type].example);
}

void opt_value_parse(struct opt_value *v, const struct opt *opt, const char *text)
{
	struct str rest = str_of(text ? text : ""), word;

	*v = (struct opt_value){.opt = opt, .text = text};
	if (opt_has_letter(opt))
		snprintf(v->option, sizeof v->option, "-%c", opt->letter);
	else
		snprintf(v->option, sizeof v->option, "--%s", opt->name);
	if (opt->arg.optional && !text)
		return;
	switch (opt->arg.type) {
	case OPT_TYPE_FLAG:
	case OPT_TYPE_TEXT:
	case OPT_TYPE_RENAMED: /* opt_read() has taken the row of the new name */
		break;
	case OPT_TYPE_COUNT:
	case OPT_TYPE_SIZE:
	case OPT_TYPE_TIME:
	case OPT_TYPE_STAMP:
		v->number = parse_number(v);
		break;
	case OPT_TYPE_CHOICE:
		v->number = find_word(v, rest);
		break;
	case OPT_TYPE_SET:
	case OPT_TYPE_OPEN_SET:
		while (str_split(&rest, ',', &word)) {
			while (str_starts(word, STR(" ")))
				word = str_from(word, 1);
			v->number |= find_bit(v, word);
		}
		break;
	case OPT_TYPE_REPLACED:
		die("%s is not an option any more; run: %s", v->option, opt->arg.now);
	}
}

void opt_value_store(void *to, const struct opt_value *v)
{
	char *member = (char *)to + v->opt->to.offset;
	const bool set = v->opt->arg.type == OPT_TYPE_SET;

	switch (v->opt->to.type) {
	case OPT_TO_TAKE:
		break;
	case OPT_TO_BOOL:
		*(bool *)member = v->opt->arg.type == OPT_TYPE_FLAG || v->number;
		break;
	case OPT_TO_TEXT:
		*(const char **)member = v->text;
		break;
	case OPT_TO_32:
		*(uint32_t *)member = (uint32_t)v->number | (set ? *(uint32_t *)member : 0);
		break;
	case OPT_TO_64:
		*(int64_t *)member = v->number | (set ? *(int64_t *)member : 0);
		break;
	}
}
