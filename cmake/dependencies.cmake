# The libraries that daedal borrows; docs/dependencies.md says why each is there.
find_package(PkgConfig REQUIRED)
pkg_check_modules(LAPACK REQUIRED IMPORTED_TARGET lapack blas)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)

# Debian's SuiteSparse has neither a CMake package nor a .pc file.
find_path(KLU_INCLUDE suitesparse/klu.h REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)
find_path(UTHASH_INCLUDE uthash.h REQUIRED)

add_library(klu INTERFACE)
target_include_directories(klu SYSTEM INTERFACE ${KLU_INCLUDE})
target_link_libraries(klu INTERFACE ${KLU_LIBRARY})
