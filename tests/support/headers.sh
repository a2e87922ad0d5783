#!/bin/sh
# Whether each internal header compiles alone, as C17 and without a warning: it includes what it needs, and
# may be included twice. What a file of the same name includes before all else, the build has compiled alone.
# The compiler is $CC.
cd "$(dirname "$0")/../../src" || exit 2
failed=0
count=0
first=0
for header in */*.h; do
  count=$((count + 1))
  if grep -m 1 '^#include' "${header%.h}.c" 2>/dev/null | grep -q "\"$header\"" &&
    grep -m 2 '^#' "$header" | grep -q '^#define .*_H$'; then
    first=$((first + 1))
    continue
  fi
  printf '#include "%s"\n#include "%s"\nint main(void);\n' "$header" "$header" |
    "${CC:-cc}" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Wundef -Wstrict-prototypes -Werror \
      -fsyntax-only -I . -I ../include -x c - || { echo "$header does not compile alone" >&2; failed=1; }
done
echo "$count headers, $first of them compiled alone by the build"
[ "$count" -gt 0 ] && exit "$failed"
echo "headers.sh: there are no headers in src" >&2
exit 1
