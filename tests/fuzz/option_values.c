/*
 * fuzz target: arguments of options, read as each type, and what they find in records. The first line of the input is a
 * field, the second one is a value or a regular expression, the others are records, or lines of a file of labels.
 *
 * A refusal names a reason and a place in the argument. The conditions FIELD OP VALUE for two opposite OP never hold
 * both, and one of them holds if the field has values that can be compared. An expression finds what regexec() finds.
 */
#include "fuzz.h"
#include "record_mutator.h"
#include "records.h"

#include "base/units.h"
#include "program/opt_value.h"
#include "record/clock_file.h"
#include "record/condition.h"
#include "record/label_file.h"
#include "record/member_capture.h"
#include "samples.h"

enum { ARGUMENT_MOST = 200, NAME_MOST = 200 };

/* Opposite operators are next to each other. */
static const char *const operators[] = {"==", "!=", "<", ">=", ">", "<=", "=~", "!~"};
enum { OPERATORS = sizeof operators / sizeof *operators };

struct tests {
	struct field field;
	bool has_field, comparable; /* comparable: the conditions are of this field, and not of another */
	char *texts[OPERATORS];
	struct conditions conditions[OPERATORS]; /* each has one condition, or none if it was refused */
};

static void tests_init(struct tests *t, const char *field, const char *value)
{
	struct buf text = {0};
	struct fault f = {0};
	size_t i;

	*t = (struct tests){.has_field = false};
	t->has_field = field_compile(&t->field, str_of(field), &f);
	HOLD(t->has_field || (f.what && f.at.byte <= strlen(field)));
	t->comparable = t->has_field && !strpbrk(field, "!=<>~ ") && !strpbrk(value, "=~<>");
	for (i = 0; i < OPERATORS; i++) {
		text.n = 0;
		mutator_put(&text, field);
		mutator_put(&text, operators[i]);
		mutator_put(&text, value);
		t->texts[i] = str_dup(buf_str(&text));
		f = (struct fault){0};
		if (!conditions_add(&t->conditions[i], t->texts[i], &f))
			HOLD(f.what && f.at.byte <= text.n);
	}
	buf_free(&text);
}

static void tests_free(struct tests *t)
{
	size_t i;

	field_free(&t->field);
	for (i = 0; i < OPERATORS; i++) {
		conditions_free(&t->conditions[i]);
		free(t->texts[i]);
	}
}

static void try_record(struct tests *t, struct str line)
{
	struct event e;
	struct value v;
	bool holds[OPERATORS];
	struct fault f;
	size_t n, i;

	if (!read_record(&e, line))
		return;
	for (i = 0; i < OPERATORS; i++)
		holds[i] = t->conditions[i].n && conditions_hold(&t->conditions[i], &e);
	if (!t->has_field)
		return;
	for (n = 0; field_get(&t->field, &e, n, &v); n++) {
		const struct str copy = padded_copy(v.text);

		HOLD(v.type == VALUE_NONE || json_check(copy, &f));
		free((char *)(uintptr_t)copy.p);
	}
	for (i = 0; t->comparable && i < OPERATORS; i += 2) {
		HOLD(n != 0 || (!holds[i] && !holds[i + 1]));
		HOLD(n != 1 || !holds[i] || !holds[i + 1]);
		if (strcmp(operators[i], "==") == 0 || strcmp(operators[i], "=~") == 0)
			HOLD(!n || !t->conditions[i].n || holds[i] || holds[i + 1]);
	}
}

/* The set of one expression answers as regexec() does. */
static void try_regex(const char *regex, bool fold, struct str names)
{
	struct regex_set set = {.n = 0};
	regex_t compiled;
	struct str line;
	char *text;

	if (regcomp(&compiled, regex, REG_EXTENDED | REG_NOSUB | (fold ? REG_ICASE : 0)) != 0)
		return;
	if (regex_set_add(&set, regex, fold)) {
		while (str_split(&names, '\n', &line)) {
			text = str_dup(str_head(line, NAME_MOST));
			HOLD((regex_set_first(&set, str_of(text)) == 0) == (regexec(&compiled, text, 0, NULL, 0) == 0));
			free(text);
		}
	}
	regfree(&compiled);
	regex_set_free(&set);
}

static const char *take_label(void *arg, struct str label)
{
	(void)arg;
	HOLD(label.n);
	return label.p[0] == '?' ? "refused" : NULL;
}

/* A file is refused at one of its lines. */
static void try_labels(struct str file)
{
	struct name_match names = {.n = 0};
	struct label_file l = {.names = &names, .add = take_label, .last = "!end"};
	struct fault f = {0};
	uint64_t lines = 1;
	size_t i;

	for (i = 0; i < file.n; i++)
		lines += file.p[i] == '\n';
	if (!label_file_text(&l, file, &f))
		HOLD(f.what && f.at.line > 0 && f.at.line <= lines);
	name_match_free(&names);
}

static void try_clocks(struct str records)
{
	struct clock_file clocks = {.cap = 0};
	struct str line;
	struct event e;

	while (str_split(&records, '\n', &line)) {
		const struct str copy = padded_copy(line);

		if (read_record(&e, copy))
			clock_file_add(&clocks, &e);
		free((char *)(uintptr_t)copy.p);
	}
	clock_file_free(&clocks);
}

/* The items of a list, quantities, members and captures. */
static void try_others(const char *text)
{
	const char *list = text;
	const struct unit *unit;
	struct member_capture *capture;
	enum event_member member;
	struct buf room = {0};
	struct str item;
	struct fault f;
	size_t n = 0, bytes = 0;
	int64_t v;

	while (opt_item(&list, &room, &item)) {
		n++;
		bytes += item.n;
		member_capture_member(item, &member);
	}
	HOLD(n && bytes + n - 1 <= strlen(text) + (text[0] == '\0'));
	HOLD(units_parse(str_of(text), &v, &unit) == NUM_OK || num_int(str_of(text), &v) != NUM_OK);
	room.n = 0;
	member_capture_value(&room, str_of(text));
	scan_pad(&room);
	HOLD(json_check(buf_str(&room), &f));
	capture = member_capture_new(STR("x"), text, &f);
	if (capture) {
		room.n = 0;
		member_capture_match(capture, str_of("step 07: x"), &room);
		member_capture_free(capture);
	}
	buf_free(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size}, first, second, line, records;
	char *field, *value;
	struct tests t;

	if (memchr(data, '\0', size) || !str_split(&rest, '\n', &first) || !str_split(&rest, '\n', &second))
		return 0;
	field = str_dup(str_head(first, ARGUMENT_MOST));
	value = str_dup(str_head(second, ARGUMENT_MOST));
	tests_init(&t, field, value);
	for (records = rest; str_split(&records, '\n', &line);) {
		const struct str copy = padded_copy(line);

		try_record(&t, copy);
		free((char *)(uintptr_t)copy.p);
	}
	tests_free(&t);
	try_others(field);
	try_others(value);
	if (!strpbrk(value, "{\\")) {
		try_regex(value, false, rest);
		try_regex(value, true, rest);
	}
	try_labels(str_head(rest, ARGUMENT_MOST));
	try_clocks(rest);
	free(field);
	free(value);
	return 0;
}
