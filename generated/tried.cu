/* Whether nvcc works, for meson.build. */
__global__ void tried(int *out)
{
    *out = 1;
}
