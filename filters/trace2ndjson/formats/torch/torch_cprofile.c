/*
 * torch_cprofile: reads cProfile's output, as pstats prints it:
 *
 *          29500532 function calls (29499752 primitive calls) in 95.143 seconds
 *
 *    ncalls  tottime  percall  cumtime  percall filename:lineno(function)
 *     42/21    0.054    0.001    0.098    0.005 train.py:7(step)
 */
#include "torch.h"

#include "base/char_class.h"
#include "base/num_parse.h"
#include "json/write.h"

/* Returns the next word, and moves *rest to the text after it; p is NULL at the end. */
static struct str word(struct str *rest)
{
	struct str s = str_trim(*rest);
	size_t n = 0;

	while (n < s.n && !is_blank(s.p[n]))
		n++;
	*rest = str_from(s, n);
	return n ? str_head(s, n) : (struct str){0};
}

bool torch_is_cprofile_header(struct str line)
{
	static const char *const words[] = {
	    "ncalls", "tottime", "percall", "cumtime", "percall", "filename:lineno(function)"};
	size_t i;

	for (i = 0; i < sizeof words / sizeof *words; i++) {
		if (!str_eq(word(&line), str_of(words[i])))
			return false;
	}
	return !str_trim(line).n;
}

/*
 * Reads the number of calls: "42/21" means 42 calls, of which 21 were not recursive; "42" means that no call was
 * recursive.
 */
static bool calls(struct str text, int64_t *all, int64_t *primitive)
{
	size_t slash = str_find(text, STR("/"));

	if (num_int(str_head(text, slash), all) != NUM_OK)
		return false;
	*primitive = *all;
	return slash == text.n || num_int(str_from(text, slash + 1), primitive) == NUM_OK;
}

bool torch_cprofile_row(struct str line, struct str *name, struct buf *more, struct buf *args)
{
	int64_t all, primitive, ns[4];
	size_t i;

	if (!calls(word(&line), &all, &primitive))
		return false;
	for (i = 0; i < 4; i++) {
		if (num_fixed(word(&line), 9, &ns[i]) != NUM_OK)
			return false;
	}
	*name = str_trim(line);
	if (!name->n)
		return false;
	json_write_int(more, "count", all);
	json_write_int(more, "self", ns[0]);
	json_write_int(more, "total", ns[2]);
	json_write_int(args, "primitive", primitive);
	json_write_int(args, "tottime percall", ns[1]);
	json_write_int(args, "cumtime percall", ns[3]);
	return true;
}

bool torch_cprofile_total(struct str line, struct buf *more, struct buf *args)
{
	struct str first = word(&line), next;
	int64_t all, primitive, ns;

	if (num_int(first, &all) != NUM_OK)
		return false;
	if (!str_eq(word(&line), STR("function")) || !str_eq(word(&line), STR("calls")))
		return false;
	next = word(&line);
	primitive = all;
	if (str_starts(next, STR("("))) {
		if (num_int(str_from(next, 1), &primitive) != NUM_OK || !str_eq(word(&line), STR("primitive")) ||
		    !str_eq(word(&line), STR("calls)")))
			return false;
		next = word(&line);
	}
	if (!str_eq(next, STR("in")) || num_fixed(word(&line), 9, &ns) != NUM_OK)
		return false;
	next = word(&line);
	if (!str_eq(next, STR("seconds")) && !str_eq(next, STR("CPU")))
		return false;
	json_write_int(more, "count", all);
	json_write_int(more, "self", ns);
	json_write_int(args, "primitive", primitive);
	return true;
}
