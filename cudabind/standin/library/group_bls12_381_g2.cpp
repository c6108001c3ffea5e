#include "group_impl.h"

namespace standin {
const Group bls12_381_g2 = GroupOf<Quadratic<pg::Bls381Fp>, pg::Bls381Fr>::functions();
}
