#include "program/shell_words.h"

#include "base/char_class.h"

#include <stdbool.h>

static bool is_plain(char c)
{
	return is_alphanumeric(c) || (c && strchr("_-./:=,+@%", c));
}

/* Appends a space and the word, quoted if necessary. */
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

void shell_words_add(struct buf *b, char *const *words, char *const *end)
{
	for (; words < end; words++)
		add_word(b, *words);
}
