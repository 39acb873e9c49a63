/* manifest.h: reads manifest.json, which describes a folder of emitted files, to compare the folder
 * with the run that wrote it. docs/reference/manifest.md describes the format. */
#ifndef SG_MANIFEST_H
#define SG_MANIFEST_H

#include "generator/plan/folder.h"
#include "generator/assemble/manifest_write.h"

typedef enum sg_manifest_state {
    SG_MANIFEST_GOOD,            /* perhaps of an earlier version (is_older) */
    SG_MANIFEST_MISSING,
    SG_MANIFEST_DAMAGED,         /* of spmvgen, but not JSON, or without some field */
    SG_MANIFEST_FOREIGN          /* unreadable, or not marked as spmvgen's */
} sg_manifest_state;

/* The part of a manifest that a later run needs. */
typedef struct sg_manifest {
    const char *const *targets;  /* their names */
    size_t target_count;
    const char *version, *command;
    sg_selection *selections;    /* the emitted ones */
    size_t selection_count;
    bool is_older;               /* of an earlier schema: lists its files, but is never current */
    uint64_t input_hash;
    uint64_t hash;               /* of its text */
    const sg_input *inputs;      /* sorted by name */
    size_t input_count;
    const sg_input *files;       /* every emitted file but the manifest, with its hash */
    size_t file_count;
} sg_manifest;

/* True for a name that can only be a visible file in the folder itself. */
bool sg_is_plain_name(const char *name);

/* Reads DIR/manifest.json; diags (may be NULL) get a located error unless it is good. */
sg_manifest_state sg_manifest_read(sg_arena *arena, sg_diags *diags, const char *dir,
                                   sg_manifest *out);

/* True if the run of the manifest wrote this text into the file. */
bool sg_manifest_matches(const sg_manifest *manifest, const char *file, const char *text,
                         size_t length);

/* True if the manifest's targets are the folder's, or with some_more these and others. Otherwise
 * adds an error at `path`. */
bool sg_manifest_is_of(sg_diags *diags, const sg_manifest *manifest, const char *path,
                       const sg_folder *folder, bool some_more);

/* True if the hashes of all inputs and emitted files equal the manifest's: then emission would
 * change nothing. */
bool sg_manifest_is_current(sg_arena *arena, const sg_manifest *manifest, const sg_folder *folder,
                            const char *dir);

#endif
