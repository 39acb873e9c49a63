/* fetch_ahead.c: arrays that are read once and in order are fetched FETCH_AHEAD bytes before they
 * are needed. What a CPU fetches by itself comes too late where memory is far and entries take
 * steps of their own. What is fetched may lie behind an array's end: that never fails.
 */

/* Of entries that are multiplied as fast as they come: into the second cache, since the CPU then
 * sees to the first one. */
DEVICE void fetch_stream(const void *p)
{
    prefetch_l2((const void *)((uptr)p + FETCH_AHEAD));
}

/* Of entries that take some steps each. */
DEVICE void fetch_ahead(const void *p)
{
    prefetch((const void *)((uptr)p + FETCH_AHEAD));
}

/* Of entries that wait for x one by one, and of indices, which are few: less far is soon enough. */
DEVICE void fetch_soon(const void *p)
{
    prefetch((const void *)((uptr)p + FETCH_AHEAD / 4));
}
