/* fields_report: the list of the fields of all records (--fields), also from and to partial results. */
#ifndef FIELDS_REPORT_H
#define FIELDS_REPORT_H

#include "cli/group_report.h"

/* Reads all records, or partial results, and prints the fields or a partial result. Returns the exit status. */
int fields_report_run(struct group_report *r);

#endif
