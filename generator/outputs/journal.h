/* journal.h: the folder DIR/.spmvgen/, by which a run recognises and completes an earlier run that
 * was killed.
 *
 *     .gitignore    "*": none of this is committed, so that the folder's other files stay a pure
 *                   function of templates, targets and version
 *     generator     which build of spmvgen looked at the folder last, and the manifest that it left
 *     announced     while files are replaced: the hash and name of every file that is written
 *
 * Without a journal every file of the folder is compared. `announced`, or
 * any file not listed here, is left by a killed run. Then a file with an announced hash is
 * spmvgen's, whatever the manifest says. */
#ifndef SG_JOURNAL_H
#define SG_JOURNAL_H

#include "generator/outputs/manifest.h"
#include "generator/outputs/write_files.h"

#define SG_JOURNAL_DIR ".spmvgen"

typedef struct sg_journal {
    const char *generator;       /* text of the file; "" if it is missing */
    const sg_input *announced;   /* in the order of the file; a name may stand there repeatedly */
    size_t announced_count;
    bool is_settled;             /* no run was killed while it replaced files */
} sg_journal;

/* Never fails: a file that cannot be read counts as missing. */
void sg_journal_read(sg_arena *arena, const char *dir, sg_journal *out);

/* True if this build of spmvgen looked at the folder last, and left a manifest of this hash. */
bool sg_journal_is_seen(sg_arena *arena, const sg_journal *journal, uint64_t manifest_hash);

/* True if this text is announced for the file. */
bool sg_journal_matches(const sg_journal *journal, const char *file, const char *text,
                        size_t length);

enum { SG_JOURNAL_WRITES = 2, SG_JOURNAL_FINISH_WRITES = 3 };

/* Makes the writes that precede the replacement of files. */
void sg_journal_announce(sg_arena *arena, const char *dir, const sg_input *files, size_t count,
                       sg_write out[SG_JOURNAL_WRITES]);

/* Makes the writes that follow when all files are in place, with a manifest of this hash. */
void sg_journal_finish(sg_arena *arena, const char *dir, uint64_t manifest_hash,
                     sg_write out[SG_JOURNAL_FINISH_WRITES]);

#endif
