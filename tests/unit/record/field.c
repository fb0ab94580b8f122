/* field: the values that references find: members, elements, computed values and buckets. */
#include "record/field.h"
#include "test.h"

static struct event record(const char *line)
{
	static char room[8][4096]; /* lines must be followed by readable bytes, as in the input's window */
	static unsigned next;
	char *copy = room[next++ % 8];
	struct event e = {0};
	size_t n = strlen(line);

	memset(copy, 0, sizeof room[0]);
	memcpy(copy, line, n);
	CHECK(event_parse(&e, (struct str){copy, n}) == 0);
	return e;
}

/* Returns the i-th value of a field as text; "-" when it is absent. */
static const char *get(const char *spec, const char *line, size_t i)
{
	static char text[4096];
	struct event e = record(line);
	struct fault fault;
	struct field f;
	struct value v;
	bool got;

	if (!field_compile(&f, str_of(spec), &fault))
		return fault.what;
	got = field_get(&f, &e, 0, &v);
	if (i)
		got = field_get(&f, &e, i, &v);
	if (got)
		snprintf(text, sizeof text, "%.*s", (int)v.text.n, v.text.p);
	else
		snprintf(text, sizeof text, "%s", v.type == VALUE_NONE ? "-" : "absent with a type");
	field_free(&f);
	return text;
}
#define CHECK_GET(spec, line, want) CHECK_STR(str_of(get(spec, line, 0)), want)

static void members(void)
{
	static const char line[] =
	    "{\"ts\":5,\"dur\":7,\"kind\":\"kernel\",\"name\":\"n\",\"stream\":3,\"api\":{\"name\":\"launch\","
	    "\"a.b\":8},\"x.y\":1,\"x\":{\"y\":2},\"z\":null,"
	    "\"args\":{\"External id\":4,\"est. achieved occupancy %\":31,\"x.y\":9,\"dim\":[1,[2,3]],\"ts\":6,"
	    "\"deep\":{\"er\":{\"st\":true}},\"device\":2,\"q\\\"uote\":1,\"\\u540d\":\"s\"}}";
	static const char odd[] = " { \"name\" : \"n\", \"dur\" : 7 , \"kind\":\"api\", \"ts\": 5 ,\"ts\":6 } ";

	CHECK_GET("ts", line, "5");
	CHECK_GET("dur", line, "7");
	CHECK_GET("kind", line, "\"kernel\"");
	CHECK_GET("name", line, "\"n\"");
	CHECK_GET("stream", line, "3");
	CHECK_GET("device", line, "2");
	CHECK_GET("api.name", line, "\"launch\"");
	CHECK_GET("api", line, "{\"name\":\"launch\",\"a.b\":8}");
	CHECK_GET("x.y", line, "1");     /* the whole reference is tried first as a name */
	CHECK_GET("api.a.b", line, "-"); /* a name with a dot is found only if it is the whole reference */
	CHECK_GET("z", line, "-");       /* null is absent */
	CHECK_GET("External id", line, "4");
	CHECK_GET("est. achieved occupancy %", line, "31");
	CHECK_GET("args.External id", line, "4");
	CHECK_GET("args.deep.er.st", line, "true");
	CHECK_GET("deep.er.st", line, "true");
	CHECK_GET("deep.er.sty", line, "-");
	CHECK_GET("q\"uote", line, "1");
	CHECK_GET("\xe5\x90\x8d", line, "\"s\"");
	CHECK_GET("name.x", line, "-");
	CHECK_GET("tsx", line, "-");
	CHECK_GET("ts", odd, "6");
	CHECK_GET("dur", odd, "7");
	CHECK_GET("name", odd, "\"n\"");
	CHECK_GET("ts", "{\"args\":{\"ts\":6}}", "6");
	CHECK_GET("ts", "{\"ts\":1.5}", "1.5");
	CHECK_GET("\"x.y\"", line, "1");
	CHECK_GET("\"x\".y", line, "2"); /* with quotes, the member of a member has priority */
	CHECK_GET("api.\"a.b\"", line, "8");
	CHECK_GET("\"api.a\".b", line, "-");
	CHECK_GET("args.\"x.y\"", line, "9");
	CHECK_GET("\"q\\\"uote\"", line, "1");
	CHECK_GET("\"\\u540d\"", line, "\"s\"");
	CHECK_GET("\"deep\".\"er\".st", line, "true");
	CHECK_GET("\"args\".\"dim\"[]", line, "1");
	CHECK_GET("\"ts\"", line, "5");
	CHECK_GET("\"end\"", line, "-");
	CHECK_GET("\"short\"", line, "-");
	CHECK_GET("a.\"b.c\"", "{\"a.b.c\":3}", "3"); /* in a result, the column of this field is named a.b.c */
	CHECK_GET("a.\"b.c\"", "{\"a.b.c\":3,\"a\":{\"b.c\":4}}", "4");
	CHECK_GET("a.\"b.c\"/10", "{\"a\":{\"b.c\":14}}", "10");
	CHECK_GET("a.\"b.c\"/10", "{\"a.b.c/10\":20}", "20");
	CHECK_GET("a", "{}", "-");
	CHECK_GET("a", "{\"a\":1,\"a\":2}", "2");
}

