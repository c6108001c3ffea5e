#include "msm_impl.cuh"

template struct pg::Msm<pg::Field<pg::Bls381Fp>, pg::Bls381Fr>;
