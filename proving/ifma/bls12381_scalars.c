//go:build amd64

#define FIELD BLS12381_FR
#define EXPORT ifma_bls12381_scalars
#include "scalars.h"