/* Gets a field from a record and checks its value as an integer; `want` < 0: the field is absent. */
static void check_int(struct event *e, const char *spec, int64_t want)
{
	struct fault fault;
	struct field f;
	struct value v;

	CHECK(field_compile(&f, str_of(spec), &fault));
	CHECK(field_get(&f, e, 0, &v) == (want >= 0));
	CHECK(want < 0 || (v.type == VALUE_INT && v.i == want));
	field_free(&f);
}

/*
 * The first search lists the members of a record, and records may have more members than the list: in both cases, and
 * in canonical lines as in others, each field has its value, and the last of two members with the same name counts.
 */
static void many_members(void)
{
	static const int numbers[] = {1, EVENT_LISTED - 2, EVENT_LISTED - 1, EVENT_LISTED, 3 * EVENT_LISTED};
	char line[4096], last[16];
	struct event e;
	size_t i, n;
	int k, form;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		n = (size_t)sprintf(line, "{\"ts\":5,\"kind\":\"api\",\"name\":\"n\",\"twice\":1");
		for (k = 0; k < numbers[i]; k++)
			n += (size_t)sprintf(line + n, ",\"m%d\":%d", k, 100 + k);
		n += (size_t)sprintf(line + n, ",\"twice\":2,\"args\":{\"inner\":7,\"m0\":8}}");
		memset(line + n, 0, sizeof line - n);
		sprintf(last, "m%d", numbers[i] - 1);
		for (form = 0; form < 3; form++) {
			if (form == 0)
				CHECK(event_parse(&e, (struct str){line, n}) == NULL);
			else
				CHECK(event_canonical(&e, (struct str){line, n}, 0) == EVENT_CANONICAL);
			if (form == 2)
				event_walk(&e);
			check_int(&e, "m0", 100);
			check_int(&e, last, 99 + numbers[i]);
			check_int(&e, "twice", 2);
			check_int(&e, "inner", 7);
			check_int(&e, "args.m0", 8);
			check_int(&e, "m", -1);
			check_int(&e, "m0.x", -1);
			CHECK(e.check != EVENT_BROKEN);
		}
	}
}

static void elements(void)
{
	static const char mixed[] = "{\"m\":[\"a\",12,null,{},3.5,true,-1,\"b\"],\"t\":[\"a\",{}]}";
	static const char line[] = "{\"ts\":1,\"ranges\":[\"a\",null,\"b\"],\"dims\":[[1,2],[3]],\"none\":[],"
				   "\"calls\":[{\"t\":1},{},{\"t\":{\"u\":2}}],\"args\":{\"s\":[7]},\"text\":\"t\"}";

	CHECK_GET("ranges[]", line, "\"a\"");
	CHECK_STR(str_of(get("ranges[]", line, 1)), "\"b\"");
	CHECK_STR(str_of(get("ranges[]", line, 2)), "-");
	CHECK_GET("ranges", line, "[\"a\",null,\"b\"]");
	CHECK_STR(str_of(get("ranges", line, 1)), "-");
	CHECK_STR(str_of(get("dims[]", line, 1)), "[3]");
	CHECK_GET("none[]", line, "-");
	CHECK_GET("text[]", line, "-");
	CHECK_GET("s[]", line, "7");
	CHECK_GET("args.s[]", line, "7");
	CHECK_GET("calls[].t", line, "1");
	CHECK_STR(str_of(get("calls[].t", line, 1)), "{\"u\":2}");
	CHECK_GET("calls[].t.u", line, "2");
	CHECK_STR(str_of(get("ts", line, 1)), "-");
	CHECK_STR(str_of(get("s[]/5", line, 0)), "5");
	/* Values that are not numbers are skipped at any position. */
	CHECK_STR(str_of(get("m[]/5", mixed, 0)), "10");
	CHECK_STR(str_of(get("m[]/5", mixed, 1)), "0");
	CHECK_STR(str_of(get("m[]/5", mixed, 2)), "-5");
	CHECK_STR(str_of(get("m[]/5", mixed, 3)), "-");
	CHECK_STR(str_of(get("t[]/5", mixed, 0)), "-");
	CHECK_STR(str_of(get("t[]/5", mixed, 1)), "-");
}

