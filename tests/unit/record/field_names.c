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

static void bases(void)
{
	struct field_units given = {0};

	map_put(&given.times, STR("p3_p2"));
	map_put(&given.sizes, STR("args.room"));
	CHECK_INT(field_base(STR("p3_p2"), &given), FIELD_TIME);
	CHECK_INT(field_base(STR("p3_p2_sum"), &given), FIELD_TIME);
	CHECK_INT(field_base(STR("p3_p2_share"), &given), FIELD_PLAIN);
	CHECK_INT(field_base(STR("args.p3_p2"), &given), FIELD_PLAIN);
	CHECK_INT(field_base(STR("args.room"), &given), FIELD_SIZE);
	CHECK_INT(field_base(STR("args.room_p99"), &given), FIELD_SIZE);
	CHECK_INT(field_base(STR("dur"), &given), FIELD_TIME);
	field_units_free(&given);
	CHECK_INT(field_base(STR("ts"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("api.dur"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("dur_sum"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("queue_p99"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("orig_ts"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("args.orig_dur_max"), NULL), FIELD_TIME);
	CHECK_INT(field_base(STR("sum"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("p3_p2"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("bytes_max"), NULL), FIELD_SIZE);
	CHECK_INT(field_base(STR("dur_share"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("dur_var"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("dur_count"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("name"), NULL), FIELD_PLAIN);
	CHECK_INT(field_base(STR("_sum"), NULL), FIELD_PLAIN);
}

int main(void)
{
	refused();
	quotes();
	bases();
	return test_end();
}
