#include "method/polynomial.h"

void polynomial_trim(polynomial *p)
{
    while (p->degree > 0 && p->coefficient[p->degree] == 0) p->degree--;
}

quad polynomial_value(const polynomial *p, quad x)
{
    quad value = 0;
    for (int k = p->degree; k >= 0; k--) value = value * x + p->coefficient[k];
    return value;
}

static quad size_of_terms(const polynomial *p, quad x)
{
    quad size = 0;
    for (int k = p->degree; k >= 0; k--) size = size * x + quad_abs(p->coefficient[k]);
    return size;
}

static polynomial derivative(const polynomial *p)
{
    polynomial d = {.degree = p->degree > 0 ? p->degree - 1 : 0};
    for (int k = 1; k <= p->degree; k++) d.coefficient[k - 1] = k * p->coefficient[k];
    return d;
}

/* Where p, monotonic from a to b, changes its sign: to the last bit. */
static quad bisect(const polynomial *p, quad a, quad b)
{
    bool rises = polynomial_value(p, b) > 0;
    for (;;) {
        quad middle = a + (b - a) / 2;
        if (middle <= a || middle >= b || b - a <= QUAD_EPSILON * b) return middle;
        if ((polynomial_value(p, middle) > 0) == rises)
            b = middle;
        else
            a = middle;
    }
}

/* Where p changes its sign between 0 and `end`, ascending: between two neighbours of the places
 * where its derivative does, it is monotonic. */
static int sign_changes(const polynomial *p, quad end, quad *at)
{
    if (p->degree == 0) return 0;
    quad turn[POLYNOMIAL_MOST_DEGREE + 2];
    polynomial slope = derivative(p);
    int count = 0, turns = sign_changes(&slope, end, turn + 1);
    turn[0] = 0;
    turn[turns + 1] = end;
    for (int i = 0; i <= turns; i++) {
        quad left = polynomial_value(p, turn[i]), right = polynomial_value(p, turn[i + 1]);
        if ((left < 0 && right > 0) || (left > 0 && right < 0))
            at[count++] = bisect(p, turn[i], turn[i + 1]);
    }
    return count;
}

/* p(x) = x^k q(x^2): q is of half the degree. */
static polynomial simplify(const polynomial *p)
{
    int first = 0, odd = 0;
    while (first < p->degree && p->coefficient[first] == 0) first++;
    for (int k = first + 1; k <= p->degree; k += 2) odd += p->coefficient[k] != 0;
    int stride = odd ? 1 : 2;
    polynomial q = {.degree = (p->degree - first) / stride};
    for (int k = 0; k <= q.degree; k++) q.coefficient[k] = p->coefficient[first + stride * k];
    return q;
}

bool polynomial_is_nonnegative(const polynomial *p, quad tolerance)
{
    polynomial q = simplify(p), slope = derivative(&q);
    quad highest = q.coefficient[q.degree], bound = 0, turn[POLYNOMIAL_MOST_DEGREE + 1];
    bool any_negative = false;
    if (highest < 0) return false;
    for (int k = 0; k < q.degree; k++) {
        any_negative = any_negative || q.coefficient[k] < 0;
        bound = quad_max(bound, quad_abs(q.coefficient[k]) / highest);
    }
    if (!any_negative) return true;
    if (q.coefficient[0] < 0) return false;
    /* beyond Cauchy's bound no zero lies, nor one of a derivative (Gauss-Lucas) */
    int turns = sign_changes(&slope, 1 + bound, turn);
    for (int i = 0; i < turns; i++)
        if (polynomial_value(&q, turn[i]) < -tolerance * size_of_terms(&q, turn[i])) return false;
    return true;
}
