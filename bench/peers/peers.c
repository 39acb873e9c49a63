/* peers.c: see peers.h. */
#define _GNU_SOURCE              /* scandir, readlink */
#include "bench/peers/peers.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/output/message.h"
#include "common/fail.h"

static bool check_peer(const bench_peers *peers, size_t more, const char *file,
                       const spmv_peer *peer, spmv_error *error)
{
    if (peer->version < 1 || peer->version > SPMV_PEER_VERSION)
        return sg_fail(error, "%.300s: '%.40s' is of version %u of spmv_peer.h, not 1 to %u", file,
                       peer->name ? peer->name : "", (unsigned)peer->version,
                       (unsigned)SPMV_PEER_VERSION);
    const char *lacks = !peer->name ? "name" : !peer->origin ? "origin" : !peer->prepare ? "prepare"
                        : !peer->run ? "run" : !peer->destroy ? "destroy" : NULL;
    if (lacks)
        return sg_fail(error, "%.300s: peer %zu, '%.40s', has no %s", file, more + 1,
                       peer->name ? peer->name : "", lacks);
    for (size_t i = 0; i < peers->count; i++)
        if (strcmp(peers->peer[i]->name, peer->name) == 0)
            return sg_fail(error, "%.300s: there is a peer '%.40s' already", file, peer->name);
    if (peers->count + more >= BENCH_MAX_PEERS)
        return sg_fail(error, "%.300s: more than %d peers", file, BENCH_MAX_PEERS);
    return true;
}

/* Adds all peers of a table; on failure none. */
static bool take_table(bench_peers *out, const char *file, const spmv_peer *const *table,
                       spmv_error *error)
{
    if (!table[0])
        return sg_fail(error, "%.300s: its spmv_peer_table has no peer", file);
    for (size_t i = 0; table[i]; i++)
        if (!check_peer(out, i, file, table[i], error))
            return false;
    for (size_t i = 0; table[i]; i++)
        out->peer[out->count++] = table[i];
    return true;
}

static bool open_file(bench_peers *out, const char *file, spmv_error *error)
{
    char path[4096];
    void *library;
    const spmv_peer *const *table;

    /* dlopen searches other folders for a name without a slash. */
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    /* Never closed, since threads of a peer's library live as long as the process. */
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        return sg_fail(error, "%.500s", reason ? reason : file);
    }
    table = (const spmv_peer *const *)dlsym(library, "spmv_peer_table");
    if (!table)
        return sg_fail(error, "%.300s exports no spmv_peer_table, which bench/peers/spmv_peer.h "
                       "describes", file);
    return take_table(out, file, table, error);
}

static int is_shared_object(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);

    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

/* Finds the folder of the peers that were built: beside this program in a build folder,
 * else where an installation has them. If neither exists, the last is named in a message. */
static bool find_folder(char *folder, size_t bytes)
{
    static const char *const places[] = { "peers", BENCH_INSTALLED_PEERS, "peers" };
    char program[1024];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    if (length <= 0)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if ((size_t)snprintf(folder, bytes, "%s/%s", program, places[i]) >= bytes)
            return false;
        if (access(folder, F_OK) == 0)
            break;
    }
    return true;
}

static bool open_built(bench_peers *out, spmv_error *error)
{
    struct dirent **entry = NULL;
    char folder[1024 + 256] = "";
    const int count = find_folder(folder, sizeof folder)
                          ? scandir(folder, &entry, is_shared_object, alphasort) : -1;
    bool any = false;

    for (int i = 0; i < count; i++) {
        char file[sizeof folder + sizeof entry[i]->d_name];
        spmv_error reason;

        snprintf(file, sizeof file, "%s/%s", folder, entry[i]->d_name);
        if (open_file(out, file, &reason))
            any = true;
        else
            bench_message("note: peer %s is left out: %s", entry[i]->d_name, reason.text);
        free(entry[i]);
    }
    free(entry);
    return any || sg_fail(error, "--peers: no peers in %.500s; the whole build and its "
                          "installation put them there, or name one by --peer FILE.so",
                          *folder ? folder : "peers/ beside the program");
}

bool bench_peers_open(bool built, const char *const *files, size_t file_count, bench_peers *out,
                      spmv_error *error)
{
    *out = (bench_peers){ .count = 0 };
    if (built && !open_built(out, error))
        return false;
    for (size_t i = 0; i < file_count; i++)
        if (!open_file(out, files[i], error))
            return false;
    return true;
}
