#include "msm_impl.cuh"

template struct pg::Msm<pg::Field<pg::Bn254Fp>, pg::Bn254Fr>;
