# ./dev test, ./dev conformance and ./dev zoo. Every phase adds to three sums; the last line printed is the sum of all.

passed=0 failed=0 skipped=0

# Adds "P F S".
add_counts() {
  passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}

# ctest_phase PRESET LABELS
ctest_phase() {
  local preset=$1 labels=$2 reports=build/$1/test_reports
  say "ctest $preset ($labels)"
  rm -rf "$reports"
  mkdir -p "$reports"
  ctest --test-dir "build/$preset" -j "$(job_count)" -L "$labels" --output-on-failure --no-tests=ignore \
    --output-junit "$PWD/$reports/ctest.xml" || true
  add_counts $(python3 tools/count_tests.py ctest "$reports")
}

# Installs the module over the library of build/dev, so that the engine is compiled once, and tests it (not for "install").
python_phase() {
  say "installing the Python module into $venv"
  if ! SDX_PREBUILT_LIB=$PWD/build/dev/lib/libsardonyx.so \
    "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .; then
    echo "the Python module could not be installed"
    add_counts 0 1 0
    return 0
  fi
  [ "${1:-}" != install ] || return 0
  say "pytest"
  local report=build/dev/test_reports/pytest.xml
  "$python" -m pytest -q tests/python --junitxml="$report" || true
  add_counts $(python3 tools/count_tests.py pytest "$report")
}

# script_phase SCRIPT [ARGS]: its last line is "N passed, N failed[, N skipped]".
script_phase() {
  local script=$1 output rc=0 counts
  shift
  [ -f "$script" ] || return 0
  say "$script $*"
  output=$(mktemp)
  "$python" "$script" "$@" 2>&1 | tee "$output" || rc=$?
  counts=$(python3 tools/count_tests.py script "$output" "$rc")
  rm -f "$output"
  add_counts $counts
}

conformance() {
  need_venv
  build_to_test dev sardonyx_cli
  local results=build/dev/test_reports/conformance.json
  mkdir -p build/dev/test_reports
  script_phase tests/onnx_backend/run.py --json "$results" "$@"
  [ $# -gt 0 ] || "$python" tools/gen_conformance_doc.py "$results"
  finish
}

# zoo [bits|bytes|shapes|memory|double|errors|references|reorders] [ARGS]: whole models beside onnxruntime, beside themselves with other threads and batches, how
# many of their shapes are symbolic, how many bytes they write beside onnxruntime, what they need in memory against what was foreseen, or beside a run in double precision. Not a part of ./dev test: the models are fetched from PyPI.
zoo() {
  local script=run
  case ${1:-} in
    bits) script=same_bits && shift ;;
    bytes) script=bytes_written && shift ;;
    shapes) script=symbolic_share && shift ;;
    memory) script=memory && shift ;;
    double) script=double && shift ;;
    errors) script=errors && shift ;;
    references) script=reference_share && shift ;;
    reorders) script=reorders && shift ;;
  esac
  need_venv
  "$python" -m pip install --quiet --disable-pip-version-check -r requirements-zoo.txt
  build_to_test dev sardonyx export_tool memory_tool
  python_phase install
  script_phase "tests/zoo/$script.py" "$@"
  [ $# -gt 0 ] || [ $script != run ] || script_phase tests/export/run.py --groups zoo,parts
  [ $# -gt 0 ] || [ $script != run ] || script_phase tests/export/saved.py
  finish
}

# sweep [ARGS]: random cases of every operator, 500 each unless the arguments say otherwise.
sweep() {
  need_venv
  build_to_test dev sardonyx sardonyx_image sardonyx_regex
  python_phase install
  script_phase tests/sweep/run.py --cases 500 "$@"
  finish
}

# contrib [ARGS]: the com.microsoft operators beside onnxruntime, over random shapes and attributes.
contrib() {
  need_venv
  build_to_test dev sardonyx
  python_phase install
  script_phase tests/contrib/against_onnxruntime.py "$@"
  finish
}

# clients [NAME...] [--quick]: programs of others on onnxruntime and on Sardonyx. All of them take 8 GB of packages (silero-vad brings
# torch); ./dev test has the quick ones, which share one environment of 300 MB.
clients() {
  need_venv
  build_to_test dev sardonyx sardonyx_image sardonyx_regex
  python_phase install
  script_phase tests/clients/run.py "$@"
  finish
}

# exporters [--write] [ARGS]: models made anew by the frameworks' exporters, and what the frameworks answer. Not a part of ./dev test, which
# runs those that are checked in: the frameworks are 7 GB of packages.
exporters() {
  local folder=$cache/exporters
  local models=$folder/models stamp=$folder/venv/.requirements
  [ "${1:-}" != --write ] || models=tests/data/exporters
  need_venv
  build_to_test dev
  python_phase install
  if ! cmp -s tests/exporters/requirements.txt "$stamp"; then
    say "installing tests/exporters/requirements.txt into $folder/venv"
    mkdir -p "$folder"
    python3 -m venv "$folder/venv"
    "$folder/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r tests/exporters/requirements.txt
    cp tests/exporters/requirements.txt "$stamp"
  fi
  python=$folder/venv/bin/python script_phase tests/exporters/make.py "$@"
  script_phase tests/exporters/run.py "$models"
  finish
}

finish() {
  local rest=
  [ "$skipped" -eq 0 ] || rest=", $skipped skipped"
  echo "$passed passed, $failed failed$rest"
  [ "$failed" -eq 0 ]
}

# build_to_test PRESET [TARGET...]: a build that fails is one failure, and the end.
build_to_test() {
  build "$@" && return 0
  add_counts 0 1 0
  finish || exit 1
}

run_tests() {
  case ${1:-default} in
    fast)
      build_to_test dev
      ctest_phase dev '^fast$'
      ;;
    asan | tsan)
      build_to_test "$1"
      export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
      ctest_phase "$1" '^(fast|fuzz-smoke)$'
      ;;
    fuzz)
      build_to_test fuzz
      ctest_phase fuzz '^fuzz-smoke$'
      ;;
    default | --all)
      local labels='^fast$'
      [ "${1:-}" != --all ] || labels='^(fast|slow|models)$'
      need_venv
      build_to_test dev
      ctest_phase dev "$labels"
      python_phase
      script_phase tests/onnx_backend/run.py
      script_phase tests/sweep/forbidden.py
      script_phase tests/exporters/run.py
      script_phase tests/clients/run.py --quick
      script_phase tests/contrib/against_onnxruntime.py --count 40
      script_phase tests/passes/planted.py
      script_phase tests/passes/forms.py
      if [ "${1:-}" = --all ]; then
        script_phase tests/passes/random_graphs.py --all
        script_phase tests/onnx_backend/versions.py --all
        script_phase tests/onnx_backend/changed.py --all
        script_phase tests/export/run.py --groups cases,opsets,later
        script_phase tests/export/saved.py
        script_phase tests/sweep/run.py --cases 500
        script_phase tests/sweep/kernels.py
      else
        script_phase tests/passes/random_graphs.py
        script_phase tests/onnx_backend/versions.py
        script_phase tests/onnx_backend/changed.py
        script_phase tests/export/run.py
        script_phase tests/export/saved.py --quick
        script_phase tests/sweep/run.py
      fi
      ;;
    *) die "test \"$1\" is unknown; it may be --all, fast, asan, tsan or fuzz" ;;
  esac
  finish
}
