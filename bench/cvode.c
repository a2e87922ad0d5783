#include "cvode.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct run {
    SUNContext context;
    void *cvode;
    N_Vector y, atol;
    SUNMatrix matrix;
    SUNLinearSolver solver;
} run;

bool cvode_takes(const zoo_ivp *ivp)
{
    const dae_mass_form *form = &ivp->form->as.mass;
    if (ivp->form->kind != ZOO_MASS || form->mass || form->f_pattern.layout != DAE_DENSE)
        return false;
    if (!form->constant_mass) return true;
    if (form->mass_pattern.layout != DAE_BANDED) return false;
    if (form->mass_pattern.lower + form->mass_pattern.upper > 0) return false;
    for (size_t i = 0; i < form->n; i++)
        if (form->constant_mass[i] == 0) return false;
    return true;
}

static double mass_of(const dae_mass_form *form, size_t i)
{
    return form->constant_mass ? form->constant_mass[i] : 1;
}

static int right_side(realtype t, N_Vector y, N_Vector slope, void *user)
{
    const dae_mass_form *form = user;
    double *f = N_VGetArrayPointer(slope);
    int answer = form->f(t, N_VGetArrayPointer(y), f, form->about.user);
    for (size_t i = 0; form->constant_mass && i < form->n; i++) f[i] /= form->constant_mass[i];
    return answer;
}

static int jacobian(realtype t, N_Vector y, N_Vector slope, SUNMatrix matrix, void *user,
                    N_Vector a, N_Vector b, N_Vector c)
{
    const dae_mass_form *form = user;
    double *j = SM_DATA_D(matrix);
    (void)slope, (void)a, (void)b, (void)c;
    memset(j, 0, form->n * form->n * sizeof *j);
    int answer = form->f_y(t, N_VGetArrayPointer(y), j, form->about.user);
    for (size_t k = 0; form->constant_mass && k < form->n * form->n; k++)
        j[k] /= mass_of(form, k % form->n);
    return answer;
}

static void be_quiet(int code, const char *module, const char *function, char *text, void *user)
{
    (void)code, (void)module, (void)function, (void)text, (void)user;
}

static int set_up(run *r, const zoo_ivp *ivp, double rtol, size_t max_steps)
{
    double slopes[ZOO_MOST];
    sunindextype n = (sunindextype)zoo_size(ivp->form);
    if (SUNContext_Create(NULL, &r->context) != 0) return -1;
    r->y = N_VNew_Serial(n, r->context);
    r->atol = N_VClone(r->y);
    ivp->start(N_VGetArrayPointer(r->y), slopes);
    zoo_tolerances(ivp, rtol, N_VGetArrayPointer(r->atol));
    r->cvode = CVodeCreate(CV_BDF, r->context);
    CVodeSetErrHandlerFn(r->cvode, be_quiet, NULL);
    if (CVodeInit(r->cvode, right_side, 0, r->y) != 0) return -1;
    CVodeSVtolerances(r->cvode, rtol, r->atol);
    CVodeSetUserData(r->cvode, (void *)&ivp->form->as.mass);
    CVodeSetMaxNumSteps(r->cvode, (long)max_steps);
    CVodeSetStopTime(r->cvode, ivp->t_end);
    r->matrix = SUNDenseMatrix(n, n, r->context);
    r->solver = SUNLinSol_Dense(r->y, r->matrix, r->context);
    if (CVodeSetLinearSolver(r->cvode, r->solver, r->matrix) != 0) return -1;
    return CVodeSetJacFn(r->cvode, jacobian);
}

static void note(void *cvode, zoo_outcome *found)
{
    long steps = 0, calls = 0, set_ups = 0, failures = 0, jacobians = 0, unsolved = 0;
    int last, current;
    double first, h, next, t;
    CVodeGetIntegratorStats(cvode, &steps, &calls, &set_ups, &failures, &last, &current, &first, &h,
                            &next, &t);
    CVodeGetNumJacEvals(cvode, &jacobians);
    CVodeGetNumNonlinSolvConvFails(cvode, &unsolved);
    found->steps = (size_t)steps, found->rejected = (size_t)(failures + unsolved);
    found->residual_calls = (size_t)calls, found->jacobian_calls = (size_t)jacobians;
    found->factorizations = (size_t)set_ups;
}

void cvode_solve(const zoo_ivp *ivp, double rtol, size_t max_steps, zoo_outcome *found)
{
    run r = {.cvode = NULL};
    double t = 0, begun = zoo_clock();
    *found = (zoo_outcome){.status = DAE_UNSUPPORTED};
    int answer = set_up(&r, ivp, rtol, max_steps);
    double started = zoo_clock();
    if (answer == 0) answer = CVode(r.cvode, ivp->t_end, r.y, &t, CV_NORMAL);
    found->milliseconds = zoo_clock() - started, found->set_up = started - begun;
    found->status = answer >= 0                  ? DAE_OK
                    : answer == CV_TOO_MUCH_WORK ? DAE_TOO_MANY_STEPS
                    : answer == CV_ERR_FAILURE   ? DAE_ERROR_TEST
                                                 : DAE_NEWTON;
    note(r.cvode, found);
    if (found->status == DAE_OK) found->digits = zoo_digits(ivp, N_VGetArrayPointer(r.y));
    CVodeFree(&r.cvode);
    SUNLinSolFree(r.solver);
    SUNMatDestroy(r.matrix);
    N_VDestroy(r.y), N_VDestroy(r.atol);
    SUNContext_Free(&r.context);
}
