/* choice_text.h: a choice as one line of text, and back:
 *
 *     spmv-choice 1 MODULE SOURCE-HASH [name=value,...]
 *
 * All settings of the module are listed, so that a later change of an initial value changes
 * nothing.
 */
#ifndef SPMV_CHOICE_TEXT_H
#define SPMV_CHOICE_TEXT_H

#include "runtime/library/devices/device.h"

typedef struct spmv_named_choice {
    const spmv_module *module;
    char settings[SPMV_CHOICE_SIZE];
} spmv_named_choice;

/* Reads options->choice, which is set, and finds its module on the device. SPMV_STALE: the device
 * does not have it. SPMV_INVALID_ARGUMENT: other options contradict it. */
spmv_status spmv_choice_read(const spmv_device *device, const spmv_plan_options *options,
                             spmv_named_choice *named, spmv_error *err);

/* Checks that method, target and settings of the options, where they are set, agree with the module
 * and these values of its settings. Returns `status` if not; `what` names the owner of the values
 * in the error text.
 */
spmv_status spmv_options_agree(const spmv_plan_options *options, const spmv_module *module,
                               const int64_t setting[SPMV_MAX_SETTINGS], const char *what,
                               spmv_status status, spmv_error *err);

#endif
