#include "xml_text.h"

#include "base/markup.h"

#define REPLACEMENT "\xef\xbf\xbd"

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
		} else if (n == 1 && (reference = markup_reference(*text.p))) {
			out_z(o, reference);
		} else {
			out_add(o, text.p, n);
		}
	}
}
