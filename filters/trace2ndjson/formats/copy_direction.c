#include "copy_direction.h"

#include "base/char_class.h"

/* The words for the ends of a copy and between them. M is host memory; CUDA arrays are in device memory. */
static const struct {
	struct str text;
	char meaning; /* host, device or peer; 2: between them */
} words[] = {
    {{"HOST", 4}, 'h'},
    {{"Host", 4}, 'h'},
    {{"H", 1}, 'h'},
    {{"M", 1}, 'h'},
    {{"DEVICE", 6}, 'd'},
    {{"Device", 6}, 'd'},
    {{"D", 1}, 'd'},
    {{"Array", 5}, 'd'},
    {{"Peer", 4}, 'p'},
    {{"P", 1}, 'p'},
    {{"_TO_", 4}, '2'},
    {{"-to-", 4}, '2'},
    {{"to", 2}, '2'},
    {{"To", 2}, '2'},
    {{"2", 1}, '2'},
};

/* Takes a word from the beginning of *s; returns its meaning, or 0. */
static char take_word(struct str *s)
{
	size_t i;

	for (i = 0; s->n && i < sizeof words / sizeof *words; i++) {
		/* most words differ in the first character */
		if (words[i].text.p[0] == s->p[0] && str_starts(*s, words[i].text)) {
			*s = str_from(*s, words[i].text.n);
			return words[i].meaning;
		}
	}
	return 0;
}

struct str copy_direction(struct str text)
{
	static const struct str all[] = {
	    {"\"h2d\"", 5}, {"\"d2h\"", 5}, {"\"d2d\"", 5}, {"\"h2h\"", 5}, {"\"p2p\"", 5}};
	struct str rest;
	char from, to;
	size_t i;

	for (; text.n; text = str_from(text, 1)) {
		rest = text;
		from = take_word(&rest);
		if (!from || take_word(&rest) != '2')
			continue;
		to = take_word(&rest);
		if (rest.n && (is_alphanumeric(rest.p[0]) || rest.p[0] == '_'))
			continue;
		for (i = 0; i < sizeof all / sizeof *all; i++) {
			if (all[i].p[1] == from && all[i].p[3] == to)
				return all[i];
		}
	}
	return (struct str){NULL, 0};
}
