/* The peer: IDA with its default settings, but what a user would be told to set (SUNDIALS 6.4, IDA
 * manual, Sec. 2.6): which variables are algebraic, and that those of index 2 and 3 stay out of the
 * error test. Jacobians are exact. */
#include "comparison.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    const zoo_ivp *ivp = user;
    return zoo_residual(ivp->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                        N_VGetArrayPointer(r));
}

static int dense_jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix j,
                          void *user, N_Vector a, N_Vector b, N_Vector d)
{
    const zoo_ivp *ivp = user;
    (void)r, (void)a, (void)b, (void)d;
    return zoo_matrix(ivp->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), c, 1,
                      SM_DATA_D(j));
}

/* Dense, then its nonzeros: a zero is kept where the pattern at the start had an entry. */
static int sparse_jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix j,
                           void *user, N_Vector a, N_Vector b, N_Vector d)
{
    const zoo_ivp *ivp = user;
    size_t n = zoo_size(ivp->form);
    (void)r, (void)a, (void)b, (void)d;
    dae_pattern pattern = zoo_sparse(ivp->form);
    double *dense = malloc(n * n * sizeof *dense);
    int answer = -1;
    if (dense && pattern.start)
        answer = zoo_matrix(ivp->form, t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), c, 1,
                            dense);
    sunindextype entries = 0;
    for (size_t k = 0; answer == 0 && k < n; k++) {
        bool diagonal = false;
        SM_INDEXPTRS_S(j)[k] = entries;
        for (size_t e = pattern.start[k]; e < pattern.start[k + 1]; e++) {
            size_t row = pattern.row[e];
            if (row > k && !diagonal) {
                SM_INDEXVALS_S(j)[entries] = (sunindextype)k;
                SM_DATA_S(j)[entries++] = dense[k * n + k];
                diagonal = true;
            }
            diagonal = diagonal || row == k;
            SM_INDEXVALS_S(j)[entries] = (sunindextype)row;
            SM_DATA_S(j)[entries++] = dense[k * n + row];
        }
        if (!diagonal) {
            SM_INDEXVALS_S(j)[entries] = (sunindextype)k;
            SM_DATA_S(j)[entries++] = dense[k * n + k];
        }
    }
    SM_INDEXPTRS_S(j)[n] = entries;
    free(dense);
    free((size_t *)pattern.start);
    return answer;
}

static int set_up(void *ida, const zoo_ivp *ivp, bool sparse, SUNContext context, N_Vector y,
                  SUNMatrix *matrix, SUNLinearSolver *solver)
{
    sunindextype n = (sunindextype)zoo_size(ivp->form);
    *matrix = sparse ? SUNSparseMatrix(n, n, n * n, CSC_MAT, context)
                     : SUNDenseMatrix(n, n, context);
    *solver = sparse ? SUNLinSol_KLU(y, *matrix, context) : SUNLinSol_Dense(y, *matrix, context);
    if (IDASetLinearSolver(ida, *solver, *matrix) != 0) return -1;
    return IDASetJacFn(ida, sparse ? sparse_jacobian : dense_jacobian);
}

static void note(void *ida, int answer, outcome *found)
{
    long steps = 0, residuals = 0, set_ups = 0, failures = 0, jacobians = 0, more = 0;
    int last, current;
    double first, h, next, t;
    IDAGetIntegratorStats(ida, &steps, &residuals, &set_ups, &failures, &last, &current, &first, &h,
                          &next, &t);
    IDAGetNumJacEvals(ida, &jacobians);
    IDAGetNumLinResEvals(ida, &more);
    found->reached = answer >= 0;
    snprintf(found->status, sizeof found->status, "%s",
             answer >= 0                   ? "ok"
             : answer == IDA_TOO_MUCH_WORK ? "too_many_steps"
             : answer == IDA_ERR_FAIL      ? "error_test"
             : answer == IDA_CONV_FAIL     ? "newton"
                                           : "failed");
    found->steps = (size_t)steps, found->rejected = (size_t)failures;
    found->residual_calls = (size_t)(residuals + more), found->jacobian_calls = (size_t)jacobians;
    found->factorizations = (size_t)set_ups;
}

static void be_quiet(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

void run_ida(const zoo_ivp *ivp, bool sparse, double rtol, size_t most_steps, outcome *found)
{
    size_t n = zoo_size(ivp->form);
    const unsigned char *index = zoo_index(ivp->form);
    SUNContext context;
    SUNMatrix matrix = NULL;
    SUNLinearSolver solver = NULL;
    *found = (outcome){.reached = false, .status = "failed"};
    if (SUNContext_Create(NULL, &context) != 0) return;
    N_Vector y = N_VNew_Serial((sunindextype)n, context), yp = N_VClone(y), atol = N_VClone(y);
    N_Vector kind = N_VClone(y);
    ivp->start(N_VGetArrayPointer(y), N_VGetArrayPointer(yp));
    zoo_tolerances(ivp, rtol, N_VGetArrayPointer(atol));
    for (size_t i = 0; i < n; i++) N_VGetArrayPointer(kind)[i] = !index || index[i] == 1;
    void *ida = IDACreate(context);
    double t = 0;
    int answer = IDAInit(ida, residual, 0, y, yp);
    IDASetErrHandlerFn(ida, be_quiet, NULL);
    IDASVtolerances(ida, rtol, atol);
    IDASetUserData(ida, (void *)ivp);
    IDASetMaxNumSteps(ida, most_steps > 0 ? (long)most_steps : 100000000);
    IDASetStopTime(ida, ivp->t_end);
    if (index) IDASetId(ida, kind), IDASetSuppressAlg(ida, SUNTRUE);
    if (answer == 0) answer = set_up(ida, ivp, sparse, context, y, &matrix, &solver);
    clock_t begun = clock();
    if (answer == 0) answer = IDASolve(ida, ivp->t_end, &t, y, yp, IDA_NORMAL);
    found->milliseconds = 1e3 * (double)(clock() - begun) / CLOCKS_PER_SEC;
    note(ida, answer, found);
    memcpy(found->y, N_VGetArrayPointer(y), n * sizeof(double));
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(y), N_VDestroy(yp), N_VDestroy(atol), N_VDestroy(kind);
    SUNContext_Free(&context);
}
