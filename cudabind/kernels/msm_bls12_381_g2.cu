#include "msm_impl.cuh"

template struct pg::Msm<pg::Quadratic<pg::Bls381Fp>, pg::Bls381Fr>;
