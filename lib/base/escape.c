#include "base/escape.h"

#include "base/char_class.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

/* The forms of characters, in ascending order. NULL: the character is unchanged or, if it is hidden, an escape. */
static const struct escape_form {
	uint32_t code;
	const char *of[ESCAPE_TARGETS];
} forms[] = {
    {'\n', {[ESCAPE_XML] = "\n", [ESCAPE_CELL] = "<br>"}},
    {'!', {[ESCAPE_MARKDOWN] = "\\!"}},
    {'"', {[ESCAPE_XML] = "&quot;", [ESCAPE_HTML] = "&quot;"}},
    {'#', {[ESCAPE_MARKDOWN] = "\\#"}},
    {'$', {[ESCAPE_MARKDOWN] = "\\$"}},
    {'&', {[ESCAPE_XML] = "&amp;", [ESCAPE_HTML] = "&amp;", [ESCAPE_MARKDOWN] = "\\&"}},
    {'\'', {[ESCAPE_XML] = "&#39;", [ESCAPE_HTML] = "&#39;"}},
    {'*', {[ESCAPE_MARKDOWN] = "\\*"}},
    {'<', {[ESCAPE_XML] = "&lt;", [ESCAPE_HTML] = "&lt;", [ESCAPE_MARKDOWN] = "\\<", [ESCAPE_CELL] = "\\<"}},
    {'>', {[ESCAPE_XML] = "&gt;", [ESCAPE_HTML] = "&gt;", [ESCAPE_MARKDOWN] = "\\>"}},
    {'[', {[ESCAPE_MARKDOWN] = "\\["}},
    {'\\', {[ESCAPE_MARKDOWN] = "\\\\", [ESCAPE_CELL] = "\\\\"}},
    {']', {[ESCAPE_MARKDOWN] = "\\]"}},
    {'_', {[ESCAPE_MARKDOWN] = "\\_"}},
    {'`', {[ESCAPE_MARKDOWN] = "\\`"}},
    {'|', {[ESCAPE_MARKDOWN] = "\\|", [ESCAPE_CELL] = "\\|"}},
    {'~', {[ESCAPE_MARKDOWN] = "\\~"}},
    {0xa0, {[ESCAPE_ASCII] = " "}},
    {0xb1, {[ESCAPE_ASCII] = "+-"}},
    {0xb5, {[ESCAPE_ASCII] = "u"}},
    {0xb7, {[ESCAPE_ASCII] = "."}},
    {0xd7, {[ESCAPE_ASCII] = "x"}},
    {0x3bc, {[ESCAPE_ASCII] = "u"}},
    {0x2009, {[ESCAPE_ASCII] = " "}},
    {0x2013, {[ESCAPE_ASCII] = "-"}},
    {0x2014, {[ESCAPE_ASCII] = "-"}},
    {0x2018, {[ESCAPE_ASCII] = "'"}},
    {0x2019, {[ESCAPE_ASCII] = "'"}},
    {0x201c, {[ESCAPE_ASCII] = "\""}},
    {0x201d, {[ESCAPE_ASCII] = "\""}},
    {0x2026, {[ESCAPE_ASCII] = "..."}},
    {0x202f, {[ESCAPE_ASCII] = " "}},
    {0x203a, {[ESCAPE_ASCII] = ">"}},
    {0x2192, {[ESCAPE_ASCII] = "->"}},
    {0x2212, {[ESCAPE_ASCII] = "-"}},
    {0x2248, {[ESCAPE_ASCII] = "~"}},
    {0x2264, {[ESCAPE_ASCII] = "<="}},
    {0x2265, {[ESCAPE_ASCII] = ">="}},
};

static void add_escape(struct buf *to, uint32_t code)
{
	const unsigned char bytes[] = {(unsigned char)(code >> 16), (unsigned char)(code >> 8), (unsigned char)code};

	if (code == '\n' || code == '\t' || code == '\r') {
		buf_char(to, '\\');
		buf_char(to, code == '\n' ? 'n' : code == '\t' ? 't' : 'r');
	} else if (code < 0xa0) {
		buf_lit(to, "\\x");
		buf_hex(to, bytes + 2, 1);
	} else if (code < 0x10000) {
		buf_lit(to, "\\u");
		buf_hex(to, bytes + 1, 2);
	} else {
		buf_lit(to, "\\U00");
		buf_hex(to, bytes, 3);
	}
}

void escape_text(struct buf *to, enum escape_target target, struct str text)
{
	const size_t n_forms = sizeof forms / sizeof *forms;
	const char *form;
	uint32_t code = 0, before;
	struct str plain;
	bool joiner;
	size_t n, i;

	for (;; text = str_from(text, n)) {
		plain = str_first(text, is_alphanumeric);
		buf_add(to, plain.p, plain.n);
		text = str_from(text, plain.n);
		if (!text.n)
			break;
		before = plain.n ? 0 : code;
		n = utf8_decode(text, &code);
		if (!n) {
			n = utf8_broken(text);
			code = 0xfffd;
		}
		for (i = 0; i < n_forms && forms[i].code < code; i++)
			;
		form = i < n_forms && forms[i].code == code ? forms[i].of[target] : NULL;
		joiner = (code == 0x200c || code == 0x200d) && before >= 0x80;
		if (form)
			buf_add(to, form, strlen(form));
		else if ((utf8_is_hidden(code) && !joiner) || (target == ESCAPE_ASCII && code >= 0x80))
			add_escape(to, code);
		else if (code == 0xfffd)
			buf_lit(to, BAD);
		else
			buf_add(to, text.p, n);
	}
}
