#include "xplane.h"

enum { HEAD_MAX = 20 };

static int broken(const char **why, const char *what)
{
	*why = what;
	return -1;
}

/* A number that ends after the message: the message is cut, or damaged. */
static int ends_inside(struct xplane_scan *scan, const char **why)
{
	if (!scan->cut)
		return broken(why, "message ends inside a number");
	scan->at = scan->end;
	scan->inside = true;
	return 0;
}

int xplane_scan_next(struct xplane_file *file, struct xplane_scan *scan, struct xplane_field *field, const char **why)
{
	const uint64_t left = scan->end - scan->at;
	struct str head = {NULL, left < HEAD_MAX ? (size_t)left : HEAD_MAX};
	struct wire_field f;
	struct wire w;
	uint64_t tag;
	int took, more = 0;

	if (!left)
		return 0;
	head.p = spool_read(&file->bytes, &scan->window, scan->at, head.n, &file->fault);
	if (!head.p)
		return broken(why, "file cannot be read");
	*field = (struct xplane_field){0};
	took = wire_varint(head, &tag);
	if (took == 0 && left < HEAD_MAX)
		return ends_inside(scan, why);
	if (took > 0 && tag >> 3 && tag >> 3 <= 0x1fffffff && (tag & 7) == WIRE_LEN) {
		more = wire_varint(str_from(head, (size_t)took), &field->n);
		if (more == 0)
			return ends_inside(scan, why);
		if (more < 0)
			return broken(why, "number has more than 10 bytes or 64 bits");
		field->no = (uint32_t)(tag >> 3);
		field->type = WIRE_LEN;
		field->at = scan->at + (uint64_t)took + (uint64_t)more;
		if (field->n > scan->end - field->at) {
			if (!scan->cut)
				return broken(why, "length points past the end of its message");
			field->n = scan->end - field->at;
			field->cut = true;
		}
		scan->at = field->at + field->n;
		return 1;
	}
	w = wire_of(head);
	if (wire_next(&w, &f) <= 0) {
		if (scan->cut && left < HEAD_MAX && took > 0 && (tag & 7) != 3 && (tag & 7) != 4 && (tag & 7) < 6)
			return ends_inside(scan, why);
		return broken(why, w.fault);
	}
	field->no = f.no;
	field->type = f.type;
	field->v = f.v;
	scan->at += (uint64_t)(w.p - head.p);
	return 1;
}

void xplane_scan_begin(struct xplane_scan *scan, const struct xplane_field *field)
{
	scan->at = field->at;
	scan->end = field->at + field->n;
	scan->cut = field->cut;
}

struct str xplane_load(
    struct xplane_file *file, struct spool_window *window, const struct xplane_field *field, size_t max)
{
	struct str none = {NULL, 0};

	if (field->n > max)
		return none;
	if (!field->n)
		return STR("");
	none.p = spool_read(&file->bytes, window, field->at, (size_t)field->n, &file->fault);
	return none.p ? (struct str){none.p, (size_t)field->n} : none;
}
