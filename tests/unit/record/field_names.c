/* field_names: texts that are not valid references; names of fields that measure times, sizes or neither. */
#include "record/field.h"
#include "test.h"

static void refused(void)
{
	static const char *const bad[] = {"", ".", "a..b", "a.", ".a", "[]", "a.[]", "ts/0", "ts/-5ms", "dur/10mm",
	    "ts/", "ts/1e", "/5", "ts/0.0001us", "dur/1MB", "bytes/1ms", "ts/99999999999s", "\"", "\"\"", "\"a",
	    "\"a\"b", "\"a\".", "\"a\"..b", ".\"a\"", "a.\"b", "a.\"\"", "a.[].\"b\"", "\"a\"[", "\"a\\\"", "\"\\x\"",
	    "\"a\"/0", "\"a\tb\"", NULL};
	struct fault fault;
	struct field f;
	size_t i;

	for (i = 0; bad[i]; i++) {
		fault.what = NULL;
		if (field_compile(&f, bad[i], &fault) || !fault.what)
			CHECK_STR(str_of(bad[i]), "a field that is refused");
	}
	CHECK(!field_compile(&f, "ab..c", &fault));
	CHECK_INT(fault.at.byte, 3);
	CHECK(!field_compile(&f, "dur/1x", &fault));
	CHECK_INT(fault.at.byte, 4);
}

/* Returns the text that `quote` writes for a name. */
static const char *quoted(void quote(struct buf *, struct str), const char *name)
{
	static char text[64];
	struct buf b = {0};

	quote(&b, str_of(name));
	snprintf(text, sizeof text, "%.*s", (int)b.n, b.p);
	buf_free(&b);
	return text;
}

static void quotes(void)
{
	struct fault fault;
	struct field f;

	CHECK(field_compile(&f, "a.\"b.c/5\"[].\"d\\\"e\"/10", &fault));
	CHECK_STR(str_of(f.spec), "a.b.c/5[].d\"e/10");
	CHECK_STR(f.name, "a.b.c/5[].d\"e");
	CHECK_STR(f.asked, "a.\"b.c/5\"[].\"d\\\"e\"");
	CHECK_INT(f.width, 10);
	CHECK(f.each);
	field_free(&f);
	CHECK(field_compile(&f, "\"ts\"", &fault));
	CHECK_INT(f.member, EVENT_TS);
	field_free(&f);
	CHECK(!field_compile(&f, "ab.\"c\"d", &fault));
	CHECK_INT(fault.at.byte, 6);
	CHECK_STR(str_of(quoted(field_quote, "a b")), "a b");
	CHECK_STR(str_of(quoted(field_quote, "a.b")), "a.b");
	CHECK_STR(str_of(quoted(field_quote, "a..b")), "\"a..b\"");
	CHECK_STR(str_of(quoted(field_quote, "a/5")), "\"a/5\"");
	CHECK_STR(str_of(quoted(field_quote, "a[]")), "\"a[]\"");
	CHECK_STR(str_of(quoted(field_quote, "\"a")), "\"\\\"a\"");
	CHECK_STR(str_of(quoted(field_quote, "")), "\"\"");
	CHECK_STR(str_of(quoted(field_quote_part, "a b")), "a b");
	CHECK_STR(str_of(quoted(field_quote_part, "a.b")), "\"a.b\"");
	CHECK_STR(str_of(quoted(field_quote_part, "")), "\"\"");
	CHECK_INT(field_quoted(STR("\"a\\\"b\".c")), 6);
	CHECK_INT(field_quoted(STR("a\"b\"")), 0);
	CHECK_INT(field_quoted(STR("\"a")), 0);
	CHECK_INT(field_quoted(STR("\"a\\")), 0);
	CHECK_INT(field_span(STR("a.\"b=c\" == 5"), "=!<>"), 8);
	CHECK_INT(field_span(STR("a\"b=c\" == 5"), "=!<>"), 3);
	CHECK_INT(field_span(STR("\"a"), "="), 2);
	CHECK_INT(field_span(STR(""), "="), 0);
}

static enum field_base base_of(const char *name)
{
	enum field_base base;
	struct fault fault;
	struct field f;

	CHECK(field_compile(&f, name, &fault));
	base = f.base;
	field_free(&f);
	return base;
}

static void bases(void)
{
	CHECK_INT(base_of("ts"), FIELD_TIME);
	CHECK_INT(base_of("ts/1ms"), FIELD_TIME);
	CHECK_INT(base_of("dur"), FIELD_TIME);
	CHECK_INT(base_of("end"), FIELD_TIME);
	CHECK_INT(base_of("api.dur"), FIELD_TIME);
	CHECK_INT(base_of("bytes"), FIELD_SIZE);
	CHECK_INT(base_of("created_time"), FIELD_PLAIN);
	CHECK_INT(base_of("dur_sum"), FIELD_PLAIN);
	CHECK_INT(base_of("name"), FIELD_PLAIN);
}

void unit_test(void)
{
	refused();
	quotes();
	bases();
}
