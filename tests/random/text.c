/* Systems as flat Modelica. */
#define _POSIX_C_SOURCE 200809L
#include "random/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The shortest decimal number that is read as the same double. */
static void print_number(FILE *f, double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fprintf(f, value < 0 || signbit(value) ? "(%s)" : "%s", text);
}

/* How tightly an operator binds; a part that binds less tightly needs parentheses. */
static int tightness(expr_op op)
{
    switch (op) {
    case EXPR_SUM:
    case EXPR_DIFFERENCE:
    case EXPR_NEGATIVE: return 1;
    case EXPR_PRODUCT:
    case EXPR_QUOTIENT: return 2;
    default: return 3;
    }
}

static void print(FILE *f, const expr_pool *p, expr e, int tight);

static void print_binary(FILE *f, const expr_pool *p, const expr_node *n, const char *sign)
{
    int own = tightness(n->op);
    print(f, p, n->left, own);
    fputs(sign, f);
    print(f, p, n->right, own + 1);
}

static void print_call(FILE *f, const expr_pool *p, const expr_node *n, const char *name)
{
    fprintf(f, "%s(", name);
    print(f, p, n->left, 0);
    fputc(')', f);
}

static void print(FILE *f, const expr_pool *p, expr e, int tight)
{
    const expr_node *n = &p->node[e];
    bool wrapped = tightness(n->op) < tight;
    if (wrapped) fputc('(', f);
    switch (n->op) {
    case EXPR_CONSTANT: print_number(f, n->value); break;
    case EXPR_TIME: fputs("time", f); break;
    case EXPR_Y: fprintf(f, "y%d", n->left + 1); break;
    case EXPR_YP: fprintf(f, "der(y%d)", n->left + 1); break;
    case EXPR_NEGATIVE:
        fputc('-', f);
        print(f, p, n->left, 2);
        break;
    case EXPR_SIN: print_call(f, p, n, "sin"); break;
    case EXPR_COS: print_call(f, p, n, "cos"); break;
    case EXPR_EXP: print_call(f, p, n, "exp"); break;
    case EXPR_SUM: print_binary(f, p, n, " + "); break;
    case EXPR_DIFFERENCE: print_binary(f, p, n, " - "); break;
    case EXPR_PRODUCT: print_binary(f, p, n, "*"); break;
    case EXPR_QUOTIENT: print_binary(f, p, n, "/"); break;
    }
    if (wrapped) fputc(')', f);
}

static FILE *stream(char **text, size_t *length)
{
    FILE *f = open_memstream(text, length);
    if (f) return f;
    fprintf(stderr, "random: out of memory\n");
    exit(3);
}

char *expr_text(const expr_pool *p, expr e)
{
    char *text;
    size_t length;
    FILE *f = stream(&text, &length);
    print(f, p, e, 0);
    fclose(f);
    return text;
}

static void print_variable(FILE *f, const random_system *s, int i, double start, bool fixed)
{
    fprintf(f, "  Real y%d(start = %.17g", i + 1, start);
    if (fixed) fprintf(f, ", fixed = true");
    if (s->nominal[i] != 1) fprintf(f, ", nominal = %.17g", s->nominal[i]);
    fprintf(f, ");\n");
}

/* 0 = e, or with two sides where e is a difference. */
static void print_equation(FILE *f, const expr_pool *p, expr e, bool sides)
{
    const expr_node *n = &p->node[e];
    sides = sides && n->op == EXPR_DIFFERENCE;
    fprintf(f, "  ");
    if (sides) {
        print(f, p, n->left, 0);
        fprintf(f, " = ");
        print(f, p, n->right, 0);
    } else {
        fprintf(f, "0 = ");
        print(f, p, e, 0);
    }
    fprintf(f, ";\n");
}

char *system_text(random_system *s, const double *start, const bool *fixed, double tolerance)
{
    char *text;
    size_t length;
    FILE *f = stream(&text, &length);
    fprintf(f, "model Random\n");
    for (int i = 0; i < s->n; i++) print_variable(f, s, i, start[i], fixed[i]);
    fprintf(f, "equation\n");
    for (int i = 0; i < s->n; i++) print_equation(f, s->pool, s->equation[i], i % 2 == 1);
    fprintf(f,
            "  annotation(experiment(StartTime = %.17g, StopTime = %.17g, Tolerance = %.17g));\n"
            "end Random;\n",
            s->t0, s->t1, tolerance);
    fclose(f);
    return text;
}
