#include "vectors_impl.cuh"

template struct pg::Vectors<pg::Bn254Fr>;
