/* The form of a mechanism: which variables and equations are what, that its matrices are the
 * derivatives of the equations, and scales of rows that are known. */
#include "structure/mechanism.h"

#include "model/reading.h"
#include "structure/signature.h"

typedef struct found {
    reading r;
    const mechanism *f;
} found;

static void find(void *argument)
{
    found *m = argument;
    m->f = structure_mechanical(m->r.system);
}

static void look_at(found *m, const char *model)
{
    read_right(&m->r, model);
    ck_assert_int_eq(arena_protect(&m->r.memory, find, m), DAE_OK);
}

static const char *name(const found *m, uint32_t id)
{
    return id == INCIDENCE_NONE ? "none" : m->r.system->unknown.item[id].name;
}

static size_t place_of(const found *m, const char *coordinate)
{
    for (size_t j = 0; j < m->f->coordinates; j++)
        if (strcmp(name(m, m->f->coordinate[j]), coordinate) == 0) return j;
    ck_abort_msg("%s is no coordinate", coordinate);
    return 0;
}

START_TEST(parts_are_named)
{
    found m;
    look_at(&m, "model M Real T, v(start = 1), y(start = -1), x, u, X; equation x^2 + y^2 = 1;"
                " der(v) = -y*T - 9.81; X = x*T; der(x) = u; v = der(y); 2*der(u) = -2*X;"
                " end M;");
    ck_assert_ptr_nonnull(m.f);
    ck_assert_uint_eq(m.f->coordinates, 2);
    ck_assert_uint_eq(m.f->constraints, 1);
    ck_assert_uint_eq(m.f->holonomic, 1);
    ck_assert_str_eq(name(&m, m.f->multiplier[0]), "T");
    ck_assert_uint_eq(m.f->constraint[0], 0);
    size_t x = place_of(&m, "x"), y = place_of(&m, "y");
    ck_assert_str_eq(name(&m, m.f->velocity[x]), "u");
    ck_assert_str_eq(name(&m, m.f->velocity[y]), "v");
    ck_assert_uint_eq(m.f->kinematic[x], 3);
    ck_assert_uint_eq(m.f->kinematic[y], 4);
    ck_assert_uint_eq(m.f->motion[x], 5);
    ck_assert_uint_eq(m.f->motion[y], 1);
    ck_assert_double_eq_tol(m.f->row_scale[x] / m.f->row_scale[y], 0.5, 1e-12);
    close_reading(&m.r);
}
END_TEST

/* Rows times 3 and -5 are told from each other where inertia or a constraint couples them. */
START_TEST(scales_are_found)
{
    found m;
    look_at(&m, "model M Real x(start = 0.3), y(start = 0.4), p, u, v, w, T; equation"
                " der(x) = u; der(y) = v; der(p) = w;"
                " 3*(2*der(u) + cos(p)*der(w)) = 3*(-x*T - u);"
                " -5*der(v) = 5*(y*T + 9.81);"
                " 0.1*cos(p)*der(u) + 0.1*4*der(w) = 0.1*sin(p); x^2 + y^2 = 0.25; end M;");
    ck_assert_ptr_nonnull(m.f);
    size_t x = place_of(&m, "x"), y = place_of(&m, "y"), p = place_of(&m, "p");
    double one = 3 * m.f->row_scale[x];
    ck_assert_double_eq_tol(-5 * m.f->row_scale[y] / one, 1, 1e-9);
    ck_assert_double_eq_tol(0.1 * m.f->row_scale[p] / one, 1, 1e-9);
    close_reading(&m.r);
}
END_TEST

typedef struct values {
    const found *m;
    size_t n; /* unknowns */
    double input[64];
    double residual[16], shifted[16], mass[16], direction[16];
} values;

/* Time, then each unknown with its two derivatives. */
static size_t place_of_leaf(void *context, const sym_view *leaf)
{
    const values *v = context;
    return leaf->op == SYM_TIME ? 0 : 1 + leaf->order * v->n + leaf->id;
}

static void evaluate_outputs(values *v, size_t count, const sym *output, double *value)
{
    sym_graph *g = v->m->r.system->graph;
    arena *a = v->m->r.system->memory;
    sym_tape *tape = sym_tape_compile(a, g, count, output, 64, place_of_leaf, v);
    sym_tape_eval(tape, v->input, value);
}

/* Entries of a matrix, summed over the columns. */
static void row_sums(values *v, const sym_entries *entries, double *sum)
{
    for (size_t k = 0; k < entries->count; k++) {
        double value;
        evaluate_outputs(v, 1, &entries->item[k].value, &value);
        sum[entries->item[k].row] += value;
    }
}

