#include "msm_impl.cuh"

template struct pg::Msm<pg::Quadratic<pg::Bn254Fp>, pg::Bn254Fr>;
