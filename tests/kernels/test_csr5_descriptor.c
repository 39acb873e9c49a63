/* test_csr5_descriptor.c: runs csr5_descriptor.c, compiled for each of several numbers of lanes. */
#include "tests/tap.h"

void test_omega_1(void);
void test_omega_4(void);
void test_omega_32(void);
void test_omega_64(void);

int main(void)
{
    test_omega_1();
    test_omega_4();
    test_omega_32();
    test_omega_64();
    return tap_done();
}
