//go:build amd64

#define FIELD BLS12381_FP
#define DEGREE 1
#define EXPORT ifma_bls12381_g1
#include "window.h"