static void computed(void)
{
	CHECK_GET("end", "{\"ts\":5,\"dur\":7}", "12");
	CHECK_GET("end", "{\"ts\":5,\"dur\":-7}", "5");
	CHECK_GET("end", "{\"ts\":5}", "-");
	CHECK_GET("end", "{\"dur\":5}", "-");
	CHECK_GET("end", "{\"ts\":5,\"dur\":7,\"end\":1}", "1");
	CHECK_GET("end", "{\"ts\":5,\"dur\":7,\"args\":{\"end\":1}}", "12");
	CHECK_GET("end", "{\"ts\":5,\"args\":{\"end\":1}}", "1");
	CHECK_GET("end", "{\"ts\":9223372036854775807,\"dur\":1}", "-");
	CHECK_GET("end/10", "{\"ts\":5,\"dur\":7}", "10");
	CHECK_GET("short", "{\"name\":\"void a::b<int>(int)\"}", "\"a::b\"");
	CHECK_GET("short", "{\"name\":\"Memset (Device)\"}", "\"Memset (Device)\"");
	CHECK_GET("short", "{\"name\":\"a\\u003cint\\u003e(b)\"}", "\"a\"");
	CHECK_GET("short", "{\"name\":\"a\\\"<b\"}", "\"a\\\"<b\"");
	CHECK_GET("short", "{\"name\":\"f<int>(g)\",\"short\":3}", "3");
	CHECK_GET("short", "{\"ts\":1}", "-");
}

/* Short forms are stored and used again for later records. */
static void repeated(void)
{
	struct fault fault;
	struct field f;
	struct event e;
	struct value v;
	char line[64], want[64];
	int round, i;

	CHECK(field_compile(&f, STR("short"), &fault));
	for (round = 0; round < 3; round++) {
		for (i = 0; i < 2000; i++) {
			snprintf(line, sizeof line, "{\"name\":\"void f%d<int>(int)\"}", i);
			snprintf(want, sizeof want, "\"f%d\"", i);
			e = record(line);
			if (!field_get(&f, &e, 0, &v) || !str_eq(v.text, str_of(want)))
				CHECK_STR(v.text, want);
		}
	}
	CHECK_INT(f.found, 6000);
	CHECK_INT(f.records, 6000);
	field_free(&f);
}

