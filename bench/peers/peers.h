/* peers.h: loads the peers that race beside libspmv's methods: shared objects that export the table
 * of spmv_peer.h. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include <stdbool.h>

#include "bench/peers/spmv_peer.h"
#include "runtime/spmv.h"

enum { BENCH_MAX_PEERS = 64 };

typedef struct bench_peers {
    const spmv_peer *peer[BENCH_MAX_PEERS];
    size_t count;
} bench_peers;

/* Opens the peers that were built with spmvbench, if `built`, and the peers of `files`. A built
 * peer whose library is missing is left out, with a note on stderr. False, with a sentence in
 * error, if one of `files` has no peers, or if no built peer can be loaded. */
bool bench_peers_open(bool built, const char *const *files, size_t file_count, bench_peers *out,
                      spmv_error *error);

#endif
