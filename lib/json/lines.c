#include "json/lines.h"

void lines_begin(struct lines *u, struct source *src, enum scan_mode mode, size_t max_record)
{
	*u = (struct lines){.src = src, .max_record = max_record, .patience = LINES_PATIENCE};
	scan_init(&u->scan, mode);
}

/* Counts the current line as too long, once, although it may be read in several steps. */
static void count_over(struct lines *u, uint64_t line)
{
	if (u->skipping || u->over++)
		return;
	u->over_at = u->src->offset + u->start;
	u->over_line = line;
}

/* Takes the line that ends at the offset `end` of the window; returns false when it is blank or too long. */
static inline bool take_line(struct lines *u, struct line *line, size_t end, bool clean, bool cut)
{
	const bool lines = u->scan.mode == SCAN_LINES;
	struct str text = {u->src->p + u->start, end - u->start};
	const uint64_t offset = u->src->offset + u->start;

	u->line += lines;
	if (lines && text.n && text.p[text.n - 1] == '\n')
		text.n--;
	if (text.n > u->max_record || u->skipping) {
		count_over(u, u->line);
		u->start = end;
		u->skipping = false;
		return false;
	}
	u->start = end;
	u->patience = LINES_PATIENCE;
	if (lines && text.n && text.p[text.n - 1] == '\r')
		text.n--;
	*line = (struct line){text, clean, cut, false, offset, u->line};
	return !lines || (text.n && (text.p[0] > ' ' || str_trim(text).n));
}

/* Drops the bytes of the window that are not needed any more; if the current line is too long, drops the whole line. */
static void make_room(struct lines *u)
{
	size_t drop;

	if (u->src->n - u->start > u->max_record || u->skipping) {
		count_over(u, u->scan.mode == SCAN_LINES ? u->line + 1 : 0);
		u->skipping = true;
		u->start = u->scan.at > u->start ? u->scan.at : u->start;
	}
	drop = u->scan.at < u->start ? u->scan.at : u->start;
	source_skip(u->src, drop);
	scan_drop(&u->scan, drop);
	u->start -= drop;
}

/* If the value has more than lines.patience bytes, up to `end`, sets *line to the first ones and returns true. */
static inline bool is_impatient(struct lines *u, struct line *line, size_t end)
{
	const struct str text = {u->src->p + u->start, u->patience};

	if (end - u->start <= u->patience || u->scan.mode == SCAN_LINES || u->skipping || u->patience > u->max_record)
		return false;
	u->patience *= 2;
	*line = (struct line){.text = text, .partial = true, .offset = u->src->offset + u->start};
	return true;
}

int lines_search(struct lines *u, struct line *line)
{
	const struct scan_unit *found;
	int r;

	for (;;) {
		while (u->taken < u->ready) {
			found = &u->found[u->taken];
			if (is_impatient(u, line, found->end))
				return 1;
			u->taken++;
			if (take_line(u, line, found->end, found->clean, false))
				return 1;
		}
		u->taken = 0;
		u->ready = scan_run(&u->scan, u->src->p, u->src->n, u->found, sizeof u->found / sizeof *u->found);
		if (u->ready)
			continue;
		if (u->whole)
			return 0;
		if (is_impatient(u, line, u->src->n))
			return 1;
		make_room(u);
		r = u->ended ? 0 : source_more(u->src);
		if (r > 0)
			continue;
		/* The rest of the input is a last line without a newline, or an unclosed value. */
		u->ended = true;
		if (u->start < u->src->n && take_line(u, line, u->src->n, false, true))
			return 1;
		return u->src->fault.what ? -1 : 0;
	}
}

void lines_restart(struct lines *u, uint64_t offset)
{
	enum scan_mode mode = u->scan.mode;

	source_skip(u->src, (size_t)(offset - u->src->offset));
	scan_init(&u->scan, mode);
	u->start = u->ready = u->taken = 0;
	u->skipping = false;
	u->patience = LINES_PATIENCE;
}

void lines_end(struct lines *u)
{
	lines_restart(u, u->src->offset + u->start);
}
