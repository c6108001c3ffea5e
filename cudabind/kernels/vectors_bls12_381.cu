#include "vectors_impl.cuh"

template struct pg::Vectors<pg::Bls381Fr>;
