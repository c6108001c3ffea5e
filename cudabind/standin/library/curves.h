// From the interface's numbers of curves and groups to their types.
#pragma once

#include "elements.h"

namespace standin {

inline pg_error check_curve(int32_t curve) {
  REFUSE_UNLESS(curve == PG_BN254 || curve == PG_BLS12_381, "curve %d is unknown", curve);
  return success();
}

inline pg_error check_group(int32_t group) {
  REFUSE_UNLESS(PG_BN254_G1 <= group && group <= PG_BLS12_381_G2, "group %d is unknown", group);
  return success();
}

inline pg_error check_size(int32_t curve, int32_t log_n) {
  PG_TRY(check_curve(curve));
  REFUSE_UNLESS(1 <= log_n && log_n <= 28, "log_n is %d, not 1 to 28", log_n);
  return success();
}

// Vectors are counted in size_t and measured in bytes; this many can be.
inline pg_error check_count(size_t n) {
  REFUSE_UNLESS(n < size_t(1) << 40, "n is %zu, a negative number perhaps", n);
  return success();
}

// Calls with(P{}), P the scalar field's parameters.
template <class With>
auto for_curve(int32_t curve, With with) {
  return curve == PG_BN254 ? with(pg::Bn254Fr{}) : with(pg::Bls381Fr{});
}

inline size_t point_bytes(int32_t group) {
  switch (group) {
    case PG_BN254_G1: return sizeof(Packed<Field<pg::Bn254Fp>>);
    case PG_BN254_G2: return sizeof(Packed<Quadratic<pg::Bn254Fp>>);
    case PG_BLS12_381_G1: return sizeof(Packed<Field<pg::Bls381Fp>>);
    default: return sizeof(Packed<Quadratic<pg::Bls381Fp>>);
  }
}

}  // namespace standin
