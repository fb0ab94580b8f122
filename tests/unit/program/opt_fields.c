#include "program/opt_fields.h"

#include "test.h"

void unit_test(void)
{
	struct opt_fields f = {0};

	opt_fields_add(&f, "-g", "comm,args.a\\,b,ts/10ms");
	opt_fields_add(&f, "-g", "pid");
	CHECK_INT(f.n, 4);
	CHECK_STR(f.list[0].name, "comm");
	CHECK_STR(f.list[1].name, "args.a,b");
	CHECK_STR(f.list[2].name, "ts");
	CHECK_INT(f.list[2].width, 10000000);
	CHECK_STR(f.list[3].name, "pid");
	opt_fields_free(&f);
	CHECK_INT(f.n, 0);
}
