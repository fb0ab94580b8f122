/* copy_direction: the names that the profilers give to copies. */
#include "trace2ndjson/formats/copy_direction.h"

#include "test.h"

static const struct {
	const char *name, *copy;
} names[] = {
    {"\"Memcpy HtoD (Pageable -> Device)\"", "\"h2d\""},
    {"\"Memcpy DtoH (Device -> Pinned)\"", "\"d2h\""},
    {"\"Memcpy PtoP (Device -> Device)\"", "\"p2p\""},
    {"\"Memcpy D2M(4096)\"", "\"d2h\""},
    {"HostToHost", "\"h2h\""},
    {"P2P", "\"p2p\""},
    {"\"MEMORY_COPY_DEVICE_TO_DEVICE\"", "\"d2d\""},
    {"\"[CUDA memcpy Host-to-Array]\"", "\"h2d\""},
    {"\"[CUDA memcpy Unified Device-to-Host]\"", "\"d2h\""},
    {"HtoHtoD", "\"h2d\""},
    {"\"Memcpy DtoP\"", ""},
    {"\"DtoHalf\"", ""},
    {"H2D_", ""},
    {"Hto", ""},
    {"H", ""},
    {"\"[CUDA memcpy Unknown]\"", ""},
    {"", ""},
};

void unit_test(void)
{
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		CHECK_STR(copy_direction(str_of(names[i].name)), names[i].copy);
}
