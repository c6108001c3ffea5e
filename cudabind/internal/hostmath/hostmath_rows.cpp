// hostmath.cpp with the products of the device: even and odd rows of 32-bit words.
#define PG_ROWS_ON_HOST
#define pg pg_rows  // a namespace of its own: one program must not hold two definitions of a template
#define HOSTMATH_NAME(what) hostmath_rows_##what
#include "hostmath.cpp"
