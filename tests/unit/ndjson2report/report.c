/* report: reads the records of a report, and reports records and members that are wrong. */
#include "test.h"

#include "json/check.h"
#include "json/scan.h"
#include "ndjson2report/report.h"

static struct report report;
static struct diagnostics problems;
static uint64_t lines;

/* Adds a record. Returns the problem that it has, "" if it has none; with "lost: " or "note: " before it. */
static const char *take(const char *json)
{
	static struct buf line;
	static char text[200];
	static const char *const kinds[] = {
	    [DIAGNOSTICS_NOTE] = "note: ", [DIAGNOSTICS_WARNING] = "", [DIAGNOSTICS_LOST] = "lost: "};
	struct fault f;

	line.n = 0;
	buf_add(&line, json, strlen(json));
	scan_pad(&line);
	CHECK_SHOW(json_check((struct str){line.p, line.n}, &f), "%s", json);
	diagnostics_free(&problems);
	problems = (struct diagnostics){0};
	report_take(&report, buf_str(&line), &problems, (struct fault_location){"x", ++lines, 0});
	if (!problems.n)
		return "";
	CHECK_INT(problems.rows[0].first.line, lines);
	snprintf(text, sizeof text, "%s%s", kinds[problems.rows[0].kind], problems.rows[0].what);
	return text;
}

#define TAKE(json, problem) CHECK_STR(str_of(take(json)), problem)
#define LOST "lost: "

static void check_verdict(void)
{
	TAKE("{\"kind\":\"report\\/verdict\",\"title\":\"a\\u0001.json\",\"facts\":[\"{n:count} steps\",\"x\"],\"n\":6,"
	     "\"text\":\"{{\",\"per\":\"a step\"}",
	    "");
	CHECK_STR(report.verdict.title, "\x01"
					"a\\x01.json\x03");
	CHECK_STR(report.verdict.facts, "\x02"
					"6\x03 steps, x");
	CHECK_STR(report.verdict.source, "");
	CHECK_STR(report.verdict.text, "{");
	CHECK_STR(report.verdict.detail, "");
	TAKE("{\"kind\":\"report/verdict\",\"title\":\"b\"}", LOST "second verdict; skipped");
	CHECK_STR(report.verdict.per, "a step");
	TAKE("{\"kind\":\"kernel\",\"ts\":1}", LOST "not a record of a report; skipped");
	TAKE("{\"ts\":1}", LOST "not a record of a report; skipped");
	TAKE("{\"kind\":\"report/verdicts\"}", LOST "not a record of a report; skipped");
}

static void check_figures(void)
{
	TAKE("{\"kind\":\"report/figure\",\"id\":\"c\",\"name\":\"Computing\",\"value\":0.605,\"unit\":\"share\","
	     "\"group\":\"parts\",\"color\":\"computing\"}",
	    "");
	CHECK_INT(report.n_parts, 1);
	CHECK_STR(report.parts[0].brief, "Computing");
	CHECK_INT(report.parts[0].color, COLOR_COMPUTING);
	CHECK_STR(report.parts[0].value, "\x02"
					 "61 %\x03");
	CHECK_DOUBLE(report.parts[0].size, 0.605);
	TAKE("{\"kind\":\"report/figure\",\"group\":\"parts\",\"color\":\"red\"}", "unknown color; not used");
	CHECK_INT(report.parts[1].color, COLOR_MEANINGS);
	CHECK_STR(report.parts[1].value, "");
	TAKE("{\"kind\":\"report/figure\",\"group\":\"tile\"}", "unknown value of group or view; default used");
	TAKE("{\"kind\":\"report/figure\",\"unit\":\"miles\"}", "unknown unit; values are printed as plain numbers");
	TAKE("{\"kind\":\"report/figure\",\"name\":5}", LOST "text member is not a string; left out");
	TAKE("{\"kind\":\"report/figure\",\"note\":\"{x}\"}",
	    LOST "text refers to a member that the record does not have; printed as ?");
	TAKE("{\"kind\":\"report/figure\",\"note\":\"{\"}", "text has a { without a }; write {{ for a brace");
	TAKE("{\"kind\":\"report/figure\",\"note\":\"{note:ms}\"}",
	    "unknown unit in a text, or unit that does not fit the value");
	CHECK_INT(report.n_parts + report.n_tiles, 8); /* all of them were added */
	TAKE("{\"kind\":\"report/finding\",\"saves\":14650000,\"title\":\"t\"}", "");
	CHECK_STR(report.findings[0].saves, "\x02"
					    "14.7 ms\x03");
	TAKE("{\"kind\":\"report/finding\",\"saves\":\"much\"}", LOST "saves is not a number; left out");
	CHECK_STR(report.findings[1].saves, "");
}

