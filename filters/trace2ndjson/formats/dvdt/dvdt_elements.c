#include "dvdt_elements.h"

#include "json/check.h"
#include "trace2ndjson/formats/document.h"

void dvdt_elements_begin(struct dvdt_elements *l, struct reader *r)
{
	lines_begin(&l->lines, r->src, SCAN_VALUES, r->max_record);
	l->lost = 0;
}

/* Adds the newlines in s, which has been read, to l->line if newlines are counted. */
static void pass_text(struct dvdt_elements *l, struct str s)
{
	const char *p = s.p, *end = s.p + s.n;

	for (; l->block && (p = memchr(p, '\n', (size_t)(end - p))); p++)
		l->line++;
}

static void lost_element(struct dvdt_elements *l, struct reader *r)
{
	reader_lost(r, "call is not valid JSON; skipped", l->at.line, l->at.byte);
	l->lost++;
}

static void report_over(const struct dvdt_elements *l, struct reader *r)
{
	if (l->lines.over)
		diagnostics_add_many(r->diagnostics, DIAGNOSTICS_LOST, "record larger than --max-record; skipped",
		    (struct fault_location){r->file, l->lines.over_line, l->lines.over_at}, l->lines.over);
}

/* Whether an element begins at the brace at `at`: a key and a colon follow it, but no colon precedes it. */
static int element_at(void *arg, struct str s, size_t at)
{
	enum { ENOUGH = 256 };
	size_t n;

	(void)arg;
	if (str_ends(document_before(s, at), STR(":")))
		return false;
	s = str_trim(str_head(str_from(s, at + 1), ENOUGH));
	/* No key can begin inside a string, because quotes are escaped there. */
	for (n = 1; n < s.n && s.p[n] != '"' && s.p[n] != '\\' && (unsigned char)s.p[n] >= ' '; n++)
		;
	return n > 1 && str_starts(s, STR("\"")) && str_starts(str_from(s, n), STR("\"")) &&
	       str_starts(str_trim(str_from(s, n + 1)), STR(":"));
}

/*
 * Returns the offset of the mark of dvdt-prof; s.n when not found. A valid element never has the mark at the beginning
 * of a line, because newlines in strings are escaped. The text may end with the mark, because the scan takes the mark's
 * closing bracket for the end of a value.
 */
static size_t next_mark(struct str s)
{
	static const struct str mark = {"[dv/dt]", 7}, line = {"\n[dv/dt]", 8}, open = {"[dv/dt] <<\n", 11};
	size_t at, other;

	if (str_starts(s, mark))
		return 0;
	at = str_find(s, line);
	at += at < s.n;
	other = str_find(s, open);
	if (at == s.n && other == s.n && str_ends(s, mark))
		return s.n - mark.n;
	return at < other ? at : other;
}

/* Skips an invalid element, up to program output or the next element, or else to its end. */
static enum dvdt_element skip_element(
    struct dvdt_elements *l, struct reader *r, const struct line *line, struct str text)
{
	size_t mark = l->block ? next_mark(text) : text.n;
	size_t next = document_find_object(str_head(text, mark), text.p[0] == '{', element_at, NULL);

	if (next < text.n) { /* at the mark, if no element begins before it */
		if (next < mark) {
			lost_element(l, r);
		} else {
			reader_lost(r, "block of calls ends before its array is closed", l->at.line, l->at.byte);
			report_over(l, r);
		}
		pass_text(l, str_head(text, next));
		lines_restart(&l->lines, line->offset + (uint64_t)(text.p - line->text.p) + next);
		return next < mark ? DVDT_NONE : DVDT_BROKEN;
	}
	if (!line->partial && !line->cut)
		lost_element(l, r);
	if (!line->partial)
		pass_text(l, text);
	return DVDT_NONE;
}

/* Handles a closing bracket without an opening one: it closes the array, or is an extra bracket. */
static enum dvdt_element close_array(
    struct dvdt_elements *l, struct reader *r, const struct line *line, struct str text)
{
	pass_text(l, text);
	if (text.n > 1)
		lost_element(l, r);
	if (text.p[text.n - 1] == ']') {
		report_over(l, r);
		lines_end(&l->lines);
		return DVDT_CLOSED;
	}
	if (text.n == 1)
		reader_lost(r, "extra closing bracket; skipped", l->at.line, l->at.byte);
	lines_restart(&l->lines, line->offset + line->text.n);
	return DVDT_NONE;
}

enum dvdt_element dvdt_elements_next(struct dvdt_elements *l, struct reader *r, struct str *text)
{
	struct line line;
	uint32_t repairs;
	struct str t;
	const uint64_t over = l->lines.over;
	const bool more = lines_next(&l->lines, &line) > 0;

	l->lost += l->lines.over - over;
	if (!more) {
		report_over(l, r);
		if (!r->src->fault.what) /* a read error has its own message */
			reader_cut(
			    r, "file is cut short: the array of calls is not closed", 0, r->src->offset + r->src->n);
		return DVDT_ENDED;
	}
	t = str_trim(line.text);
	if (t.n && t.p[0] == ',')
		t = str_trim(str_from(t, 1));
	if (!line.partial)
		pass_text(l, str_head(line.text, (size_t)(t.p - line.text.p)));
	l->at =
	    (struct fault_location){r->file, l->block ? l->line + 1 : 0, line.offset + (uint64_t)(t.p - line.text.p)};
	if (!t.n)
		return DVDT_NONE;
	if (!line.partial && (t.p[t.n - 1] == ']' || t.p[t.n - 1] == '}') && !memchr(t.p, '{', t.n) &&
	    !memchr(t.p, '[', t.n))
		return close_array(l, r, &line, t);
	*text = t;
	if (line.partial || t.p[0] != '{')
		return skip_element(l, r, &line, t);
	if (!json_check(t, NULL)) {
		/*
		 * The writers escape quotes in strings. So if a repair would escape quotes, the closing quote of a
		 * string is missing, and the repair would make the next member part of the string.
		 */
		if (document_find_object(t, 1, element_at, NULL) < t.n || (l->block && next_mark(t) < t.n) ||
		    !repair_object(t, &r->repaired, &repairs) || repairs >> REPAIR_QUOTE & 1)
			return skip_element(l, r, &line, t);
		reader_repaired(r, repairs, l->at.line, l->at.byte);
		*text = buf_str(&r->repaired);
	}
	*text = reader_names(r, *text);
	pass_text(l, t);
	return DVDT_ELEMENT;
}
