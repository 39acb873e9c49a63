/* state.h: what spmvgen keeps for itself in a folder that it emits into, DIR/.spmvgen/.
 *
 *     .gitignore    "*": none of this is committed, so that the folder's other files stay a pure
 *                   function of templates, targets and version
 *     generator     which build of spmvgen looked at the folder last, and the manifest that it left
 *     announced     while files are replaced: the hash and name of every file that is written
 *
 * A folder without it is looked at anew. What else lies there, `announced` included, is left by a
 * run that was killed: then a file that has an announced hash is spmvgen's, whatever the manifest
 * says. */
#ifndef SG_STATE_H
#define SG_STATE_H

#include "generator/emit/manifest.h"
#include "generator/emit/write.h"

#define SG_STATE_DIR ".spmvgen"

typedef struct sg_state {
    const char *generator;       /* text of that file; "" where it is missing */
    const sg_input *announced;    /* in the order of the file; a name may stand there repeatedly */
    size_t announced_count;
    bool is_settled;             /* no run was killed while it replaced files */
} sg_state;

/* Never fails: what cannot be read is missing. */
void sg_state_read(sg_arena *arena, const char *dir, sg_state *out);

/* Has this build of spmvgen looked at the folder, with a manifest of this hash? */
bool sg_state_is_seen(sg_arena *arena, const sg_state *state, uint64_t manifest_hash);

/* Was this text announced for the file? */
bool sg_state_vouches(const sg_state *state, const char *file, const char *text, size_t length);

enum { SG_STATE_WRITES = 2, SG_STATE_SETTLE_WRITES = 3 };

/* What to write before any file is replaced. */
void sg_state_announce(sg_arena *arena, const char *dir, const sg_input *pages, size_t count,
                       sg_write out[SG_STATE_WRITES]);

/* What to write once all files are in place, with a manifest of this hash. */
void sg_state_settle(sg_arena *arena, const char *dir, uint64_t manifest_hash,
                     sg_write out[SG_STATE_SETTLE_WRITES]);

#endif