static void check_sections(void)
{
	const struct report_section *s;

	TAKE("{\"kind\":\"report/row\",\"section\":\"k\",\"name\":\"gemm\"}",
	    LOST "row of a section that is unknown or follows later; skipped");
	TAKE("{\"kind\":\"report/section\",\"title\":\"x\"}", LOST "section without an id; skipped");
	TAKE("{\"kind\":\"report/section\",\"id\":\"k\",\"title\":\"Kernels\",\"columns\":["
	     "{\"name\":\"name\",\"title\":\"Kernel\",\"unit\":\"name\",\"brief\":true},"
	     "{\"name\":\"dur\",\"title\":\"Total (ms)\",\"unit\":\"ms\"},"
	     "{\"name\":\"calls\",\"title\":\"Calls\",\"unit\":\"count\",\"brief\":\"n\","
	     "\"brief_unit\":\"count.1\",\"sum\":true}],\"lines\":5,\"commands\":[\"a | b\"]}",
	    "");
	s = report_section(&report, STR("k"));
	CHECK(s && s == &report.sections[0]);
	CHECK_INT(s->n_columns, 3);
	CHECK_STR(s->columns[1].title, "Total (ms)");
	CHECK_INT(s->columns[1].unit.kind, REPORT_VALUE_TIME);
	CHECK(s->columns[1].unit.fixed && !s->columns[1].sums && s->columns[2].sums);
	CHECK_INT(s->columns[0].color, COLOR_MEANINGS);
	CHECK(s->brief && s->columns[0].brief && !s->columns[1].brief && s->columns[2].brief);
	CHECK_STR(s->columns[0].brief_title, "Kernel");
	CHECK_STR(s->columns[2].brief_title, "n");
	CHECK_INT(s->columns[2].brief_unit.decimals, 1);
	CHECK_INT(s->lines, 5);
	CHECK_INT(s->n_commands, 1);
	TAKE("{\"kind\":\"report/section\",\"id\":\"k\"}", LOST "second section with the same id; skipped");
	TAKE("{\"kind\":\"report/row\",\"section\":\"k\",\"name\":\"gemm\",\"calls\":7,\"color\":\"copies\"}", "");
	TAKE("{\"kind\":\"report/row\",\"section\":\"k\",\"dur\":9,\"rest\":165}", "");
	TAKE("{\"kind\":\"report/row\",\"section\":\"k\",\"rest\":-1}",
	    LOST "lines, rest, depth or count is not an integer >= 0; left out");
	s = report_section(&report, STR("k"));
	CHECK_INT(s->n_rows, 3);
	CHECK_STR(s->rows[0].cells[0].text, "gemm");
	CHECK_INT(s->rows[0].cells[1].type, VALUE_NONE);
	CHECK_INT(s->rows[0].cells[2].i, 7);
	CHECK_INT(s->rows[0].color, COLOR_COPY);
	CHECK_INT(s->rows[1].rest, 165);
	CHECK(!report_section(&report, STR("nothing")));
}