static void compare(void *argument)
{
    values *v = argument;
    const mechanism *f = v->m->f;
    sym residual[16];
    uint64_t state = 11;
    v->n = v->m->r.system->unknown.count;
    for (size_t k = 0; k < 64; k++) v->input[k] = scatter(&state);
    for (size_t i = 0; i < f->coordinates; i++) residual[i] = f->names->residual[f->motion[i]];
    evaluate_outputs(v, f->coordinates, residual, v->residual);
    row_sums(v, &f->mass, v->mass);
    row_sums(v, &f->direction, v->direction);
    for (size_t j = 0; j < f->coordinates; j++) v->input[1 + 2 * v->n + f->coordinate[j]] += 1;
    for (size_t l = 0; l < f->constraints; l++) v->input[1 + f->multiplier[l]] += 2;
    evaluate_outputs(v, f->coordinates, residual, v->shifted);
}

/* Equations of motion grow by M 1 + 2 B 1 where all accelerations grow by 1 and all multipliers by
 * 2, row by row. */
START_TEST(matrices_are_derivatives)
{
    found m;
    look_at(&m, "model M Real x(start = 0.3), y(start = 0.4), p, u, v, w, T; equation"
                " 0.1*cos(p)*der(u) + 0.1*4*der(w) = 0.1*sin(p); der(x) = u; der(y) = v;"
                " -5*der(v) = 5*(y*T + 9.81); 3*(2*der(u) + cos(p)*der(w)) = 3*(-x*T - u);"
                " x^2 + y^2 = 0.25; der(p) = w; end M;");
    ck_assert_ptr_nonnull(m.f);
    values v = {.m = &m};
    ck_assert_int_eq(arena_protect(&m.r.memory, compare, &v), DAE_OK);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(v.shifted[i] - v.residual[i], v.mass[i] + 2 * v.direction[i],
                                1e-13);
    close_reading(&m.r);
}
END_TEST

/* y = x^2 is a constraint, v = R*w one of velocities, a moved pivot no coordinate. */
START_TEST(constraints_stay)
{
    found m;
    look_at(&m, "model M Real x(start = 1), y(start = 1), u, v, l; equation der(x) = u;"
                " der(y) = v; der(u) = -2*x*l; der(v) = l - 9.81; y = x^2; end M;");
    ck_assert_ptr_nonnull(m.f);
    ck_assert_uint_eq(m.f->holonomic, 1);
    close_reading(&m.r);
    look_at(&m, "model M Real s, p, v, w, F; equation v = 2*der(p); der(p) = w; 3*der(v) = 1 - F;"
                " der(w) = 2*F; der(s) = v; end M;");
    ck_assert_ptr_nonnull(m.f);
    ck_assert_uint_eq(m.f->coordinates, 2);
    ck_assert_uint_eq(m.f->holonomic, 0);
    ck_assert_uint_eq(m.f->constraints, 1);
    ck_assert_uint_eq(m.f->constraint[0], 0);
    close_reading(&m.r);
    look_at(&m, "model M Real x(start = 1), y, u, v, p, T; equation der(x) = u; der(y) = v;"
                " p = sin(time); der(u) = -T*(x - p) - 0.1*(u - der(p)); der(v) = -T*y - 9.81;"
                " (x - p)^2 + y^2 = 1; end M;");
    ck_assert_ptr_nonnull(m.f);
    ck_assert_uint_eq(m.f->coordinates, 2);
    close_reading(&m.r);
}
END_TEST

/* A reaction that stands alone is no acceleration, and an acceleration no reaction. */
START_TEST(reactions_and_accelerations)
{
    const char *const model[] = {
        "model M Real x(start = 1), y, u, v, F; equation der(x) = u; der(y) = v; der(u) = F;"
        " 2*der(v) = -F; x - y = 1; end M;",
        "model M Real x(start = 1), y, u, v, F, a, b; equation der(x) = u; der(y) = v; der(u) = a;"
        " b = der(v); 3*a = F; 2*b = -F; x - y = 1; end M;",
        "model M Real x(start = 1), y, u, v, F, R, S; equation der(x) = u; der(y) = v; der(u) = R;"
        " R = F; 2*der(v) = S; S = -F; x - y = 1; end M;",
        "model M Real x(start = 1), y, u, v, F, a; equation der(x) = u; der(y) = v; 2*der(u) = F;"
        " a = der(v); 2*a = -F; x - y = 1; end M;"};
    for (size_t k = 0; k < sizeof model / sizeof *model; k++) {
        found m;
        look_at(&m, model[k]);
        ck_assert_msg(m.f != NULL, "%s", model[k]);
        ck_assert_uint_eq(m.f->coordinates, 2);
        ck_assert_uint_eq(m.f->constraints, 1);
        close_reading(&m.r);
    }
}
END_TEST