static void buckets(void)
{
	CHECK_GET("ts/10", "{\"ts\":25}", "20");
	CHECK_GET("ts/10ns", "{\"ts\":20}", "20");
	CHECK_GET("ts/10", "{\"ts\":-1}", "-10");
	CHECK_GET("ts/10", "{\"ts\":-10}", "-10");
	CHECK_GET("ts/1.5us", "{\"ts\":4000}", "3000");
	CHECK_GET("ts/10", "{\"ts\":-9223372036854775808}", "-");
	CHECK_GET("bytes/1KiB", "{\"bytes\":2050}", "2048");
	CHECK_GET("x/0.1", "{\"x\":0.3}", "0.3");
	CHECK_GET("x/0.1", "{\"x\":-0.35}", "-0.4");
	CHECK_GET("x/0.5", "{\"x\":1.25}", "1");
	CHECK_GET("x/0.5", "{\"x\":7}", "7");
	/* in the output of groupby, the member whose name is the whole reference holds the edge of the bucket */
	CHECK_GET("ts/10us", "{\"ts/10us\":20005}", "20005");
	CHECK_GET("ts/10us", "{\"a\":1,\"ts\\/10u\\u0073\":\"x\"}", "\"x\"");
	CHECK_GET("ts/10us", "{\"ts/10us\":null}", "-");
	CHECK_GET("ts/10us", "{\"ts/10ms\":20000}", "-");
	CHECK_GET("ts/10us", "{\"ts\":25000,\"ts/10us\":1}", "20000");
	CHECK_GET("x[]/10", "{\"x[]/10\":20}", "20");
	CHECK_GET("x/10", "{\"x\":29.999}", "20");
	CHECK_GET("x/10", "{\"x\":-0.5}", "-10");
	CHECK_GET("x/10", "{\"x\":\"text\"}", "-");
	CHECK_GET("x/10", "{\"x\":1e300}", "-");
	CHECK_GET("memory bandwidth (GB/s)", "{\"args\":{\"memory bandwidth (GB/s)\":12.5}}", "12.5");
	CHECK_GET("a/b", "{\"a/b\":1}", "1");
	CHECK_GET("a/b/2", "{\"a/b\":5}", "4");
}

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
		if (field_compile(&f, str_of(bad[i]), &fault) || !fault.what)
			CHECK_STR(str_of(bad[i]), "a field that is refused");
	}
	CHECK(!field_compile(&f, STR("ab..c"), &fault));
	CHECK_INT(fault.at.byte, 3);
	CHECK(!field_compile(&f, STR("dur/1x"), &fault));
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

	CHECK(field_compile(&f, STR("a.\"b.c/5\"[].\"d\\\"e\"/10"), &fault));
	CHECK_STR(str_of(f.spec), "a.b.c/5[].d\"e/10");
	CHECK_STR(f.name, "a.b.c/5[].d\"e");
	CHECK_STR(f.asked, "a.\"b.c/5\"[].\"d\\\"e\"");
	CHECK_INT(f.width, 10);
	CHECK(f.each);
	field_free(&f);
	CHECK(field_compile(&f, STR("\"ts\""), &fault));
	CHECK_INT(f.member, EVENT_TS);
	field_free(&f);
	CHECK(!field_compile(&f, STR("ab.\"c\"d"), &fault));
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

	CHECK(field_compile(&f, str_of(name), &fault));
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

/* In canonical records, walked or not, a member whose name has a dot is found, as is the member of a member. */
static void dots(void)
{
	static const char line[] = "{\"ts\":5,\"kind\":\"api\",\"name\":\"n\",\"dur_p99.9\":8,\"abc.d\":1,"
				   "\"api\":{\"name\":\"c\",\"dur\":3},\"args\":{\"dur_p50.5\":9}}";
	char room[sizeof line + 64] = {0};
	struct event e = {0};
	int walked;

	memcpy(room, line, sizeof line);
	for (walked = 0; walked < 2; walked++) {
		const struct {
			const char *spec;
			int want;
		} fields[] = {{"dur_p99.9", 8}, {"abc.d", 1}, {"api.dur", 3}, {"dur_p50.5", 9}, {"args.dur_p50.5", -1},
		    {"api.du", -1}, {"dur_p99.8", -1}, {"dur_p99", -1}, {"abc.d.e", -1}, {"abc", -1}};
		size_t i;

		for (i = 0; i < sizeof fields / sizeof *fields; i++) {
			CHECK(event_canonical(&e, (struct str){room, sizeof line - 1}, 0) == EVENT_CANONICAL);
			if (walked)
				event_walk(&e);
			check_int(&e, fields[i].spec, fields[i].want);
		}
	}
}

