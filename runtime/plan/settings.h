/* settings.h: what a caller decides about a method when a plan is made: "name=value,...". */
#ifndef SPMV_SETTINGS_H
#define SPMV_SETTINGS_H

#include "runtime/spmv.h"

/* Writes a value for each setting of the module: what `text` says, else the setting's initial
 * value. text NULL or empty: all initial. Names that the module does not have, values that are no
 * whole numbers or out of range, and a name given twice are SPMV_INVALID_ARGUMENT. */
spmv_status spmv_settings_read(const spmv_module *module, const char *text,
                               int64_t value[SPMV_MAX_SETTINGS], spmv_error *err);

#endif
