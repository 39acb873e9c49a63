/* group.c: how work is shared out to work-groups. */

enum {
    GROUP_TILES = WORK_GROUP_SIZE / OMEGA,
    SHORT_TILES = 32             /* parts of a row, besides its first, that one work-item adds */
};
