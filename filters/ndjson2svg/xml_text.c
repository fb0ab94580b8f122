#include "xml_text.h"

#define REPLACEMENT "\xef\xbf\xbd"

static const char *reference_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void xml_text(struct out *o, struct str text)
{
	const char *reference;
	uint32_t code;
	size_t n;

	for (; text.n; text = str_from(text, n)) {
		n = utf8_decode(text, &code);
		if (!n) {
			n = utf8_broken(text);
			out_lit(o, REPLACEMENT);
		} else if ((code < 0x20 && code != '\n') || code == 0x7f || code == 0xfffe || code == 0xffff) {
			out_lit(o, REPLACEMENT);
		} else if (n == 1 && (reference = reference_of(*text.p))) {
			out_z(o, reference);
		} else {
			out_add(o, text.p, n);
		}
	}
}