static void check_columns(void)
{
	const struct report_section *s;

	TAKE("{\"kind\":\"report/section\",\"id\":\"a\",\"columns\":[{\"name\":\"x\"},{\"title\":\"Y\"}]}",
	    LOST "column without a name; left out");
	s = report_section(&report, STR("a"));
	CHECK_INT(s->n_columns, 1);
	CHECK_STR(s->columns[0].title, "x");
	CHECK_INT(s->columns[0].unit.kind, REPORT_VALUE_NONE);
	CHECK(!s->brief && !s->columns[0].brief && !s->columns[0].sums);
	TAKE("{\"kind\":\"report/section\",\"id\":\"b\",\"columns\":[\"x\"]}",
	    LOST "member is not an array of objects; left out");
	CHECK_INT(report_section(&report, STR("b"))->n_columns, 0);
	TAKE("{\"kind\":\"report/section\",\"id\":\"c\",\"columns\":[{\"name\":\"x\",\"unit\":\"miles\"}],"
	     "\"view\":\"parts\"}",
	    "unknown unit; values are printed as plain numbers");
	CHECK_INT(report_section(&report, STR("c"))->n_columns, 1);
	CHECK_INT(report_section(&report, STR("c"))->view, REPORT_VIEW_PARTS);
	TAKE("{\"kind\":\"report/section\",\"id\":\"d\",\"columns\":\"x\"}",
	    LOST "member is not an array of objects; left out");
	TAKE("{\"kind\":\"report/row\",\"section\":\"d\",\"x\":1}", "");
}

#define MARK "{\"kind\":\"report/mark\",\"section\":"

static void check_marks(void)
{
	const struct report_picture *p;
	const struct report_mark *m;

	TAKE(MARK "\"t\",\"lane\":\"x\",\"at\":1,\"dur\":1}",
	    LOST "mark of a section that is unknown or follows later; skipped");
	TAKE("{\"kind\":\"report/section\",\"id\":\"t\",\"mark_unit\":\"bytes\"}", "");
	TAKE(MARK "\"t\",\"lane\":\"one\",\"at\":1,\"dur\":2,\"share\":0.25,\"color\":\"copies\",\"name\":\"n\"}", "");
	TAKE(MARK "\"t\",\"lane\":\"two\",\"at\":1,\"dur\":2.5,\"count\":7}", "");
	TAKE(MARK "\"t\",\"lane\":\"one\",\"at\":1,\"dur\":2,\"share\":0.5}", "");
	TAKE(MARK "\"t\",\"lane\":\"one\",\"at\":3,\"dur\":0,\"share\":7}", "");
	TAKE(MARK "\"t\",\"lane\":\"one\",\"dur\":2}", LOST "mark without the numbers at and dur; skipped");
	TAKE(MARK "\"t\",\"lane\":\"one\",\"at\":1,\"dur\":-2}", LOST "mark without the numbers at and dur; skipped");
	TAKE(
	    MARK "\"t\",\"lane\":\"one\",\"at\":\"1\",\"dur\":2}", LOST "mark without the numbers at and dur; skipped");
	TAKE(
	    MARK "\"t\",\"lane\":\"one\",\"at\":1e999,\"dur\":1}", LOST "mark without the numbers at and dur; skipped");
	TAKE(MARK "\"t\",\"depth\":1,\"at\":1,\"dur\":2}", LOST "marks with and without a depth in a section; skipped");
	p = &report_section(&report, STR("t"))->picture;
	CHECK_INT(p->n, 4);
	CHECK_INT(p->unit.kind, REPORT_VALUE_BYTES);
	CHECK(!p->nested);
	CHECK_INT(p->n_lanes, 2);
	CHECK_STR(p->lanes[0], "one");
	CHECK_STR(p->lanes[1], "two");
	m = p->marks;
	CHECK_INT(m[0].lane, 0);
	CHECK_STR(m[0].name, "n");
	CHECK_INT(m[0].color, COLOR_COPY);
	CHECK(m[0].partial && !m[1].partial);
	CHECK_DOUBLE(m[1].share, 1);
	CHECK_INT(m[1].lane, 1);
	CHECK_INT(m[1].count, 7);
	CHECK_DOUBLE(m[2].base, 0.25); /* on the mark of the same lane at the same place */
	CHECK_DOUBLE(m[3].base, 0);
	CHECK_DOUBLE(m[3].share, 1);
	TAKE("{\"kind\":\"report/section\",\"id\":\"f\"}", "");
	TAKE(MARK "\"f\",\"depth\":0,\"at\":0,\"dur\":2}", "");
	TAKE(MARK "\"f\",\"depth\":99,\"at\":0,\"dur\":1}", "");
	TAKE(MARK "\"f\",\"depth\":100,\"at\":0,\"dur\":1}", LOST "more than 100 lanes in a picture; skipped");
	TAKE(MARK "\"f\",\"lane\":\"x\",\"at\":0,\"dur\":1}",
	    LOST "marks with and without a depth in a section; skipped");
	TAKE(MARK "\"f\",\"depth\":-1,\"at\":0,\"dur\":1}",
	    LOST "lines, rest, depth or count is not an integer >= 0; left out");
	p = &report_section(&report, STR("f"))->picture;
	CHECK(p->nested);
	CHECK_INT(p->n_lanes, 100);
	CHECK_INT(p->unit.kind, REPORT_VALUE_TIME);
}

