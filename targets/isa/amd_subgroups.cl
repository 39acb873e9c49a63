/* amd_subgroups.cl: words of amd_subgroups.lua that are functions, on ds_bpermute of AMD GPUs. */

static inline int i32_shuffle(int value, int place)
{
    return __builtin_amdgcn_ds_bpermute(4 * place, value);
}

static inline int i32_shuffle_up(int value, int distance)
{
    return i32_shuffle(value, (int)get_sub_group_local_id() - distance);
}

#ifdef REAL_IS_F32

static inline float r_shuffle(float value, int place)
{
    return as_float(__builtin_amdgcn_ds_bpermute(4 * place, as_int(value)));
}

static inline float r_shuffle_down(float value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() + distance);
}

static inline float r_shuffle_up(float value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() - distance);
}

#endif

#ifdef REAL_IS_F64

static inline double r_shuffle(double value, int place)
{
    int2 words = as_int2(value);

    words.x = __builtin_amdgcn_ds_bpermute(4 * place, words.x);
    words.y = __builtin_amdgcn_ds_bpermute(4 * place, words.y);
    return as_double(words);
}

static inline double r_shuffle_down(double value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() + distance);
}

static inline double r_shuffle_up(double value, int distance)
{
    return r_shuffle(value, (int)get_sub_group_local_id() - distance);
}

#endif
