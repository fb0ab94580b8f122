#include "name_labels.h"

#include "program/opt_fields.h"
#include "program/opt_value.h"
#include "record/event_attach.h"
#include "json/string.h"
#include "json/write.h"
#include "json/scan.h"

#include <stdlib.h>

struct name_labels {
	struct buf member;       /* the key as it is written to records: ,"FIELD": */
	struct name_match names; /* the regular expressions, in the order of the file */
	struct buf *texts;       /* for each expression, the member with its label */
	size_t cap;
	struct buf record; /* the record that was labelled last */
};

/* --- reading the file --- */

static const char *add_label(void *arg, struct str label)
{
	struct name_labels *l = arg;
	struct buf *text;

	l->texts = mem_grow(l->texts, &l->cap, l->names.n, sizeof *l->texts);
	text = &l->texts[l->names.n - 1];
	*text = (struct buf){0};
	buf_add(text, l->member.p, l->member.n);
	json_quote(text, label);
	scan_pad(text);
	return NULL;
}

struct name_labels *name_labels_option(const char *option, const char *spec, bool fold)
{
	struct name_labels *l = mem_zero(1, sizeof *l);
	struct str all = str_of(spec), field = str_head(all, str_find(all, STR("=")));

	l->names.fold = fold;
	if (!field.n || field.n + 1 >= all.n)
		opt_invalid(option, str_of(spec), "FIELD=FILE");
	if (opt_member(option, field) != EVENT_N)
		opt_reserved(option, field);
	json_write_name(&l->member, field);
	opt_label_file(spec + field.n + 1, &l->names, add_label, l);
	return l;
}

/* --- labelling --- */

struct str name_labels_put(struct name_labels *l, struct event *e, struct str record)
{
	size_t rule = name_match_first(&l->names, event_get(e, EVENT_NAME));

	if (rule == NAME_MATCH_NONE)
		return record;
	return event_attach_put(&l->record, record, buf_str(&l->texts[rule]));
}

void name_labels_free(struct name_labels *l)
{
	size_t i;

	for (i = 0; i < l->names.n; i++)
		buf_free(&l->texts[i]);
	free(l->texts);
	name_match_free(&l->names);
	bufs_free(&l->member, &l->record);
	free(l);
}
