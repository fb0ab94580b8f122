#include "member_writer.h"

#include "base/num_format.h"
#include "json/write.h"
#include "record/record_line.h"

bool member_writer_is_rank(struct event *e)
{
	const struct str name = event_get_kind(e) == KIND_META ? event_get(e, EVENT_NAME) : (struct str){NULL, 0};

	return str_in(name,
	    (const char *const[]){"\"distributedInfo\"", "\"baseTimeNanoseconds\"", "\"deviceProperties\"", NULL});
}

static void put_job_text(const struct job *j, struct buf *b, const char *key, uint32_t text)
{
	if (text != JOB_NONE)
		json_write_text(b, key, map_key(&j->texts, text));
}

static void put_known(struct buf *b, const char *key, int64_t v)
{
	if (v >= 0)
		json_write_int(b, key, v);
}

/* Writes the metadata of a group. A list of ranks that PyTorch has cut stays cut, because complete ones are long. */
static void put_group_args(struct job *j, struct buf *b, uint32_t group)
{
	struct job_named_group g;
	const int32_t *ranks;
	uint32_t set;
	size_t n;

	memcpy(&g, map_key(&j->named_groups, group).p, sizeof g);
	if (g.size)
		json_write_int(b, "Group size", g.size);
	put_job_text(j, b, "Process Group Name", g.name);
	put_job_text(j, b, "Process Group Description", g.text);
	put_job_text(j, b, "Process Group Ranks", g.list);
	set = g.rank == JOB_NONE || g.name == JOB_NONE
		  ? JOB_NONE
		  : job_group_ranks(j, JOB_STRIDE, g.rank, map_key(&j->texts, g.name));
	if (set == JOB_NONE)
		return;
	ranks = job_rank_set(j, set, &n);
	json_write_int(b, "Global rank start", ranks[0]);
	json_write_int(b, "Global rank stride", n > 1 ? ranks[1] - ranks[0] : 1);
}

static void put_numbers(const struct job *j, struct buf *b, const struct job_kernel *k)
{
	char number[NUM_ROOM];

	if (k->flags & JOB_HAS_SEQ)
		json_write_int(b, "Seq", k->seq);
	if (k->flags & JOB_COMMS_TEXT)
		json_write_text(b, "Comms Id", map_key(&j->texts, k->comms));
	else if (k->flags & JOB_HAS_COMMS)
		json_write_json(b, "Comms Id", num_str_u64(number, k->comms));
}

static void put_args(struct job *j, struct buf *b, const struct job_kernel *k)
{
	const struct job_description d = job_description(j, k->description);
	const struct str operation = map_key(&j->operations, d.operation);

	json_write_begin(b, "args", '{');
	if (d.name != JOB_NONE) {
		if (!d.custom)
			json_write_text(b, "operation", operation);
	} else {
		json_write_text(b, "Collective name", operation);
		put_known(b, "In msg nelems", d.in);
		put_known(b, "Out msg nelems", d.out);
		put_job_text(j, b, "dtype", d.dtype);
		if (d.group != JOB_NONE)
			put_group_args(j, b, d.group);
		put_known(b, d.operation == COLL_SEND ? "Dst Rank" : "Src Rank", d.peer);
		put_numbers(j, b, k);
	}
	json_write_end(b, '}');
}

void member_writer_write(struct job *j, struct out *out)
{
	const struct job_kernel *k;
	struct job_description d;
	struct buf b = {0};
	size_t i;

	for (i = 0; i < j->n && !out->error; i++) {
		k = &j->kernels[i];
		d = job_description(j, k->description);
		record_line_begin(&b, NULL);
		if (!(k->flags & JOB_NO_TS))
			json_write_int(&b, "ts", k->ts);
		json_write_int(&b, "dur", k->dur);
		json_write_json(&b, "kind", STR("\"kernel\""));
		if (d.name != JOB_NONE)
			json_write_text(&b, "name", map_key(&j->texts, d.name));
		else
			json_write_json(&b, "name", STR("\"nccl\""));
		json_write_int(&b, "rank", j->ranks[k->rank].rank);
		job_write_kernel(j, k, &b);
		put_args(j, &b, k);
		record_line_end(&b, out);
	}
	buf_free(&b);
}
