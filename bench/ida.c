/* IDA with its default settings, but what its manual tells a user to set (Hindmarsh et al., User
 * documentation for IDA 6.4, sections on IDASetId and IDASetSuppressAlg): which variables are
 * algebraic, and that those of index 2 and 3 stay out of the error test; where `loosened`, out of
 * the test of Newton's iteration as well, by a large absolute tolerance. Jacobians are exact. At
 * corners of the right side it is started again. */
#include "ida.h"

#include "ida_equations.h"

#include <ida/ida.h>
#include <math.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef struct run {
    SUNContext context;
    void *ida;
    N_Vector y, yp, atol, kind;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    ida_equations equations;
} run;

static void be_quiet(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static void set_options(run *r, const zoo_ivp *ivp, double loosened, double rtol, size_t max_steps)
{
    const unsigned char *index = zoo_index(ivp->form);
    zoo_tolerances(ivp, rtol, N_VGetArrayPointer(r->atol));
    for (size_t i = 0; loosened > 0 && i < zoo_size(ivp->form); i++)
        if (index && index[i] > 1) N_VGetArrayPointer(r->atol)[i] *= loosened;
    IDASetErrHandlerFn(r->ida, be_quiet, NULL);
    IDASVtolerances(r->ida, rtol, r->atol);
    IDASetUserData(r->ida, &r->equations);
    IDASetMaxNumSteps(r->ida, (long)max_steps);
    if (!index) return;
    for (size_t i = 0; i < zoo_size(ivp->form); i++) N_VGetArrayPointer(r->kind)[i] = index[i] == 1;
    IDASetId(r->ida, r->kind);
    IDASetSuppressAlg(r->ida, SUNTRUE);
}

static int set_up(run *r, const zoo_ivp *ivp, ida_settings how, double rtol, size_t max_steps)
{
    sunindextype n = (sunindextype)zoo_size(ivp->form);
    if (SUNContext_Create(NULL, &r->context) != 0) return -1;
    r->y = N_VNew_Serial(n, r->context);
    r->yp = N_VClone(r->y), r->atol = N_VClone(r->y), r->kind = N_VClone(r->y);
    ivp->start(N_VGetArrayPointer(r->y), N_VGetArrayPointer(r->yp));
    if (!ida_equations_make(&r->equations, ivp)) return -1;
    r->ida = IDACreate(r->context);
    if (IDAInit(r->ida, ida_residual, 0, r->y, r->yp) != 0) return -1;
    set_options(r, ivp, how.loosened, rtol, max_steps);
    if (how.sparse) {
        r->matrix = SUNSparseMatrix(n, n, r->equations.start[n], CSC_MAT, r->context);
        r->solver = SUNLinSol_KLU(r->y, r->matrix, r->context);
    } else {
        r->matrix = SUNDenseMatrix(n, n, r->context);
        r->solver = SUNLinSol_Dense(r->y, r->matrix, r->context);
    }
    if (IDASetLinearSolver(r->ida, r->solver, r->matrix) != 0) return -1;
    return IDASetJacFn(r->ida, how.sparse ? ida_sparse : ida_dense);
}

static void tear_down(run *r)
{
    IDAFree(&r->ida);
    SUNLinSolFree(r->solver);
    SUNMatDestroy(r->matrix);
    N_VDestroy(r->y), N_VDestroy(r->yp), N_VDestroy(r->atol), N_VDestroy(r->kind);
    ida_equations_free(&r->equations);
    SUNContext_Free(&r->context);
}

static dae_status status_of(int answer)
{
    switch (answer) {
    case IDA_SUCCESS:
    case IDA_TSTOP_RETURN: return DAE_OK;
    case IDA_TOO_MUCH_WORK: return DAE_TOO_MANY_STEPS;
    case IDA_ERR_FAIL: return DAE_ERROR_TEST;
    case IDA_CONV_FAIL: return DAE_NEWTON;
    case IDA_LSETUP_FAIL: return DAE_SINGULAR;
    case IDA_REP_RES_ERR: return DAE_NOT_EVALUABLE;
    default: return DAE_UNSUPPORTED;
    }
}

/* Adds what was counted since the last start. */
static void note(void *ida, zoo_outcome *found)
{
    long steps = 0, residuals = 0, set_ups = 0, failures = 0, jacobians = 0, unsolved = 0;
    int last, current;
    double first, h, next, t;
    IDAGetIntegratorStats(ida, &steps, &residuals, &set_ups, &failures, &last, &current, &first, &h,
                          &next, &t);
    IDAGetNumJacEvals(ida, &jacobians);
    IDAGetNumNonlinSolvConvFails(ida, &unsolved);
    found->steps += (size_t)steps, found->rejected += (size_t)(failures + unsolved);
    found->residual_calls += (size_t)residuals, found->jacobian_calls += (size_t)jacobians;
    found->factorizations += (size_t)set_ups;
}

/* From corner to corner, as zoo_solve() goes. */
static int run_pieces(run *r, const zoo_ivp *ivp, const ida_settings *how, zoo_outcome *found)
{
    double corner = ivp->restart_every > 0 ? ivp->restart_every : ivp->t_end, t;
    for (int k = 1;; k++) {
        double end = fmin(k * corner, ivp->t_end), behind = nextafter(end, HUGE_VAL);
        IDASetStopTime(r->ida, end);
        int answer = IDASolve(r->ida, end, &t, r->y, r->yp, IDA_NORMAL);
        note(r->ida, found);
        for (size_t i = 0; how->corners && i < zoo_size(ivp->form); i++)
            how->corners[(size_t)(k - 1) * how->room + i] = N_VGetArrayPointer(r->y)[i];
        if (answer < 0 || end == ivp->t_end) return answer;
        if (zoo_slopes(ivp->form, behind, N_VGetArrayPointer(r->y), N_VGetArrayPointer(r->yp)) != 0)
            return -1;
        IDAReInit(r->ida, behind, r->y, r->yp);
    }
}

void ida_solve(const zoo_ivp *ivp, ida_settings how, double rtol, size_t max_steps,
               zoo_outcome *found)
{
    run r = {.ida = NULL};
    double begun = zoo_clock();
    *found = (zoo_outcome){.status = DAE_UNSUPPORTED};
    int answer = set_up(&r, ivp, how, rtol, max_steps);
    double started = zoo_clock();
    if (answer == 0) answer = run_pieces(&r, ivp, &how, found);
    found->milliseconds = zoo_clock() - started, found->set_up = started - begun;
    found->status = status_of(answer);
    if (found->status == DAE_OK) found->digits = zoo_digits(ivp, N_VGetArrayPointer(r.y));
    tear_down(&r);
}
