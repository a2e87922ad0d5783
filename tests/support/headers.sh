#!/bin/sh
# Whether each internal header compiles alone, as C17 and without a warning: it includes what it needs, and
# may be included twice. What a file of the same name includes before all else, the build has compiled alone.
# The compiler is $CC.
cd "$(dirname "$0")/../../src" || exit 2
failed=0
count=$(printf '%s\n' */*.h | wc -l)
# Those that are not guarded, or that no file of the same name includes first.
rest=$(awk 'FNR == 1 { include = sign = 0; seen[FILENAME] }
  /^#include/ && ++include == 1 && FILENAME ~ /[.]c$/ {
    header = FILENAME; sub(/c$/, "h", header)
    if ($2 == "\"" header "\"") own[header]
  }
  /^#/ && ++sign <= 2 && /^#define .*_H$/ { guarded[FILENAME] }
  END { for (name in seen) if (name ~ /[.]h$/ && !(name in guarded && name in own)) print name }' */*.c */*.h)
for header in $rest; do
  printf '#include "%s"\n#include "%s"\nint main(void);\n' "$header" "$header" |
    "${CC:-cc}" -std=c17 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Wundef -Wstrict-prototypes -Werror \
      -fsyntax-only -I . -I ../include -x c - || { echo "$header does not compile alone" >&2; failed=1; }
done
first=$((count - $(printf '%s\n' $rest | wc -l)))
echo "$count headers, $first of them compiled alone by the build"
[ "$count" -gt 0 ] && exit "$failed"
echo "headers.sh: there are no headers in src" >&2
exit 1
