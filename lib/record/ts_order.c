#include "record/ts_order.h"

#include "base/char_class.h"

#include <inttypes.h>

static bool is_plain(char c)
{
	return is_alphanumeric(c) || (c && strchr("_-./:=,+@%", c));
}

/* A space and the word as a shell reads it. */
static void add_word(struct buf *b, const char *word)
{
	const char *c;

	buf_char(b, ' ');
	for (c = word; is_plain(*c); c++)
		;
	if (*word && !*c) {
		buf_add(b, word, (size_t)(c - word));
		return;
	}
	buf_char(b, '\'');
	for (c = word; *c; c++) {
		if (*c == '\'')
			buf_lit(b, "'\\''");
		else
			buf_char(b, *c);
	}
	buf_char(b, '\'');
}

void ts_order_words(struct buf *b, char *const *words, char *const *end)
{
	for (; words < end; words++)
		add_word(b, *words);
}

void ts_order_tell(struct input *in, char *const *argv, char *const *operands)
{
	struct buf line = {0};
	char *const *end = operands;

	while (*end)
		end++;
	if (*operands)
		buf_lit(&line, "ts-sort");
	else
		buf_lit(&line, "... | ts-sort");
	ts_order_words(&line, operands, end);
	buf_lit(&line, " | ");
	buf_add(&line, err_prog(), strlen(err_prog()));
	ts_order_words(&line, argv + 1, operands);
	warn("%s: line %" PRIu64 " is out of ts order; run: %.*s", in->file, in->line, (int)line.n, line.p);
	buf_free(&line);
	in->failed = true;
}
