#!/bin/sh
# The floors of the house: a folder may include its own headers and those of lower floors, never a
# neighbour's. Prints each include that points up or sideways, each quoted include without a folder and
# each `extern` in a .c (both would walk around the rule), and each .c that does not include its own
# header first; fails if there is one.
cd "$(dirname "$0")/../src" || exit 2

includes=$(grep -rnoE --include='*.[ch]' '^#include "[^"]+"' . | awk -F: '
BEGIN {
  n = split("base linalg nonlinear problem,method,symbolic projection mechanical,model,structure,multibody " \
            "hierarchy formulation,initial stepping integrate event,singular diagnosis solve analysis report cli",
            floor, " ")
  for (i = 1; i <= n; i++) { m = split(floor[i], f, ","); for (j = 1; j <= m; j++) level[f[j]] = i }
}
{
  split($1, p, "/"); from = p[2]
  split($3, q, "\""); path = q[2]; slash = index(path, "/")
  if (!slash) { print $0 ": an include names its folder"; next }
  to = substr(path, 1, slash - 1)
  if (!(from in level)) { print $0 ": folder " from " has no floor"; next }
  if (!(to in level))   { print $0 ": folder " to " has no floor"; next }
  if (level[to] > level[from])
    print $0 ": " from " (floor " level[from] - 1 ") must not use " to " (floor " level[to] - 1 ")"
  else if (level[to] == level[from] && to != from)
    print $0 ": " from " and " to " share a floor; neither may use the other"
}')

externs=$(grep -rnE --include='*.c' '^extern ' . | sed 's/$/: extern in a .c walks around the floors/')

own=$(for c in */*.c; do
  h="${c%.c}.h"
  [ -f "$h" ] || continue
  first=$(grep -m1 '^#include' "$c")
  [ "$first" = "#include \"$h\"" ] || echo "./$c: includes $h, but not first"
done)

[ -z "$includes$externs$own" ] && exit 0
printf '%s\n' "$includes" "$externs" "$own" | grep -v '^$'
exit 1
