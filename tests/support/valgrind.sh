#!/bin/sh
# The command and the C programs of the examples (in the folder $PROGRAMS) under valgrind, from text to
# rows: no invalid access, nothing uninitialised, nothing left. What the sanitizers do not see is the use
# of values that were never set.
cd "$(dirname "$0")/../.." || exit 2
failed=0
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
under_valgrind() {
  valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
    "$@" >/dev/null 2>"$said"
  case $? in
  0 | 1 | 3) ;; # what the command answers by itself
  *)
    echo "$*"
    cat "$said"
    failed=1
    ;;
  esac
}
check() {
  under_valgrind "$DAEDAL" "$@"
}
check run examples/turning_pendulum.mo --stop 0.2 --points 20 --stats
check run examples/transistor_amplifier.mo --stop 0.002 --json
check run examples/prescribed_motion.mo --stop 0.5 --vars q
check run examples/rc_ladder.mo --set N=30 --stop 1
check init examples/andrews.mo
check check examples/car_axis.mo --json
check check tests/corpus/RollingDisk.mo
check run tests/corpus/ErrPoleDuringRun.mo
check run tests/corpus/ErrInconsistentInitial.mo
check check tests/corpus/ErrStructurallySingular.mo
check run tests/corpus/ErrMissingSemicolon.mo --stats
check init tests/corpus/base/ErrEmptyModel.bmo
check run examples/transistor_amplifier.mo --stop 0.002 --method rodas5p
check run examples/rc_ladder.mo --set N=30 --stop 1 --method dop853 --points 50
check run examples/chemical_akzo_nobel.mo --stop 10 --method esdirk4
check run examples/car_axis.mo --stop 0.1 --method radau --formulation direct
check run examples/linear_index3.mo --method lobatto-iiia3-shifted:rho_inf=0.8 --step 0.05
check run examples/pendulum.mo --stop 0.2 --projection post2
check run examples/pendulum.mo --stop 0.2 --projection least-squares
check run examples/van_der_pol.mo --stop 2 # auto changes the method
check run examples/transistor_amplifier.mo --stop 0.005 --method bdf --points 20
check run examples/pendulum.mo --stop 0.1 --method bdf --formulation direct
check run examples/rc_ladder.mo --set N=30 --stop 1 --method mebdf --points 20
check run examples/linear_index2.mo --stop 1 --method bdf3 --step 0.05
check run examples/pendulum.mo --stop 0.2 --method dcbdf3 --step 0.01
check run examples/pendulum.mo --stop 0.2 --method hedop5
check run examples/pendulum.mo --stop 0.1 --method projected-gauss3
check run examples/chemical_akzo_nobel.mo --stop 2 --method state-space-dopri5
check run examples/chemical_akzo_nobel.mo --stop 2 --method state-space-gauss2
check method dop853 --json
check method mebdf
check method
for form in invariant linear mass residual semi_explicit three_body; do
  under_valgrind "$PROGRAMS/example_$form"
done
exit $failed
