#include "group_impl.h"

namespace standin {
const Group bn254_g2 = GroupOf<Quadratic<pg::Bn254Fp>, pg::Bn254Fr>::functions();
}
