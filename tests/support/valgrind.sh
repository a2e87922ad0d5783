#!/bin/sh
# The command and the C programs of the examples (in the folder $PROGRAMS) under valgrind, from text to
# rows: no invalid access, nothing uninitialised, nothing left. What the sanitizers do not see is the use
# of values that were never set. Each row names the exit status that the program answers with. Rows
# that begin with `alike` go through engines, forms and messages of other rows: `make study` runs them
# (THINNED=no).
cd "$(dirname "$0")/../.." || exit 2
failed=0
said=$(mktemp) && rows=$(mktemp) || exit 2
trap 'rm -f "$said" "$rows"' EXIT
under_valgrind() {
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
    "$@" >/dev/null 2>"$said" && return
  echo "$* ended with $?"
  cat "$said"
  failed=1
}
check() {
  echo "$*" >>"$rows"
}
alike() {
  if [ "$THINNED" = no ]; then check "$@"; else left_out=$((left_out + 1)); fi
}
left_out=0
check 0 run examples/turning_pendulum.mo --stop 0.2 --points 20 --stats
check 0 run examples/transistor_amplifier.mo --stop 0.002 --json
alike 0 run examples/prescribed_motion.mo --stop 0.5 --vars q
alike 0 run examples/rc_ladder.mo --set N=30 --stop 1
check 0 init examples/andrews.mo
check 0 check examples/car_axis.mo --json
alike 0 check tests/corpus/RollingDisk.mo
check 1 run tests/corpus/ErrPoleDuringRun.mo
check 3 run tests/corpus/ErrInconsistentInitial.mo
alike 3 check tests/corpus/ErrStructurallySingular.mo
alike 3 run tests/corpus/ErrMissingSemicolon.mo --stats
alike 0 init tests/corpus/base/ErrEmptyModel.bmo
check 0 run examples/transistor_amplifier.mo --stop 0.002 --method rodas5p
alike 0 run examples/rc_ladder.mo --set N=30 --stop 1 --method dop853 --points 50
alike 0 run examples/chemical_akzo_nobel.mo --stop 10 --method esdirk4
check 0 run examples/car_axis.mo --stop 0.1 --method radau --formulation direct
alike 0 run examples/linear_index3.mo --method lobatto-iiia3-shifted:rho_inf=0.8 --step 0.05
alike 0 run examples/pendulum.mo --stop 0.2 --projection post2
alike 0 run examples/pendulum.mo --stop 0.2 --projection least-squares
check 0 run examples/van_der_pol.mo --stop 2 # auto changes the method
check 0 run examples/transistor_amplifier.mo --stop 0.005 --method bdf --points 20
alike 0 run examples/pendulum.mo --stop 0.1 --method bdf --formulation direct
check 0 run examples/rc_ladder.mo --set N=30 --stop 1 --method mebdf --points 20
alike 0 run examples/linear_index2.mo --stop 1 --method bdf3 --step 0.05
check 0 run examples/pendulum.mo --stop 0.2 --method dcbdf3 --step 0.01
check 0 run examples/pendulum.mo --stop 0.2 --method hedop5
check 0 run examples/pendulum.mo --stop 0.1 --method projected-gauss3
alike 0 run examples/chemical_akzo_nobel.mo --stop 2 --method state-space-dopri5
alike 0 run examples/chemical_akzo_nobel.mo --stop 2 --method state-space-gauss2
alike 0 method dop853 --json
alike 0 method mebdf
alike 0 method
under_valgrind "$COMMANDS" "$rows" # in one process: valgrind takes a second to start, and translates the code once
for form in residual three_body; do
  under_valgrind "$PROGRAMS/example_$form"
done
for form in invariant linear mass semi_explicit; do
  if [ "$THINNED" = no ]; then under_valgrind "$PROGRAMS/example_$form"; else left_out=$((left_out + 1)); fi
done
[ $left_out -eq 0 ] || echo "$left_out programs left out: alike those that were run"
exit $failed
