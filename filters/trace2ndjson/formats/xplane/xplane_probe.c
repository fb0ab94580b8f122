/* xplane_probe: recognises a profile by its first bytes. */
#include "xplane.h"

enum { HEAD = 64 * 1024 };

bool xplane_probe(struct str head)
{
	struct wire w;
	struct wire_field f;
	uint64_t n;
	int took;

	if (!str_starts(head, STR("\x0a")))
		return false;
	took = wire_varint(str_from(head, 1), &n);
	if (took <= 0)
		return false;
	head = str_from(head, 1 + (size_t)took);
	w = wire_of(str_head(head, n < 40 ? (size_t)n : 40));
	while (wire_next(&w, &f) > 0) {
		if (f.no == 2 && f.type == WIRE_LEN)
			return str_starts(f.bytes, STR("/")) || str_eq(f.bytes, STR("Task Environment"));
		if (f.no != 1 || f.type != WIRE_VARINT)
			return false;
	}
	return false;
}

bool xplane_probe_converted(struct str head)
{
	const struct str sign = STR("\xef\xbf\xbd");
	struct str rest = str_head(head, HEAD);
	const size_t all = rest.n;
	size_t n = 0, at;

	for (; (at = str_find(rest, sign)) < rest.n; n++)
		rest = str_from(rest, at + sign.n);
	return n > 8 && n * 64 > all;
}
