/* params.h: default values, with which the template compiles as it stands. */
typedef f64 real;
typedef i32 offset;

enum {
    LANES = 4,
    BLOCK_ROWS = 512,
    SEGMENTS = 64,
    CHUNK_WEIGHT = 16384,
    FETCH_AHEAD = 4096
};
