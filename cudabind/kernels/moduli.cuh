// The four prime fields, each named by its modulus (32-bit words, least significant first) and nothing else:
// every other constant is derived at compile time, in constants.cuh.
#pragma once

#include <cstdint>

namespace pg {

// Base field of BN254 (alt_bn128), EIP-196.
struct Bn254Fp {
  static constexpr int words = 8;
  static constexpr uint32_t modulus[words] = {0xd87cfd47, 0x3c208c16, 0x6871ca8d, 0x97816a91,
                                              0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72};
};

// Scalar field of BN254; 2^28 divides r - 1 and 5 generates the multiplicative group.
struct Bn254Fr {
  static constexpr int words = 8;
  static constexpr uint32_t modulus[words] = {0xf0000001, 0x43e1f593, 0x79b97091, 0x2833e848,
                                              0x8181585d, 0xb85045b6, 0xe131a029, 0x30644e72};
  static constexpr int two_adicity = 28;
  static constexpr uint32_t generator = 5;
};

// Base field of BLS12-381, draft-irtf-cfrg-pairing-friendly-curves section 4.2.1.
struct Bls381Fp {
  static constexpr int words = 12;
  static constexpr uint32_t modulus[words] = {0xffffaaab, 0xb9feffff, 0xb153ffff, 0x1eabfffe,
                                              0xf6b0f624, 0x6730d2a0, 0xf38512bf, 0x64774b84,
                                              0x434bacd7, 0x4b1ba7b6, 0x397fe69a, 0x1a0111ea};
};

// Scalar field of BLS12-381; 2^32 divides r - 1 and 7 generates the multiplicative group.
struct Bls381Fr {
  static constexpr int words = 8;
  static constexpr uint32_t modulus[words] = {0x00000001, 0xffffffff, 0xfffe5bfe, 0x53bda402,
                                              0x09a1d805, 0x3339d808, 0x299d7d48, 0x73eda753};
  static constexpr int two_adicity = 32;
  static constexpr uint32_t generator = 7;
};

}  // namespace pg
