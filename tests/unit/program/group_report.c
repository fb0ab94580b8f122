/* group_report: the columns that -f and -a produce. */
#include "test.h"

#include "program/group_report.h"

static void take(struct group_report *r, int letter, const char *text)
{
	const struct opt *opt;
	struct opt_value v;

	for (opt = group_report_rows; opt->letter != letter; opt++)
		;
	opt_value_parse(&v, opt, text);
	CHECK_INT(opt->to.type, OPT_TO_TAKE);
	group_report_take(r, &v);
}

static void test_columns(void)
{
	struct group_report r = {0};

	take(&r, 'g', "name,args.a\\,b");
	take(&r, 'g', "name");
	CHECK_INT(r.groups.n_keys, 2);
	CHECK_STR(str_of(groups_key_name(&r.groups, 1)), "args.a,b");
	take(&r, 'f', "x,y/10,x");
	CHECK_INT(r.n_fields, 2);
	group_report_ask(&r, "sum,max:z,count,sum,p05");
	CHECK_INT(r.aggs.n_columns, 6);
	CHECK_STR(str_of(r.aggs.columns[0].name), "count");
	CHECK_STR(str_of(r.aggs.columns[1].name), "x_sum");
	CHECK_STR(str_of(r.aggs.columns[2].name), "y/10_sum");
	CHECK_STR(str_of(r.aggs.columns[3].name), "z_max");
	CHECK_STR(str_of(r.aggs.columns[4].name), "x_p05");
	group_report_free(&r);
}

static void test_without_fields(void)
{
	struct group_report r = {0};

	group_report_ask(&r, "max");
	CHECK_INT(r.aggs.n_columns, 1);
	CHECK_STR(str_of(r.aggs.columns[0].name), "dur_max");
	group_report_free(&r);
}

void unit_test(void)
{
	test_columns();
	test_without_fields();
}
