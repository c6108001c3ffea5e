//go:build amd64

#define FIELD BLS12381_FP
#define DEGREE 2
#define EXPORT ifma_bls12381_g2
#include "window.h"
