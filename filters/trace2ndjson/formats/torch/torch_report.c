/* torch_report: reads the text around the tables of a profiler: totals, and the sections of a bottleneck report. */
#include "torch.h"

#include "base/num_parse.h"
#include "json/write.h"

int torch_total(struct torch *t, struct reader *r, struct str line, struct event *e)
{
	struct str s = torch_body(&t->table, line), name, device, value;
	const struct str what = STR(" time total:");
	size_t at;
	int64_t ns;
	bool self;

	s = str_trim(s);
	at = str_find(s, what);
	self = str_starts(s, STR("Self "));
	device = str_from(str_head(s, at), self ? 5 : 0);
	if (at == s.n || !device.n || memchr(device.p, ' ', device.n)) {
		if (t->line.cut && t->tables && s.n && (self || str_starts(STR("Self "), s)))
			return torch_lost(t, r, "total cut short; skipped");
		return -1;
	}
	t->in = TORCH_OUTSIDE;
	name = str_head(s, at + what.n - 1);
	value = str_trim(str_from(s, at + what.n));
	if (!torch_time(value, &ns))
		return torch_lost(t, r, t->line.cut ? "total cut short; skipped" : "total is not a time; skipped");
	torch_begin(t, name);
	if (str_eq(device, STR("CPU"))) {
		json_write_int(&t->more, self ? "self" : "total", ns);
	} else {
		json_write_int(&t->more, self ? "dev_self" : "dev_total", ns);
		json_write_text(&t->args, "device", device);
	}
	json_write_int(&t->args, "table", t->tables);
	return torch_give(t, r, KIND_TOTAL, e);
}

int torch_calls(struct torch *t, const struct reader *r, struct event *e)
{
	torch_begin(t, STR("function calls"));
	json_write_int(&t->args, "table", t->tables + 1); /* the line precedes its table, which is not counted yet */
	if (!torch_cprofile_total(t->line.text, &t->more, &t->args))
		return -1;
	return torch_give(t, r, KIND_TOTAL, e);
}

bool torch_title(struct torch *t, struct str line)
{
	static const struct {
		struct str text;
		const char *section;
	} titles[] = {
	    {{"Environment Summary", 19}, "\"environment\""},
	    {{"cProfile output", 15}, "\"cprofile\""},
	    {{"autograd profiler output (CPU mode)", 35}, "\"autograd_cpu\""},
	    {{"autograd profiler output (CUDA mode)", 36}, "\"autograd_cuda\""},
	};
	size_t i;

	line = str_trim(line);
	for (i = 0; i < sizeof titles / sizeof *titles; i++) {
		if (!str_eq(line, titles[i].text))
			continue;
		t->section = titles[i].section;
		t->top = 0;
		t->sorted_by.n = 0;
		t->titled = true;
		t->in = i == 0 ? TORCH_ENVIRONMENT : TORCH_OUTSIDE;
		return true;
	}
	return false;
}

static void set_sorted_by(struct torch *t, struct str what)
{
	t->sorted_by.n = 0;
	buf_add(&t->sorted_by, what.p, what.n);
}

bool torch_about(struct torch *t, struct str line)
{
	const struct str sorted = STR(" events sorted by "), ordered = STR("Ordered by: ");
	struct str s = str_trim(line), word;
	size_t at = str_find(s, sorted);
	int64_t n;

	if (str_starts(s, STR("top ")) && at < s.n && num_int(str_from(str_head(s, at), 4), &n) == NUM_OK) {
		t->top = n;
		set_sorted_by(t, str_from(s, at + sorted.n));
		return true;
	}
	if (str_starts(s, ordered)) {
		set_sorted_by(t, str_trim(str_from(s, ordered.n)));
		return true;
	}
	at = str_find(s, STR(" to "));
	if (!str_starts(s, STR("List reduced from ")) || at == s.n)
		return false;
	word = str_from(s, at + 4);
	word = str_head(word, str_find(word, STR(" ")));
	if (num_int(word, &n) == NUM_OK)
		t->top = n;
	return true;
}

int torch_environment(struct torch *t, const struct reader *r, struct str line, struct event *e)
{
	torch_begin(t, str_trim(line));
	return torch_give(t, r, KIND_META, e);
}
