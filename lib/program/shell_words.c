#include "program/shell_words.h"

#include "base/char_class.h"
#include "base/str.h"

static bool is_plain(char c)
{
	return is_alphanumeric(c) || (c && strchr("_-./:=,+@%", c));
}

void shell_words_add(struct buf *b, char *const *words, char *const *end)
{
	const char *c;

	for (; words < end; words++) {
		buf_char(b, ' ');
		if (str_all(str_of(*words), is_plain)) {
			buf_add(b, *words, strlen(*words));
			continue;
		}
		buf_char(b, '\'');
		for (c = *words; *c; c++) {
			if (*c == '\'')
				buf_lit(b, "'\\''");
			else
				buf_char(b, *c);
		}
		buf_char(b, '\'');
	}
}
