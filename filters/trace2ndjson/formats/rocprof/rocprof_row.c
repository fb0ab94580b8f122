#include "rocprof_row.h"

/* The columns of the CSV files of all versions; the files that `rocpd convert` writes use other letter cases. */
static const struct {
	struct str name;
	enum rocprof_field field;
} columns[] = {
    {ROCPROF_TEXT("Kind"), ROCPROF_CAT},
    {ROCPROF_TEXT("Domain"), ROCPROF_CAT},
    {ROCPROF_TEXT("Kernel_Name"), ROCPROF_NAME},
    {ROCPROF_TEXT("Function"), ROCPROF_NAME},
    {ROCPROF_TEXT("Operation"), ROCPROF_NAME},
    {ROCPROF_TEXT("Direction"), ROCPROF_NAME},
    {ROCPROF_TEXT("Counter_Name"), ROCPROF_NAME},
    {ROCPROF_TEXT("Instruction"), ROCPROF_NAME},
    {ROCPROF_TEXT("Name"), ROCPROF_NAME},
    {ROCPROF_TEXT("Start_Timestamp"), ROCPROF_START},
    {ROCPROF_TEXT("Sample_Timestamp"), ROCPROF_START},
    {ROCPROF_TEXT("End_Timestamp"), ROCPROF_END},
    {ROCPROF_TEXT("Process_Id"), ROCPROF_PID},
    {ROCPROF_TEXT("Thread_Id"), ROCPROF_TID},
    {ROCPROF_TEXT("Agent_Id"), ROCPROF_AGENT},
    {ROCPROF_TEXT("Source_Agent_Id"), ROCPROF_SRC},
    {ROCPROF_TEXT("Destination_Agent_Id"), ROCPROF_DST},
    {ROCPROF_TEXT("Stream_Id"), ROCPROF_STREAM},
    {ROCPROF_TEXT("Correlation_Id"), ROCPROF_CORR},
    {ROCPROF_TEXT("Allocation_Size"), ROCPROF_BYTES},
    {ROCPROF_TEXT("Counter_Value"), ROCPROF_VALUE},
    {ROCPROF_TEXT("Queue_Id"), ROCPROF_QUEUE},
    {ROCPROF_TEXT("Dispatch_Id"), ROCPROF_DISPATCH},
    {ROCPROF_TEXT("Kernel_Id"), ROCPROF_KERNEL_ID},
    {ROCPROF_TEXT("Private_Segment_Size"), ROCPROF_PRIVATE},
    {ROCPROF_TEXT("Group_Segment_Size"), ROCPROF_GROUP},
    {ROCPROF_TEXT("Address"), ROCPROF_ADDRESS},
    {ROCPROF_TEXT("Workgroup_Size_X"), ROCPROF_WORKGROUP_X},
    {ROCPROF_TEXT("Workgroup_Size_Y"), ROCPROF_WORKGROUP_Y},
    {ROCPROF_TEXT("Workgroup_Size_Z"), ROCPROF_WORKGROUP_Z},
    {ROCPROF_TEXT("Grid_Size_X"), ROCPROF_GRID_X},
    {ROCPROF_TEXT("Grid_Size_Y"), ROCPROF_GRID_Y},
    {ROCPROF_TEXT("Grid_Size_Z"), ROCPROF_GRID_Z},
};

static const char *const args[ROCPROF_N] = {
    [ROCPROF_FUNCTION] = "function",
    [ROCPROF_VALUE] = "value",
    [ROCPROF_KERNEL] = "kernel",
    [ROCPROF_QUEUE] = "queue_id",
    [ROCPROF_DISPATCH] = "dispatch_id",
    [ROCPROF_KERNEL_ID] = "kernel_id",
    [ROCPROF_PRIVATE] = "private_segment_size",
    [ROCPROF_GROUP] = "group_segment_size",
    [ROCPROF_ADDRESS] = "address",
    [ROCPROF_CALL_ARGS] = "args",
    [ROCPROF_EXTERNAL] = "external",
    [ROCPROF_ANCESTOR] = "ancestor",
};

enum rocprof_field rocprof_row_field(enum rocprof_table table, struct str column)
{
	size_t i;

	if (table == ROCPROF_COUNTERS && str_eq_any_case(column, STR("Kernel_Name")))
		return ROCPROF_KERNEL;
	for (i = 0; i < sizeof columns / sizeof *columns; i++) {
		if (str_eq_any_case(columns[i].name, column))
			return columns[i].field;
	}
	return ROCPROF_N;
}

const char *rocprof_row_arg(enum rocprof_field field)
{
	return args[field];
}

void rocprof_row_clear(struct rocprof_row *row)
{
	memset(row->v, 0, sizeof row->v);
	row->agent = row->source = row->to = (struct rocprof_place){.known = false};
	row->extra.n = 0;
}
