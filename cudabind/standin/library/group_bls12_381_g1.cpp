#include "group_impl.h"

namespace standin {
const Group bls12_381_g1 = GroupOf<Field<pg::Bls381Fp>, pg::Bls381Fr>::functions();
}
