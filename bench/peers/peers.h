/* peers.h: the peers that race beside libspmv's methods: shared objects as peers/spmv_peer.h has them. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/race/options.h"
#include "bench/peers/spmv_peer.h"

enum { BENCH_MAX_PEERS = 64 };

typedef struct bench_peers {
    const spmv_peer *peer[BENCH_MAX_PEERS];
    size_t count;
} bench_peers;

/* Opens what --peers and --peer ask for. False, and a sentence in message, where one that was named is
 * none; one of --peers that this machine cannot open (its library is missing) is left out with a note on
 * stderr. */
bool bench_peers_open(const bench_options *options, bench_peers *out, char *message,
                      size_t message_bytes);

#endif
