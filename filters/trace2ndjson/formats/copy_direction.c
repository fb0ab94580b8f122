#include "copy_direction.h"

#include "base/char_class.h"

/* The words for the ends of a copy, longer ones first. M is host memory; CUDA arrays are in device memory. */
static const struct end {
	struct str word;
	char memory; /* host, device, or peer */
} ends[] = {
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
};

static const struct str links[] = {{"_TO_", 4}, {"-to-", 4}, {"to", 2}, {"To", 2}, {"2", 1}};

/* The same as str_starts(), for a word that is rarely at the beginning. */
static inline bool begins(struct str s, struct str word)
{
	return s.n && s.p[0] == word.p[0] && str_starts(s, word);
}

/* Takes an end of a copy from the beginning of *s; returns its memory, or 0. */
static char take_end(struct str *s)
{
	size_t i;

	for (i = 0; i < sizeof ends / sizeof *ends; i++) {
		if (begins(*s, ends[i].word)) {
			*s = str_from(*s, ends[i].word.n);
			return ends[i].memory;
		}
	}
	return 0;
}

static bool take_link(struct str *s)
{
	size_t i;

	for (i = 0; i < sizeof links / sizeof *links; i++) {
		if (begins(*s, links[i])) {
			*s = str_from(*s, links[i].n);
			return true;
		}
	}
	return false;
}

static struct str direction(char from, char to)
{
	static const struct str all[] = {
	    {"\"h2d\"", 5}, {"\"d2h\"", 5}, {"\"d2d\"", 5}, {"\"h2h\"", 5}, {"\"p2p\"", 5}};
	size_t i;

	for (i = 0; i < sizeof all / sizeof *all; i++) {
		if (all[i].p[1] == from && all[i].p[3] == to)
			return all[i];
	}
	return (struct str){NULL, 0};
}

struct str copy_direction(struct str text)
{
	struct str found = {NULL, 0}, rest;
	char from, to;

	for (; text.n && !found.p; text = str_from(text, 1)) {
		rest = text;
		if (!(from = take_end(&rest)) || !take_link(&rest) || !(to = take_end(&rest)))
			continue;
		if (!rest.n || !(is_alphanumeric(rest.p[0]) || rest.p[0] == '_'))
			found = direction(from, to);
	}
	return found;
}
