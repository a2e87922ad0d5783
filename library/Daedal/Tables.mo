within Daedal;
package Tables "Numbers from files, and tables of two arguments"
  function column "The numbers below a name in the first line of a CSV file"
    input String file "Relative to the directory of the model";
    input String name "Of the column";
    output Real values[:];
  external "C";
  end column;

  function matrix "All numbers of a CSV file, row by row, without names in its first line"
    input String file "Relative to the directory of the model";
    output Real values[:, :];
  external "C";
  end matrix;

  function interpolate2 "Surface through the values z[i, j] at x[i] and y[j], straight along both of them"
    input Real x[:] "Ascending";
    input Real y[:] "Ascending";
    input Real z[:, :] "A row for each x, a column for each y";
    input Real u "Where the value is wanted: among the x";
    input Real v "Among the y";
    output Real w "Value; straight lines go on beyond the ends";
  protected
    Integer i = 1;
    Integer j = 1;
    Real p, q;
  algorithm
    while i < size(x, 1) - 1 and u >= x[i + 1] loop
      i := i + 1;
    end while;
    while j < size(y, 1) - 1 and v >= y[j + 1] loop
      j := j + 1;
    end while;
    p := (u - x[i])/(x[i + 1] - x[i]);
    q := (v - y[j])/(y[j + 1] - y[j]);
    w := (1 - p)*((1 - q)*z[i, j] + q*z[i, j + 1]) + p*((1 - q)*z[i + 1, j] + q*z[i + 1, j + 1]);
  end interpolate2;
end Tables;
