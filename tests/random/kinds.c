#include "random/kinds.h"

const random_kind kinds[] = {
    {"linear-dense", kind_linear_dense}, {"linear-sparse", kind_linear_sparse},
    {"linear-stiff", kind_linear_stiff}, {"linear-varying", kind_linear_varying},
    {"nonlinear", kind_nonlinear},       {"hessenberg-2", kind_hessenberg_2},
    {"hessenberg-3", kind_hessenberg_3}, {"chain", kind_chain},
    {"mechanical", kind_mechanical},     {"nonholonomic", kind_nonholonomic},
    {"invariant", kind_invariant},
};
const int kind_count = sizeof kinds / sizeof *kinds;