static void check_limits(void)
{
	static char text[6000];
	struct buf b = {0};
	const char *problem = "";
	size_t i;

	for (i = 0; i < REPORT_ROWS + 10; i++)
		problem = take("{\"kind\":\"report/row\",\"section\":\"a\",\"x\":1}");
	CHECK_STR(str_of(problem), LOST "more than 200 rows in a section; skipped");
	for (i = 0; i < REPORT_LANES + 1; i++) {
		snprintf(text, sizeof text, MARK "\"a\",\"lane\":\"%zu\",\"at\":1,\"dur\":1}", i);
		problem = take(text);
	}
	CHECK_STR(str_of(problem), LOST "more than 100 lanes in a picture; skipped");
	for (i = 0; i < REPORT_MARKS; i++)
		problem = take(MARK "\"f\",\"depth\":1,\"at\":1,\"dur\":1}");
	CHECK_STR(str_of(problem), LOST "more than 5000 marks in a section; skipped");
	CHECK_INT(report_section(&report, STR("a"))->n_rows, REPORT_ROWS);
	TAKE("{\"kind\":\"report/row\",\"section\":\"a\",\"rest\":99}", "");
	TAKE(
	    "{\"kind\":\"report/row\",\"section\":\"a\",\"rest\":99}", LOST "more than 200 rows in a section; skipped");
	for (i = 0; i < REPORT_SECTIONS; i++) {
		snprintf(text, sizeof text, "{\"kind\":\"report/section\",\"id\":\"s%zu\"}", i);
		problem = take(text);
	}
	CHECK_STR(str_of(problem), LOST "more than 100 sections; skipped");
	CHECK_INT(report.n_sections, REPORT_SECTIONS);
	buf_lit(&b, "{\"kind\":\"report/figure\",\"name\":\"");
	for (i = 0; i < 2000; i++)
		buf_lit(&b, "€");
	buf_lit(&b, "xyz\"}");
	buf_char(&b, '\0');
	CHECK_STR(str_of(take(b.p)), "");
	CHECK_INT(report.tiles[report.n_tiles - 1].name.n, 1364 * 3 + 3);
	CHECK(str_ends(report.tiles[report.n_tiles - 1].name, STR("€…")));
	b.n = 0;
	buf_lit(&b, "{\"kind\":\"report/row\",\"section\":\"c\",\"x\":[0");
	for (i = 0; i < REPORT_BYTES / 2 / 15; i++)
		buf_lit(&b, ",10000000000000");
	buf_lit(&b, "]}");
	buf_char(&b, '\0');
	CHECK_STR(str_of(take(b.p)), "");
	CHECK_STR(str_of(take(b.p)), LOST "report larger than 16 MiB; skipped");
	TAKE("{\"kind\":\"report/row\",\"section\":\"b\"}", "");
	buf_free(&b);
}

void unit_test(void)
{
	check_verdict();
	check_figures();
	check_sections();
	check_columns();
	check_marks();
	check_limits();
	report_free(&report);
	CHECK(!report.n_sections && !report.arena.bytes);
	diagnostics_free(&problems);
}
