/*
 * perf_header: reads the header of a sample in the output of perf script. The user selects the fields of the header
 * (-F), and names may contain spaces and digits. So the reader first finds a field that has an unambiguous form: the
 * time or, if that is missing, the event.
 */
#include "perf.h"

#include "perf_words.h"

/* Finds the first word of the form "SEC.USEC:" or "SEC.NSEC:". */
static bool find_time(struct str line, struct str *before, struct str *time, struct str *after)
{
	const char *colon = line.p;
	size_t end, dot, start;

	for (; (colon = memchr(colon, ':', line.n - (size_t)(colon - line.p))); colon++) {
		end = (size_t)(colon - line.p);
		for (dot = end; dot && is_digit(line.p[dot - 1]);)
			dot--;
		if ((end - dot != 6 && end - dot != 9) || !dot || line.p[dot - 1] != '.')
			continue;
		for (start = dot - 1; start && is_digit(line.p[start - 1]);)
			start--;
		if (start == dot - 1 || (start && !is_blank(line.p[start - 1])) ||
		    (end + 1 < line.n && !is_blank(line.p[end + 1])))
			continue;
		*before = trim_right(str_head(line, start));
		*time = (struct str){line.p + start, end - start};
		*after = trim_left(str_from(line, end + 1));
		return true;
	}
	return false;
}

/* Removes "[003]" from the end of *s, and sets *cpu to its digits. */
static bool take_cpu(struct str *s, struct str *cpu)
{
	struct str word = last_word(*s);

	if (word.n < 3 || word.p[0] != '[' || word.p[word.n - 1] != ']')
		return false;
	*cpu = (struct str){word.p + 1, word.n - 2};
	if (!str_all(*cpu, is_digit))
		return false;
	*s = drop_last(*s, word);
	return true;
}

/* Removes "TID" or "PID/TID" from the end of *s, and sets the ids in *h. */
static bool take_ids(struct str *s, struct perf_header *h)
{
	struct str word = last_word(*s), pid, tid = word;

	if (str_find(word, STR("/")) < word.n) {
		str_split(&tid, '/', &pid);
		if (!is_id(pid))
			return false;
		h->pid = pid;
	}
	if (!is_id(tid)) {
		h->pid = (struct str){NULL, 0};
		return false;
	}
	h->tid = tid;
	*s = drop_last(*s, word);
	return true;
}

/* Reads the fields before the time: COMM, TID or PID/TID, [CPU], flags. Each may be absent. */
static void read_front(struct str s, struct perf_header *h)
{
	struct str word = last_word(s), rest = drop_last(s, word);

	/* Flags such as "K" follow a number or [CPU]. */
	if (str_all(word, is_upper) && rest.n && (is_digit(rest.p[rest.n - 1]) || rest.p[rest.n - 1] == ']')) {
		h->flags = word;
		s = rest;
	}
	if (!take_cpu(&s, &h->cpu))
		h->cpu.p = NULL;
	take_ids(&s, h);
	s = trim_left(s);
	if (s.n)
		h->comm = s;
}

bool perf_is_address(struct str text, struct str word)
{
	return str_all(word, is_of_address) && (size_t)(word.p + word.n - text.p) >= 17;
}

bool perf_event_is(struct str name)
{
	size_t i;

	for (i = 0; i < name.n; i++) {
		if (is_control(name.p[i]) || name.p[i] == '"')
			return false;
	}
	return name.n > 0;
}

/* Reads the fields after the time: PERIOD, EVENT:, and the only frame or the text of a tracepoint. */
static void read_back(struct str s, struct perf_header *h)
{
	struct str word, next;

	s = trim_right(s);
	word = first_word(trim_left(s));
	if (str_all(word, is_digit) && !perf_is_address(s, word)) {
		next = first_word(trim_left(str_from(s, (size_t)(word.p + word.n - s.p))));
		if (!next.n || next.p[next.n - 1] == ':' || str_all(next, is_of_address)) {
			h->period = word;
			s = str_from(s, (size_t)(word.p + word.n - s.p));
			word = next;
		}
	}
	if (word.n > 1 && word.p[word.n - 1] == ':' && perf_event_is(word)) {
		h->event = str_head(word, word.n - 1);
		s = str_from(s, (size_t)(word.p + word.n - s.p));
	}
	if (trim_left(s).n)
		h->rest = s; /* includes the padding before an address */
}

/* Reads a header without a time. It is recognised by an "EVENT:" that follows a number or [CPU]. */
static bool read_timeless(struct str line, struct perf_header *h)
{
	struct str word, front, rest = trim_left(line), period = {NULL, 0};

	for (; rest.n; rest = drop_first(rest, word)) {
		word = first_word(rest);
		if (word.n < 2 || word.p[word.n - 1] != ':' || word.p == trim_left(line).p || !perf_event_is(word))
			continue;
		front = trim_right(str_head(line, (size_t)(word.p - line.p)));
		/* If two numbers precede the event, the second is the period. */
		if (str_all(last_word(front), is_digit)) {
			struct str before = drop_last(front, last_word(front)), id = last_word(before), cpu;

			if (id.n && (is_id(id) || take_cpu(&(struct str){before.p, before.n}, &cpu) ||
					str_find(id, STR("/")) < id.n)) {
				period = last_word(front);
				front = before;
			}
		}
		*h = (struct perf_header){.period = period};
		read_front(front, h);
		if (!h->tid.p)
			continue;
		h->event = str_head(word, word.n - 1);
		h->rest = str_from(line, (size_t)(word.p + word.n - line.p));
		if (!trim_left(h->rest).n)
			h->rest.p = NULL;
		/* A log line such as "step 5 loss: 0.25" is not a header. */
		return !h->rest.p || perf_is_address(h->rest, first_word(trim_left(h->rest))) ||
		       str_find(h->event, STR(":")) < h->event.n;
	}
	return false;
}

bool perf_header_read(struct str line, struct perf_header *h)
{
	struct str before, after;

	*h = (struct perf_header){0};
	line = trim_right(line);
	if (!find_time(line, &before, &h->time, &after))
		return read_timeless(line, h);
	after = str_from(line, (size_t)(h->time.p + h->time.n + 1 - line.p));
	read_front(before, h);
	read_back(after, h);
	return h->event.p || h->rest.p || h->period.p || h->tid.p || h->comm.p;
}
