//go:build amd64

#define FIELD BN254_FR
#define EXPORT ifma_bn254_scalars
#include "scalars.h"
