/* The equations of a problem of the zoo as IDA asks for them, without detours: nothing is allocated
 * or copied that a program made for one problem would not. */
#ifndef BENCH_IDA_EQUATIONS_H
#define BENCH_IDA_EQUATIONS_H

#include "zoo/zoo.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_matrix.h>

typedef struct ida_equations {
    const zoo_form *form;
    size_t n;
    double *value;  /* of the Jacobian as the form gives it, */
    size_t entries; /* so many, or as many as in a dense matrix */
    double *mass;   /* by columns, of a mass matrix (n x n) */
    bool moving;    /* which depends on y */
    /* of a sparse matrix: its columns, and where the entries of the form and the diagonal go */
    sunindextype *start, *row, *place, *diagonal;
} ida_equations;

/* False where memory is out. */
bool ida_equations_make(ida_equations *e, const zoo_ivp *ivp);
void ida_equations_free(ida_equations *e);

/* For IDAInit() and IDASetJacFn(), with the struct as user data. */
int ida_residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user);
int ida_dense(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix j, void *user,
              N_Vector a, N_Vector b, N_Vector d);
int ida_sparse(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix j, void *user,
               N_Vector a, N_Vector b, N_Vector d);

#endif
