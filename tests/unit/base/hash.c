/*
 * hash: the hash depends on every byte and on the length; each process has its own key; numbers that were chosen
 * to collide do not.
 */
#include "test.h"

#include "base/hash.h"
#include "samples.h"

/* With 1 of 1,000 keys, more than 32 of 65,536 hashes are in one bucket, and with 1 of 20,000 keys more than 100. */
enum { FULL = 255 };

/* Returns how many hashes the fullest bucket gets when n hashes are put into n buckets, at most FULL. */
static size_t fullest(const uint64_t *hashes, size_t n)
{
	static uint8_t used[65536];
	size_t i, most = 0;

	memset(used, 0, sizeof used);
	for (i = 0; i < n; i++) {
		uint8_t *at = &used[hashes[i] % n];

		if (*at < FULL && ++*at > most)
			most = *at;
	}
	return most;
}

/* Runs this test again, which then only prints its key, and returns the key. */
static uint64_t key_of_another(void)
{
	char command[4096];
	unsigned long long key = 0;
	FILE *f;

	snprintf(command, sizeof command, "PRINT_HASH_KEY=1 '%s' hash", test_program);
	f = popen(command, "r");
	if (!f || fscanf(f, "%llx", &key) != 1)
		key = hash_key[0];
	if (f)
		pclose(f);
	return key;
}

void unit_test(void)
{
	static uint64_t hashes[65536];
	const uint64_t odd = 0x9e3779b97f4a7c15u;
	char room[100];
	size_t i, j, same;

	if (getenv("PRINT_HASH_KEY")) {
		printf("%llx\n", (unsigned long long)hash_key[0]);
		return;
	}
	for (i = 0; i < 4; i++) {
		for (j = 0; j < i; j++)
			CHECK(hash_key[i] && hash_key[i] != hash_key[j]);
	}
	CHECK(key_of_another() != hash_key[0]);

	CHECK_INT(hash_str((struct str){NULL, 0}), hash_str(STR("")));
	memset(room, 'x', sizeof room);
	for (i = 1; i < 70; i++) {
		uint64_t h = hash_str((struct str){room, i});

		for (same = 0, j = 0; j < i; j++) {
			room[j] = 'y';
			same += hash_str((struct str){room, i}) == h;
			room[j] = 'x';
		}
		CHECK_INT(same, 0);
		CHECK(hash_str((struct str){room, i + 1}) != h);
	}
	/* texts of different lengths that contain only zeros have different hashes */
	memset(room, 0, sizeof room);
	for (i = 0; i < sizeof room; i++) {
		hashes[i] = hash_str((struct str){room, i});
		for (j = 0; j < i; j++)
			CHECK(hashes[j] != hashes[i]);
	}

	/*
	 * consecutive numbers, numbers far apart, and numbers whose products with a known factor have the same high
	 * half
	 */
	for (i = 0; i < 65536; i++)
		hashes[i] = hash_pair(i, 0);
	CHECK(fullest(hashes, 65536) < FULL);
	for (i = 0; i < 65536; i++)
		hashes[i] = hash_pair(i << 40, 3);
	CHECK(fullest(hashes, 65536) < FULL);
	for (i = 0; i < 65536; i++)
		hashes[i] = hash_pair(i * 0xf1de83e19937733du, 1);
	CHECK_INT(odd * 0xf1de83e19937733du, 1);
	CHECK(fullest(hashes, 65536) < FULL);
}
