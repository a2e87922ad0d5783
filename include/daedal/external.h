/** External functions: what a model in Modelica calls by external "C" y = f(x). */
#ifndef DAEDAL_EXTERNAL_H
#define DAEDAL_EXTERNAL_H

#include <daedal/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A function in C, cast to this type. What it takes and returns follows from the model
 *  (docs/external.md): a Real is a double, an Integer, Boolean or literal an int, a String a const
 *  char *, an array a pointer to its elements in order of rows, a size a size_t. */
typedef void (*dae_external)(void);

/** Load a shared library in which the external functions of a model are looked for. Several are
 *  searched in the order of these calls. A library that was loaded stays so until the program
 *  ends. A model that has been read already is read again.
 *  @param path of the library, copied; without a '/' a file in the present directory, or else a
 *      name that the loader of the system looks for
 *  @return #DAE_FILE_ERROR where it cannot be loaded, #DAE_USAGE for a NULL or for a problem that
 *      is no text. */
DAE_API dae_status dae_problem_library(dae_problem *problem, const char *path);

/** Give one external function of a model. It counts before those of libraries. It is called by all
 *  solvers that are made from the problem, each in the thread in which that solver runs, and has to
 *  give the same values whenever it is called with the same arguments. What it is handed over is
 *  valid during the call only, and it changes nothing but its outputs.
 *  @param name     that it has in C; copied
 *  @param function its code, which must remain as long as a solver of the problem runs
 *  @return #DAE_USAGE for a NULL or for a problem that is no text. */
DAE_API dae_status dae_problem_function(dae_problem *problem, const char *name,
                                        dae_external function);

#ifdef __cplusplus
}
#endif
#endif
