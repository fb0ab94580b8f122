#include "format.h"

#include "json/check.h"
#include "json/string.h"
#include "json/scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool report(struct reader *r, enum diagnostics_kind kind, const char *what, uint64_t line, uint64_t byte)
{
	diagnostics_add(r->diagnostics, kind, what, (struct fault_location){r->file, line, byte});
	return false;
}

bool reader_lost(struct reader *r, const char *what, uint64_t line, uint64_t byte)
{
	return report(r, DIAGNOSTICS_LOST, what, line, byte);
}

bool reader_cut(struct reader *r, const char *what, uint64_t line, uint64_t byte)
{
	return report(r, DIAGNOSTICS_CUT, what, line, byte);
}

bool reader_note(struct reader *r, const char *what, uint64_t line, uint64_t byte)
{
	return report(r, DIAGNOSTICS_NOTE, what, line, byte);
}

bool reader_warning(struct reader *r, const char *what, uint64_t line, uint64_t byte)
{
	return report(r, DIAGNOSTICS_WARNING, what, line, byte);
}

void reader_repaired_as(struct reader *r, const char *what, uint64_t line, uint64_t byte)
{
	report(r, DIAGNOSTICS_REPAIRED, what, line, byte);
}

void reader_repaired(struct reader *r, uint32_t repairs, uint64_t line, uint64_t byte)
{
	enum repair_class c;

	for (c = 0; c < REPAIR_N; c++) {
		if (repairs >> c & 1)
			reader_repaired_as(r, repair_text(c), line, byte);
	}
}

const char *reader_text(struct reader *r, const char *fmt, ...)
{
	char text[200];
	va_list values;

	va_start(values, fmt);
	vsnprintf(text, sizeof text, fmt, values);
	va_end(values);
	return diagnostics_text(r->diagnostics, str_of(text));
}

struct str reader_names(struct reader *r, struct str text)
{
	struct str rest = text, string;
	size_t n;

	if (!memchr(text.p, '\\', text.n))
		return text;
	while ((n = str_find(rest, STR("\""))) < rest.n) {
		string = str_from(rest, n + 1);
		rest = str_from(string, scan_quote(string) + 1);
		string.n -= rest.n;
		if (!memchr(string.p, '\\', string.n) || !str_starts(str_trim(rest), STR(":")))
			continue;
		r->names.n = 0;
		json_plain_keys(&r->names, text);
		scan_pad(&r->names);
		return buf_str(&r->names);
	}
	return text;
}

bool reader_repair(struct reader *r, struct str *text, uint64_t line, uint64_t byte)
{
	uint32_t repairs;

	if (!repair_object(*text, &r->repaired, &repairs))
		return false;
	scan_pad(&r->repaired);
	*text = buf_str(&r->repaired);
	reader_repaired(r, repairs, line, byte);
	return true;
}

struct str reader_sound(struct reader *r, const struct line *line, struct str text)
{
	struct fault f;

	if (!json_check(text, &f) && !reader_repair(r, &text, line->line, line->offset)) {
		if (line->cut)
			reader_cut(r, "record cut short; skipped", line->line, line->offset);
		else
			reader_lost(r, "not a JSON record; skipped", line->line, line->offset);
		return (struct str){NULL, 0};
	}
	return reader_names(r, text);
}

void format_open(const struct format *format, void *state, struct reader *r)
{
	r->draft = mem_zero(1, sizeof *r->draft);
	if (format->lines)
		lines_begin(&r->lines, r->src, SCAN_LINES, r->max_record);
	if (format->open)
		format->open(state, r);
}

void format_close(const struct format *format, void *state, struct reader *r)
{
	const char *over = format->over ? format->over : "record larger than --max-record; skipped";

	if (r->lines.over)
		diagnostics_add_many(r->diagnostics, DIAGNOSTICS_LOST, over,
		    (struct fault_location){r->file, r->lines.over_line, r->lines.over_at}, r->lines.over);
	if (format->close)
		format->close(state, r);
	bufs_free(&r->names, &r->repaired, &r->draft->name, &r->draft->attachments, &r->draft->args);
	free(r->draft);
}

bool head_line(struct str *head, struct str *line)
{
	while (str_split(head, '\n', line)) {
		if (str_ends(*line, STR("\r")))
			line->n--;
		if (str_trim(*line).n)
			return true;
	}
	return false;
}

#define TO(member) OPT_TO(struct format_log, member)
const struct opt format_log_options[] = {
    {0, "keep-text", OPT_FLAG, TO(keep_text), "onednn, torch: write other lines as records of kind other"},
    {0},
};

void reader_check_text(struct reader *r, struct str text, uint64_t line, uint64_t byte)
{
	uint32_t code;
	size_t n;

	while ((text = str_from(text, json_plain(text))).n) {
		n = (unsigned char)text.p[0] < 0x80 ? 1 : utf8_decode(text, &code);
		if (!text.p[0])
			reader_repaired(r, 1u << REPAIR_NUL, line, byte);
		if (!n) {
			reader_repaired(r, 1u << REPAIR_UTF8, line, byte);
			return;
		}
		text = str_from(text, n);
	}
}
