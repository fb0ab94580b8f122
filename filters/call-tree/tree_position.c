#include "tree_position.h"

#include "json/scan.h"
#include "json/write.h"
#include "record/event_attach.h"

void tree_position_write(const struct tree_position *p, struct out *out, const struct event *e, struct buf *text)
{
	text->n = 0;
	json_write_int(text, "depth", (int64_t)p->depth);
	json_write_int(text, "node", (int64_t)p->call->node);
	if (p->parent_node)
		json_write_int(text, "parent_node", (int64_t)p->parent_node);
	else
		event_attach_remove(text, e, "parent_node");
	if (p->parent_name.p)
		json_write_json(text, "parent_name", p->parent_name);
	else
		event_attach_remove(text, e, "parent_name");
	if (p->call->timed)
		json_write_int(text, "self", p->call->self);
	else
		event_attach_remove(text, e, "self");
	json_write_int(text, "children", (int64_t)p->call->children);
	json_write_int(text, "launches", (int64_t)p->call->launches);
	if (p->stack.n) {
		buf_lit(text, ",\"stack\":[");
		buf_add(text, p->stack.p, p->stack.n);
		buf_char(text, ']');
	}
	scan_pad(text);
	event_attach_write(out, e, buf_str(text));
}

void tree_position_label(struct field *field, struct event *e, struct buf *labels)
{
	struct value v;

	if (field_get(field, e, 0, &v))
		buf_add(labels, v.text.p, v.text.n);
	else if (field->member == EVENT_NAME)
		buf_lit(labels, "\"\"");
	else
		buf_lit(labels, "null");
}
