#include "process_names.h"

#include "base/int_math.h"
#include "base/num_format.h"
#include "base/order.h"

#include <stdlib.h>

/* The number of the process with the index 0; the others follow. */
static const int64_t first = INT64_MIN;

/* Sets *pid to the beginning of a key, and returns the rest, which is the host. */
static struct str split(struct str key, int64_t *pid)
{
	memcpy(pid, key.p, sizeof *pid);
	return str_from(key, sizeof *pid);
}

int64_t process_names_put(struct map *names, struct buf *room, struct str host, int64_t pid)
{
	room->n = 0;
	buf_add(room, &pid, sizeof pid);
	buf_add(room, host.p, host.n);
	return first + (int64_t)map_put(names, (struct str){room->p, room->n});
}

struct str process_names_get(const struct map *names, int64_t process, int64_t *pid)
{
	return split(map_key(names, (size_t)(process - first)), pid);
}

void process_names_write(const struct map *names, int64_t rank, struct buf *to)
{
	char digits[NUM_ROOM], *end;
	int64_t number = rank;
	struct str host;

	if (process_names_is(rank)) {
		host = process_names_get(names, rank, &number);
		buf_add(to, host.p, host.n);
		buf_char(to, ':');
	} else {
		buf_lit(to, "rank ");
	}
	end = num_put_i64(digits, number);
	buf_add(to, digits, (size_t)(end - digits));
}

static int compare(const void *arg, size_t a, size_t b)
{
	int64_t x, y;
	const struct str p = split(map_key(arg, a), &x), q = split(map_key(arg, b), &y);
	const int c = str_cmp(p, q);

	return c ? c : int_compare(x, y);
}

int64_t *process_names_sort(struct map *names)
{
	size_t *order = order_sort(names->n, compare, names), i;
	int64_t *to = mem_alloc((names->n + 1) * sizeof *to);
	struct map sorted = {0};

	for (i = 0; i < names->n; i++) {
		map_put(&sorted, map_key(names, order[i]));
		to[order[i]] = first + (int64_t)i;
	}
	map_free(names);
	*names = sorted;
	free(order);
	return to;
}

int64_t process_names_moved(const int64_t *to, int64_t process)
{
	return to[process - first];
}
