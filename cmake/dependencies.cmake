# The libraries that daedal borrows; docs/dependencies.md says why each is there.
# The interpreter itself, where the one that is found first starts another: each start costs half a second then.
find_package(Python3 3.11 REQUIRED COMPONENTS Interpreter)
execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
                OUTPUT_VARIABLE PYTHON OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

find_package(PkgConfig REQUIRED)
pkg_check_modules(LAPACK REQUIRED IMPORTED_TARGET lapack blas)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(FFI REQUIRED IMPORTED_TARGET libffi)

# Debian's SuiteSparse has neither a CMake package nor a .pc file.
find_path(KLU_INCLUDE suitesparse/klu.h REQUIRED)
find_library(KLU_LIBRARY klu REQUIRED)

add_library(klu INTERFACE)
target_include_directories(klu SYSTEM INTERFACE ${KLU_INCLUDE})
target_link_libraries(klu INTERFACE ${KLU_LIBRARY})
