/* settings.h: options.settings, "name=value,...", which adjusts a method for one plan. */
#ifndef SPMV_SETTINGS_H
#define SPMV_SETTINGS_H

#include "runtime/spmv.h"

/* Writes a value for each setting of the module: from `text`, else the initial value. text may be
 * NULL. SPMV_INVALID_ARGUMENT: an unknown name, a name given twice, or a value that is not a whole
 * number within the setting's range. */
spmv_status spmv_settings_read(const spmv_module *module, const char *text,
                               int64_t value[SPMV_MAX_SETTINGS], spmv_error *err);

#endif
