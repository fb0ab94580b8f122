/*
 * record_mutator.h: changes an input of lines, most of which are records, as programs and transfers damage them: lost
 * commas and brackets, members that occur twice, values of other types, deep nesting, equal times, lines that are cut,
 * repeated or in another order. A target that includes this file gets these changes besides those of libFuzzer.
 */
#ifndef RECORD_MUTATOR_H
#define RECORD_MUTATOR_H

#include "base/str.h"
#include "fuzz.h"

#include <string.h>

/* Changes a line that is not a record; a target can define it. Returns false to let libFuzzer change the input. */
typedef bool record_mutator_line(struct buf *to, struct str line);

struct record_mutator {
	uint64_t state;
	record_mutator_line *other; /* NULL: all lines are records */
};

static struct record_mutator record_mutator = {.state = 1};

static inline size_t mutator_below(size_t n)
{
	record_mutator.state = record_mutator.state * 6364136223846793005 + 1442695040888963407;
	return n ? (size_t)(record_mutator.state >> 33) % n : 0;
}

#define MUTATOR_PICK(list) ((list)[mutator_below(sizeof(list) / sizeof *(list))])

static const char *const mutator_values[] = {"null", "true", "false", "\"\"", "0", "-0", "-1", "1", "5.0", "1e3", "7.5",
    "1e400", "-1e-400", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551616",
    "170141183460469231731687303715884105728", "\"12\"", "\"\\u0000\"", "\"\xff\"", "\"\\ud800\"", "{}", "[]", "[[]]",
    "{\"ts\":1,\"name\":\"l\",\"dur\":2,\"pid\":1}", "[\"a\",\"b\"]", "\"kernel\"", "\"api\"", "\"op\"", "\"range\"",
    "\"meta\"", "\"memcpy\"", "\"activity\"", "\"collective\"", "\"clock\"", "\"counter\"", "\"sample\"", "NaN", "tru"};
static const char *const mutator_keys[] = {"ts", "dur", "kind", "name", "cat", "rank", "pid", "tid", "dev", "stream",
    "corr", "id", "parent", "clock", "bytes", "copy", "err", "args", "src", "api", "range", "ranges", "delay", "queue",
    "self", "depth", "stack", "op", "ops", "iter", "value", "n\\u0061me", "External id", "Input Dims", ""};

/* The places of the characters outside strings that give a record its structure. */
struct mutator_places {
	size_t at[512], n;
};

static inline void mutator_find(struct mutator_places *p, struct str line)
{
	bool text = false;
	size_t i;

	for (i = p->n = 0; i < line.n && p->n < sizeof p->at / sizeof *p->at; i++) {
		if (text && line.p[i] == '\\')
			i++;
		else if (line.p[i] == '"')
			text = !text;
		else if (!text && strchr("{}[],:", line.p[i]) && line.p[i])
			p->at[p->n++] = i;
	}
}

static inline void mutator_add(struct buf *to, struct str line, size_t from, size_t until)
{
	buf_add(to, line.p + from, until - from);
}

static inline void mutator_put(struct buf *to, const char *text)
{
	buf_add(to, text, strlen(text));
}

static inline void mutator_repeat(struct buf *to, char c, size_t n)
{
	while (n--)
		buf_char(to, c);
}

/* Writes the record with one change. */
static inline void mutator_change_record(struct buf *to, struct str line)
{
	struct mutator_places p;
	size_t i, at, next, n;

	mutator_find(&p, line);
	if (p.n < 2) {
		buf_add(to, line.p, line.n);
		return;
	}
	i = mutator_below(p.n - 1);
	at = p.at[i];
	next = p.at[i + 1];
	switch (mutator_below(8)) {
	case 0: /* loses a character */
		mutator_add(to, line, 0, at);
		mutator_add(to, line, at + 1, line.n);
		return;
	case 1: /* repeats some members */
		next = p.at[i + mutator_below(p.n - i)];
		mutator_add(to, line, 0, next);
		mutator_add(to, line, at, line.n);
		return;
	case 2: /* another value, or another key */
		mutator_add(to, line, 0, at + 1);
		if (line.p[next] == ':')
			buf_char(to, '"');
		mutator_put(to, line.p[next] == ':' ? MUTATOR_PICK(mutator_keys) : MUTATOR_PICK(mutator_values));
		if (line.p[next] == ':')
			buf_char(to, '"');
		mutator_add(to, line, next, line.n);
		return;
	case 3: /* brackets around a value */
		n = mutator_below(4) ? mutator_below(4) : mutator_below(1200);
		mutator_add(to, line, 0, at + 1);
		mutator_repeat(to, '[', n);
		mutator_add(to, line, at + 1, next);
		mutator_repeat(to, ']', n);
		mutator_add(to, line, next, line.n);
		return;
	case 4: /* white space */
		mutator_add(to, line, 0, at);
		mutator_repeat(to, " \t\r"[mutator_below(3)], 1 + mutator_below(3));
		mutator_add(to, line, at, line.n);
		return;
	case 5: /* a new member */
		mutator_add(to, line, 0, at + (line.p[at] == '{'));
		mutator_put(to, line.p[at] == '{' ? "\"" : ",\"");
		mutator_put(to, MUTATOR_PICK(mutator_keys));
		mutator_put(to, "\":");
		mutator_put(to, MUTATOR_PICK(mutator_values));
		mutator_put(to, line.p[at] == '{' ? "," : "");
		mutator_add(to, line, at + (line.p[at] == '{'), line.n);
		return;
	case 6: /* the rest is cut */
		mutator_add(to, line, 0, next);
		return;
	default: /* a value of another place of the record */
		n = mutator_below(p.n - 1);
		mutator_add(to, line, 0, at + 1);
		mutator_add(to, line, p.at[n] + 1, p.at[n + 1]);
		mutator_add(to, line, next, line.n);
	}
}

/* Writes all lines, with a change of one of them. Returns false if libFuzzer is to change the input. */
static inline bool mutator_change_lines(struct buf *to, struct str text)
{
	struct str rest = text, line, moved = {NULL, 0};
	size_t n = 0, chosen, how = mutator_below(12), i;

	while (str_split(&rest, '\n', &line))
		n++;
	chosen = mutator_below(n);
	for (i = 0, rest = text; str_split(&rest, '\n', &line); i++) {
		if (i == chosen && how == 0) { /* the line moves to the end, or is lost */
			moved = line;
			continue;
		}
		if (i == chosen && how == 1) {
			buf_add(to, line.p, line.n);
			buf_char(to, '\n');
		}
		if (i != chosen || how == 1)
			buf_add(to, line.p, line.n);
		else if (line.n && line.p[0] == '{')
			mutator_change_record(to, line);
		else if (!record_mutator.other || !record_mutator.other(to, line))
			return false;
		if (rest.p)
			buf_char(to, '\n');
	}
	if (moved.p && mutator_below(2))
		buf_add(to, moved.p, moved.n);
	return true;
}

#ifdef LIBFUZZER

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static struct buf changed, before;
	size_t i;

	record_mutator.state = seed;
	before.n = 0;
	buf_add(&before, data, size);
	for (i = 0; i <= mutator_below(4); i++) {
		changed.n = 0;
		if (mutator_below(10) == 0 || !mutator_change_lines(&changed, buf_str(&before)) || changed.n > most)
			return LLVMFuzzerMutate(data, size, most); /* the input is unchanged */
		before.n = 0;
		buf_add(&before, changed.p, changed.n);
	}
	memcpy(data, before.p, before.n);
	return before.n;
}

#endif

#endif
