#include "busy_members.h"

#include "base/int_math.h"
#include "json/write.h"
#include "device/work_type.h"

void busy_members_share(struct buf *b, const char *key, int64_t part, int64_t whole)
{
	if (whole > 0)
		json_write_double(b, key, (double)part / (double)whole);
}

void busy_members_write(struct buf *b, const int64_t time[OVERLAP_SWEEP_SETS], int64_t concurrent, int64_t whole)
{
	const int64_t busy = overlap_sweep_union(time, OVERLAP_SWEEP_SETS - 1),
		      comm = overlap_sweep_union(time, 1u << WORK_COMM);
	const int64_t both = overlap_sweep_both(time, 1u << WORK_COMM, 1u << WORK_COMPUTE);

	json_write_int(b, "busy", busy);
	json_write_int(b, "idle", int_sub(whole, busy));
	json_write_int(b, "compute_time", overlap_sweep_union(time, 1u << WORK_COMPUTE));
	json_write_int(b, "comm_time", comm);
	json_write_int(b, "memory_time", overlap_sweep_union(time, 1u << WORK_MEMORY));
	json_write_int(b, "other_time", overlap_sweep_union(time, 1u << WORK_OTHER));
	json_write_int(b, "overlap_time", both);
	json_write_int(b, "concurrent", concurrent);
	busy_members_share(b, "busy_share", busy, whole);
	busy_members_share(b, "overlap_share", both, comm);
}
