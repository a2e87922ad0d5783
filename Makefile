# A thin front of the CMake presets: each target sets up what it needs.
.PHONY: all check check-method coverage demo install study test-set tidy mechanisms formulations chain
.PHONY: mutants random realistic clean

all: setup
	cmake --preset release
	cmake --build --preset release

# Build the command and solve the examples, with pictures in build/demo.
demo: all
	tools/demo

# All tests: gcc and clang with warnings as errors, the sanitizers, format and floors.
check: setup
	tools/check

# What is known of one method, and its tests: make check-method NAME=rk4
check-method: setup
	tools/check-method "$(NAME)"

# Which lines of src/ the quick tests run, by folder.
coverage: setup
	tools/coverage

# Whether the quick tests notice small mistakes in the lines of src/ that changed since a commit; hours:
# make mutants SINCE=HEAD~20 MUTANTS=200
SINCE = HEAD~1
MUTANTS = 20
mutants: setup
	tools/mutants --since $(SINCE) --count $(MUTANTS) --seed $(SEED)

# What clang-tidy finds, by the list in .clang-tidy; minutes.
tidy: setup
	tools/tidy

# Studies that take long: the same programs that `check` runs shortened.
study: all
	tools/study

# The Test Set for IVP Solvers by all methods that suit, as one table. Takes minutes.
test-set: all
	cmake --build build --target test_set >/dev/null
	build/test_set

# The experiments on mechanisms as tables, with pictures in build/mechanism_pictures.
mechanisms: all
	cmake --build build --target mechanisms >/dev/null
	mkdir -p build/mechanism_pictures
	build/mechanisms build/mechanism_pictures

# Every formulation of mechanical systems by every method, on the multibody benchmarks; minutes.
formulations: all
	cmake --build build --target formulations >/dev/null
	build/formulations

# What a chain of N links costs, N = 10 ... 10,000.
chain: all
	cmake --build build --target chain >/dev/null
	build/chain

# Random DAEs of known solution: make random SEED=7 COUNT=2000
SEED = 1
COUNT = 100000
random: all
	cmake --build build --target random >/dev/null
	build/random --seed $(SEED) --count $(COUNT)

# Random switched systems of known solution: make switched SEED=7 COUNT=2000
switched: all
	cmake --build build --target switched >/dev/null
	build/switched --seed $(SEED) --count $(COUNT)

# Realistic models against independent references: families by methods and tolerances. Takes long.
realistic: all
	DAEDAL=build/daedal PYTHONDONTWRITEBYTECODE=1 python3 tests/realistic/realistic.py --full

install: all
	cmake --install build

.PHONY: setup
setup:
	tools/setup

clean:
	rm -rf build build-dev build-clang build-asan build-tsan build-coverage build-mutants
