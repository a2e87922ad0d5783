/* The LAPACK and BLAS routines in use, with their Fortran calling sequence: all arguments by
 * address, matrices by columns, the length of each CHARACTER argument at the end. */
#ifndef LINALG_LAPACK_H
#define LINALG_LAPACK_H

#include <complex.h>
#include <stddef.h>

/* LU factors by partial pivoting, by blocks and (getf2) by columns. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void zgetrf_(const int *m, const int *n, double complex *a, const int *lda, int *ipiv, int *info);
void dgetf2_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void zgetf2_(const int *m, const int *n, double complex *a, const int *lda, int *ipiv, int *info);

/* Solution with such factors. */
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t trans_length);

/* Reciprocal condition number from LU factors. */
void dgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm,
             double *rcond, double *work, int *iwork, int *info, size_t norm_length);

/* QR factors with column pivoting, without, and products with Q. */
void dlarfg_(const int *n, double *alpha, double *x, const int *incx, double *tau);
void dgeqp3_(const int *m, const int *n, double *a, const int *lda, int *jpvt, double *tau,
             double *work, const int *lwork, int *info);
void dgeqrf_(const int *m, const int *n, double *a, const int *lda, double *tau, double *work,
             const int *lwork, int *info);
void dormqr_(const char *side, const char *trans, const int *m, const int *n, const int *k,
             const double *a, const int *lda, const double *tau, double *c, const int *ldc,
             double *work, const int *lwork, int *info, size_t side_length, size_t trans_length);

/* The steps to the Schur form of a general real matrix, and to its eigenvectors: balance,
 * Hessenberg form, its Q, the QR iteration, substitution. */
void dgebal_(const char *job, const int *n, double *a, const int *lda, int *ilo, int *ihi,
             double *scale, int *info, size_t job_length);
void dgehrd_(const int *n, const int *ilo, const int *ihi, double *a, const int *lda, double *tau,
             double *work, const int *lwork, int *info);
void dorghr_(const int *n, const int *ilo, const int *ihi, double *a, const int *lda,
             const double *tau, double *work, const int *lwork, int *info);
void dhseqr_(const char *job, const char *compz, const int *n, const int *ilo, const int *ihi,
             double *h, const int *ldh, double *wr, double *wi, double *z, const int *ldz,
             double *work, const int *lwork, int *info, size_t job_length, size_t compz_length);
void dtrevc3_(const char *side, const char *howmny, int *select, const int *n, const double *t,
              const int *ldt, double *vl, const int *ldvl, double *vr, const int *ldvr,
              const int *mm, int *m, double *work, const int *lwork, int *info, size_t side_length,
              size_t howmny_length);

/* c = alpha op(a) op(b) + beta c */
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);

/* Eigenvalues and right eigenvectors of a general real matrix. */
void dgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t jobvl_length, size_t jobvr_length);

/* Generalized eigenvalues (alphar + i alphai)/beta of A - lambda B. */
void dggev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda,
            double *b, const int *ldb, double *alphar, double *alphai, double *beta, double *vl,
            const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork, int *info,
            size_t jobvl_length, size_t jobvr_length);

/* Eigenvalues, ascending, and eigenvectors of a symmetric matrix. */
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info, size_t jobz_length, size_t uplo_length);

/* Singular values, descending, and singular vectors. */
void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
             const int *lda, double *s, double *u, const int *ldu, double *vt, const int *ldvt,
             double *work, const int *lwork, int *info, size_t jobu_length, size_t jobvt_length);

/* Cholesky factor of a symmetric positive definite matrix, and solution with it. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info,
             size_t uplo_length);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             double *b, const int *ldb, int *info, size_t uplo_length);

/* Triangular solution. */
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx, size_t uplo_length, size_t trans_length,
            size_t diag_length);

#endif
