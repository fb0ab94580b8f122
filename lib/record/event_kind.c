#include "record/event_kind.h"

#include "cli/options.h"

#define KIND_NAME(id, text) {text, sizeof(text) - 1},
static const struct str kind_names[KIND_N] = {EVENT_KINDS(KIND_NAME)};
struct word_table event_kind_words = {.list = kind_names, .n = KIND_N};

const char *event_kind_name(size_t i)
{
	return i < KIND_N ? kind_names[i].p : NULL;
}

enum event_kind event_kind(struct str name)
{
	return (enum event_kind)word_table_find(&event_kind_words, name, word_table_head(name.p, name.n));
}

uint32_t event_kind_set(const char *option, const char *arg)
{
	struct str rest = str_of(arg), one;
	uint32_t set = 0;
	enum event_kind k;

	while (str_split(&rest, ',', &one)) {
		k = event_kind(one);
		if (k == KIND_N)
			opt_unknown(option, "kind", one, event_kind_name);
		set |= 1u << k;
	}
	return set;
}
