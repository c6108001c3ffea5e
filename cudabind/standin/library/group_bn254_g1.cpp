#include "group_impl.h"

namespace standin {
const Group bn254_g1 = GroupOf<Field<pg::Bn254Fp>, pg::Bn254Fr>::functions();
}
