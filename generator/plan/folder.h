/* folder.h: the plans of a folder of emitted files: selections of one or several targets, each with
 * methods of its own, from one run or several. */
#ifndef SG_FOLDER_H
#define SG_FOLDER_H

#include "generator/plan/plan.h"
#include "generator/base/text.h"

/* The families of one method and language, one a target. */
typedef struct sg_group {
    const sg_plan **plans;       /* by family */
    const sg_family **families;
    size_t count;
    const char *shared;          /* the file with the text of all; NULL: of one family, whose file
                                    has its text */
} sg_group;

typedef struct sg_folder {
    sg_plan *plans;              /* one for each selection, in the order of the command line */
    size_t plan_count;           /* at least 1 */
    const sg_group *groups;      /* in the order of their first families */
    size_t group_count;
    const char *table;           /* the table of modules: "spmv_modules__x86_64_v4"; of several
                                    targets "spmv_modules" */
    const char *const *commands; /* that emit the folder; NULL-terminated */
    const char *command;         /* the same as one line */
    const char *title;           /* its targets: "x86-64-v3, x86-64-v4" */
} sg_folder;

/* Three passes over all selections of one folder, as in plan.h. If two select the same method and
 * target, the later one holds. They return false, with diagnostics, if one cannot be emitted or two
 * would write the same file. */
bool sg_folder_read(sg_arena *arena, sg_diags *diags, const sg_catalog *catalog,
                    const sg_selection *selections, size_t count, sg_folder *out);
bool sg_folder_resolve(sg_arena *arena, sg_diags *diags, sg_folder *folder);
bool sg_folder_plan(sg_arena *arena, sg_diags *diags, sg_folder *folder);

/* Adds the selections `now` to the folder's selections `before`. A selection that names
 * methods leaves other methods as they are. Returns the number of selections in *out. */
size_t sg_folder_add(sg_arena *arena, const sg_selection *before, size_t before_count,
                     const sg_selection *now, size_t now_count, const sg_selection **out);

/* The group that has the family. */
const sg_group *sg_folder_group(const sg_folder *folder, const sg_family *family);

/* The target's own table: "spmv_modules__zen4"; NULL: the folder's table is its own. */
const char *sg_folder_table_of(sg_arena *arena, const sg_folder *folder, const sg_target *target);

/* True if one of its plans has the target. */
bool sg_folder_has_target(const sg_folder *folder, const char *name);

/* True if two folders of one name have the same pages; otherwise it adds an error. */
bool sg_folder_is_same(sg_diags *diags, const sg_folder *a, const sg_folder *b, const char *dir);

/* Appends the commands with the folder: "'spmvgen --target x -o DIR --force'". */
void sg_folder_advice(sg_text *out, const sg_folder *folder, const char *dir, bool force);

#endif
