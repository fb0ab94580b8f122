#include "record/event_kind.h"

#define KIND_NAME(id, text) text,
const char *const event_kind_names[] = {EVENT_KINDS(KIND_NAME) NULL};

#define KIND_WORD(id, text) {text, sizeof(text) - 1},
static const struct str words[KIND_N] = {EVENT_KINDS(KIND_WORD)};
struct word_table event_kind_words = {.list = words, .n = KIND_N};

enum event_kind event_kind(struct str name)
{
	return (enum event_kind)word_table_find(&event_kind_words, name, word_table_head(name.p, name.n));
}
