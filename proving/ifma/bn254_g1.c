//go:build amd64

#define FIELD BN254_FP
#define DEGREE 1
#define EXPORT ifma_bn254_g1
#include "window.h"