/* Equal only after expansion: the numbers decide. */
START_TEST(what_simplification_does_not_see)
{
    const char *start = "model M Real x(start = 0.6), y(start = 0.8), u, v, T; equation der(x) = u;"
                        " der(y) = v; ((u + 1)^2 - u^2 - 2*u)*der(u) = -((x + 1)^2 - (x - 1)^2)*T;"
                        " der(v) = -y*T*",
               *const right = "4 - 9.81; (x + y)^2 - 2*x*y = 1; end M;",
               *const wrong = "(4 + 1e-5*x) - 9.81; (x + y)^2 - 2*x*y = 1; end M;";
    char model[512];
    snprintf(model, sizeof model, "%s%s", start, right);
    found m;
    look_at(&m, model);
    ck_assert_ptr_nonnull(m.f);
    close_reading(&m.r);
    snprintf(model, sizeof model, "%s%s", start, wrong);
    look_at(&m, model);
    ck_assert_ptr_null(m.f);
    close_reading(&m.r);
}
END_TEST

/* A factor that depends on the coordinate is found, a direction that it would mend is not mended.
 */
START_TEST(factors_that_vary)
{
    found m;
    look_at(&m, "model M Real x(start = 0.6), y(start = 0.8), u, v, T; equation der(x) = u;"
                " der(y) = v; (2 + x^2)*der(u) = -x*T*(2 + x^2);"
                " exp(y)*der(v) = exp(y)*(-y*T - 9.81); x^2 + y^2 = 1; end M;");
    ck_assert_ptr_nonnull(m.f);
    ck_assert(m.f->divided);
    ck_assert(m.f->row_scale[0] == 1 && m.f->row_scale[1] == 1);
    close_reading(&m.r);
    look_at(&m, "model M Real x(start = 0.6), y(start = 0.8), u, v, T; equation der(x) = u;"
                " der(y) = v; exp(y)*der(u) = -exp(y)*T; der(v) = -T - 9.81; x^2 + y^2 = 1;"
                " end M;");
    ck_assert_ptr_null(m.f);
    close_reading(&m.r);
}
END_TEST

enum { COORDINATES = 12, CONSTRAINTS = 5, POINTS = 4 };

typedef struct random_mechanism {
    mechanical_sample at[POINTS];
    double scale[COORDINATES]; /* by which its rows were divided */
} random_mechanism;

/* M = C C^T + I, G, B = G^T T at each point, rows divided by scales between 1e-3 and 1e3. */
static random_mechanism scattered(arena *a, uint64_t *state, size_t rank)
{
    enum { N = COORDINATES, M = CONSTRAINTS };
    random_mechanism r;
    for (size_t i = 0; i < N; i++) r.scale[i] = pow(10, 3 * scatter(state));
    for (size_t k = 0; k < POINTS; k++) {
        double c[N][N], t[M][M];
        mechanical_sample *s = &r.at[k];
        s->mass = arena_array(a, N * N, sizeof(double));
        s->direction = arena_array(a, N * M, sizeof(double));
        s->jacobian = arena_array(a, M * N, sizeof(double));
        for (size_t i = 0; i < N * N; i++) c[i / N][i % N] = i % 3 ? 0 : scatter(state);
        for (size_t i = 0; i < M * M; i++) t[i / M][i % M] = scatter(state);
        for (size_t l = 0; l < M; l++)
            for (size_t j = 0; j < N; j++)
                s->jacobian[l * N + j] = l < rank ? scatter(state)
                                                  : s->jacobian[j] + s->jacobian[(l - 1) * N + j];
        for (size_t i = 0; i < N; i++) {
            for (size_t j = 0; j < N; j++) {
                double sum = i == j;
                for (size_t h = 0; h < N; h++) sum += c[i][h] * c[j][h];
                s->mass[i * N + j] = sum / r.scale[i];
            }
            for (size_t l = 0; l < M; l++) {
                double sum = 0;
                for (size_t h = 0; h < M; h++) sum += s->jacobian[h * N + i] * t[h][l];
                s->direction[i * M + l] = sum / r.scale[i];
            }
        }
    }
    return r;
}

ARENA_TEST(scales_of_scattered_mechanisms)
{
    uint64_t state = 3;
    for (int k = 0; k < 20; k++) {
        double scale[COORDINATES];
        random_mechanism r = scattered(memory_, &state, k % 2 ? CONSTRAINTS : CONSTRAINTS - 1);
        ck_assert(mechanical_scale(memory_, COORDINATES, CONSTRAINTS, POINTS, r.at, scale));
        for (size_t i = 0; i < COORDINATES; i++)
            ck_assert_double_eq_tol(scale[i] / scale[0] * r.scale[0] / r.scale[i], 1, 1e-7);
    }
}