/* Members of args are found by the text of their keys, which can also be in strings and in other objects. */
static void texts(void)
{
	static const struct {
		const char *spec, *args, *want;
	} records[] = {
	    {"args.Ev Idx", "{\"a\":1,\"Ev Idx\":5}", "5"},
	    {"Ev Idx", "{\"Ev Idx\":6,\"b\":2}", "6"},
	    {"args.Ev Idx", "{\"a\":1,\"Ev Idx\":7,\"Ev Idx\":8}", "8"},
	    {"args.Ev Idx", "{\"a\":[1,2],\"Ev Idx\":[1,2],\"b\":{}}", "[1,2]"},
	    {"args.Ev Idx", "{\"a\":1,\"w\":{\"Ev Idx\":9}}", "-"},
	    {"args.Ev Idx", "{\"a\":1,\"w\":{\"Ev Idx\":9},\"Ev Idx\":{\"c\":1}}", "{\"c\":1}"},
	    {"args.Ev Idx", "{\"Ev Idx\":3,\"w\":{\"Ev Idx\":9}}", "3"},
	    {"args.w.Ev Idx", "{\"a\":1,\"w\":{\"b\":2,\"Ev Idx\":9},\"Ev Idx\":3}", "9"},
	    {"args.Ev Idx", "{\"a\":\"Ev Idx\",\"Ev Idx\":\"text\"}", "\"text\""},
	    {"args.Ev Idx", "{\"a\":[\"x\",\"Ev Idx\"],\"b\":\"Ev Idx\"}", "-"},
	    {"args.Ev Idx", "{\"Ev Idx 2\":1,\"My Ev Idx\":2,\"Ev Id\":3,\"v Idx\":4}", "-"},
	    {"args.Ev Idx", "{\"Ev Idx 2\":1,\"My Ev Idx\":2,\"Ev Idx\":3,\"v Idx\":4}", "3"},
	    {"args.Ev Idx", "{\"a\":1, \"Ev Idx\" : 5}", "5"},
	    {"args.Ev Idx", "{\"a\":1, \"Ev Idx\" : 5,\"Ev Idx\":6}", "6"},
	    {"args.Ev Idx", "{\"a\":1,\"Ev Idx\":6, \"Ev Idx\" :5}", "5"},
	    {"args.Ev Idx", "{\"a\":1,\"Ev Idx\":null}", "-"},
	    {"args.Ev Idx", "{\"a\":1,\"Ev Idx\":-1.5e3}", "-1.5e3"},
	    {"args.Ev Idx", "{\"args.Ev Idx\":1,\"Ev Idx\":2}", "1"}, /* a name with a dot has priority */
	    {"args.\"Ev Idx\"", "{\"args.Ev Idx\":1,\"Ev Idx\":2}", "2"},
	    {"args.Ev Idx", "{\"x.Ev Idx\":1,\"Ev Idx\":2}", "2"},
	    {"args.Ev Idx", "[\"Ev Idx\",{\"Ev Idx\":2}]", "-"},
	    {"args.Ev Idx", "\"Ev Idx\"", "-"},
	    {"args.id", "{\"a\":1,\"id\":2,\"id\":3}", "3"},
	    {"args.op", "{\"a\":\"op\",\"ops\":2}", "-"},
	    {"Ev Idx/10", "{\"a\":1,\"Ev Idx\":25}", "20"},
	    {"args.Ev Idx", "{\"a\":1 \"Ev Idx\":5}", NULL}, /* not JSON */
	    {"args.Ev Idx", "{\"a\":\"x\"\"Ev Idx\":5}", NULL},
	};
	static const char head[] = "{\"ts\":1,\"kind\":\"api\",\"name\":\"n\",\"args\":";
	struct event e = {0};
	struct fault fault;
	struct field f;
	struct str text;
	char room[256];
	size_t i, n;
	int form;

	for (i = 0; i < 3 * (sizeof records / sizeof *records); i++) {
		form = (int)(i % 3); /* not walked; walked; walked, and with an attachment */
		memset(room, 0, sizeof room);
		n = (size_t)snprintf(
		    room, sizeof room, "%s%s%s}", head, records[i / 3].args, form == 2 ? ",\"step\":1" : "");
		CHECK(event_canonical(&e, (struct str){room, n}, 0) == EVENT_CANONICAL);
		if (form)
			event_walk(&e);
		CHECK(field_compile(&f, str_of(records[i / 3].spec), &fault));
		text = STR("-");
		field_get_text(&f, &e, 0, &text);
		if (records[i / 3].want && !str_eq(text, str_of(records[i / 3].want)))
			CHECK_STR(str_of(records[i / 3].args), records[i / 3].want);
		CHECK((e.check == EVENT_BROKEN) == !records[i / 3].want);
		field_free(&f);
	}
}

void unit_test(void)
{
	members();
	many_members();
	dots();
	texts();
	elements();
	computed();
	repeated();
	buckets();
	refused();
	quotes();
	bases();
}
