//go:build amd64

#define FIELD BN254_FP
#define DEGREE 2
#define EXPORT ifma_bn254_g2
#include "window.h"