/* One entry off by a ten-thousandth of the largest in its row, and nothing fits. */
ARENA_TEST(scales_of_no_mechanism)
{
    uint64_t state = 5;
    for (int k = 0; k < 20; k++) {
        double scale[COORDINATES], largest = 0;
        random_mechanism r = scattered(memory_, &state, CONSTRAINTS);
        size_t row = scatter_below(&state, COORDINATES), l = scatter_below(&state, CONSTRAINTS);
        double *direction = &r.at[k % POINTS].direction[row * CONSTRAINTS];
        for (size_t j = 0; j < CONSTRAINTS; j++) largest = fmax(largest, fabs(direction[j]));
        direction[l] += 1e-4 * largest;
        ck_assert(!mechanical_scale(memory_, COORDINATES, CONSTRAINTS, POINTS, r.at, scale));
        direction[l] -= 1e-4 * largest;
        r.at[k % POINTS].mass[row * COORDINATES + (row + 1) % COORDINATES] +=
            1e-4 * r.at[k % POINTS].mass[row * COORDINATES + row];
        ck_assert(!mechanical_scale(memory_, COORDINATES, CONSTRAINTS, POINTS, r.at, scale));
    }
}

/* The same without inertia between coordinates, and these in units of their own: what is off in one
 * row is not hidden by another whose reactions are far larger for what its constraints are. */
ARENA_TEST(rows_in_units_far_apart)
{
    enum { N = COORDINATES, M = CONSTRAINTS };
    uint64_t state = 11;
    for (int k = 0; k < 40; k++) {
        double scale[N];
        random_mechanism r = scattered(memory_, &state, M);
        for (size_t i = 0; i < N; i++) {
            double unit = pow(10, 6 * scatter(&state));
            for (size_t p = 0; p < POINTS; p++) {
                for (size_t j = 0; j < N; j++) r.at[p].mass[i * N + j] *= j == i ? unit * unit : 0;
                for (size_t l = 0; l < M; l++) r.at[p].direction[i * M + l] *= unit;
                for (size_t l = 0; l < M; l++) r.at[p].jacobian[l * N + i] *= unit;
            }
        }
        for (size_t l = 0; l < M; l++) {
            double unit = pow(10, 6 * scatter(&state));
            for (size_t j = 0; j < N * POINTS; j++) r.at[j / N].jacobian[l * N + j % N] *= unit;
        }
        ck_assert(mechanical_scale(memory_, N, M, POINTS, r.at, scale));
        size_t row = scatter_below(&state, N);
        double *direction = &r.at[k % POINTS].direction[row * M], largest = 0;
        for (size_t j = 0; j < M; j++) largest = fmax(largest, fabs(direction[j]));
        direction[scatter_below(&state, M)] += 1e-4 * largest;
        ck_assert(!mechanical_scale(memory_, N, M, POINTS, r.at, scale));
    }
}

/* Rows that are written with equal factors, and belong to no mechanism: the equations of one
 * coordinate are in a unit that makes its reactions far larger than its constraint. */
START_TEST(a_large_row_hides_nothing)
{
    static const char *const unit[] = {"1", "1e-10", "1e10", "1e13"};
    for (size_t k = 0; k < sizeof unit / sizeof *unit; k++) {
        found m;
        text model = {0};
        text_format(&model,
                    "model M Real x(start = 0.3), y(start = 0.4, nominal = %s), p(start = 0.2), u;"
                    " Real v(nominal = %s), w, S, T; equation"
                    " der(x) = u; der(y) = v; der(p) = w; der(u) = 1.1*S - 0.4*T - x;"
                    " der(v)/%s = T - y/%s; der(w) = (0.3*cos(p) + 0.1)*T - 0.3*cos(p)*S;"
                    " 1e9*(1.1*x - 0.3*sin(p)) = 2e8; y/%s + 0.3*sin(p) - 0.5*x = 0.3; end M;",
                    unit[k], unit[k], unit[k], unit[k], unit[k]);
        look_at(&m, text_string(&model));
        ck_assert_ptr_null(m.f);
        close_reading(&m.r);
        text_free(&model);
    }
}
END_TEST

UNIT_MAIN("structure/mechanism", 30, parts_are_named, scales_are_found, matrices_are_derivatives,
          constraints_stay, reactions_and_accelerations, what_simplification_does_not_see,
          factors_that_vary, scales_of_scattered_mechanisms, scales_of_no_mechanism,
          rows_in_units_far_apart, a_large_row_hides_nothing)
