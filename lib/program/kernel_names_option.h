/* kernel_names_option: the option --kernel-names of programs that classify kernels. */
#ifndef KERNEL_NAMES_OPTION_H
#define KERNEL_NAMES_OPTION_H

#include "device/kernel_names.h"
#include "program/opt.h"

/* clang-format off */
#define KERNEL_NAMES_OPTION {kernel_names_option_rows, NULL, kernel_names_option_take}
/* clang-format on */
extern const struct opt kernel_names_option_rows[];
void kernel_names_option_take(void *arg, const struct opt_value *v);

/*
 * Reads the rules of --kernel-names, or of the environment variable. Call it after opt_read(). If they are not valid,
 * ends the program with a message that names FILE:LINE.
 */
void kernel_names_option_read(void);

#endif
