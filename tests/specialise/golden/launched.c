// templates/launched.c plain WIDTH=4 sample=f64 launcher=templates/launches.c
/* Of these kernels the ones that launches.c launches are kept. */

static void plain(int32_t n, int32_t *out) { out[0] = n; }
static void joined_name(int32_t n, int32_t *out) { out[0] = n; }

static void unrolled(int32_t n, int32_t *out) { out[0] = n; }
// kernel plain
//   n: int32_t, value, value, []
//   out: int32_t *, global, read-write, [n]
// kernel joined_name
//   n: int32_t, value, value, []
//   out: int32_t *, global, read-write, []
// kernel unrolled
//   n: int32_t, value, value, []
//   out: int32_t *, global, read-write, []
