// bundle_unity.cpp: a bundle as C++.
#include "runtime/bundle/kernels.c"
