# ./dev bench NAME [ARGS]: finds <NAME>_bench.cc and runs its binary, built for release.
# ./dev bench models [ARGS]: whole models beside onnxruntime and OpenVINO (wants ../shared and a zoo in SARDONYX_ZOO).
# ./dev bench --choices [ARGS]: each way to compute each convolution of a zoo beside the cost model's pick (tools/bench_choices.py).
# ./dev bench convolutions [ARGS]: a model's 3x3 convolutions inside its runs, over the processor's peak (tools/bench_convolutions.py).
# ./dev bench operators [ARGS]: single operators beside onnxruntime (tools/bench_operators.py says which ARGS).
# ./dev bench shapes [ARGS]: single convolutions beside onnxruntime and OpenVINO (tools/bench_shapes.py says which ARGS).
# ./dev bench --against REV [ARGS]: this tree beside that revision, interleaved (tools/bench_against.py says which ARGS).

# The Python module over a library, as a folder that PYTHONPATH may name.
module_into() {
  local folder=$1 source=$2 interpreter=$PWD/$python
  rm -rf "$folder"
  (cd "$source" && SDX_PREBUILT_LIB=$source/build/release/lib/libsardonyx.so \
    "$interpreter" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --target "$folder" .)
}

bench_against() {
  [ $# -gt 0 ] || die "bench --against wants a revision, for example: ./dev bench --against main"
  local shared=${SARDONYX_SHARED:-../shared} zoo=${SARDONYX_ZOO:-$cache/zoo} revision old
  revision=$(git rev-parse --verify --quiet "$1^{commit}") || die "there is no revision $1"
  shift
  [ -f "$shared/bench/peers.py" ] || die "there is no $shared/bench/peers.py"
  [ -d "$zoo" ] || die "there is no folder $zoo: python $shared/zoo/fetch_zoo.py $zoo --set all makes it"
  need_venv
  mkdir -p "$cache/against"
  old=$(cd "$cache/against" && pwd)/$revision
  git worktree prune
  [ -d "$old" ] || git worktree add --quiet --detach "$old" "$revision"
  say "building $revision in $old"
  (cd "$old" && cmake --preset release >/dev/null && ninja -C build/release sardonyx)
  build release sardonyx
  module_into "$old/module" "$old"
  module_into "$cache/against/here" "$PWD"
  "$python" tools/bench_against.py "$cache/against/here" "$old/module" "$zoo" --shared "$shared" "$@"
}

# The module over the release build, and openvino, into the virtual environment.
install_engines() {
  need_venv
  build release
  say "installing the Python module and openvino into $venv"
  SDX_PREBUILT_LIB=$PWD/build/release/lib/libsardonyx.so \
    "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .
  "$python" -m pip install --quiet --disable-pip-version-check openvino
}

bench_models() {
  local shared=${SARDONYX_SHARED:-../shared} zoo=${SARDONYX_ZOO:-$cache/zoo}
  [ -f "$shared/bench/peers.py" ] || die "there is no $shared/bench/peers.py"
  [ -d "$zoo" ] || die "there is no folder $zoo: python $shared/zoo/fetch_zoo.py $zoo --set all makes it"
  install_engines
  "$python" "$shared/bench/peers.py" "$zoo" "$@"
}

# bench_zoo SCRIPT [ARGS]: over the zoo's models, fetched where they are missing; --zoo names another folder of them.
bench_zoo() {
  local script=$1 shared=${SARDONYX_SHARED:-../shared} zoo=${SARDONYX_ZOO:-$cache/zoo}
  shift
  if [ "${1:-}" = --zoo ]; then
    [ $# -gt 1 ] || die "--zoo wants a folder"
    zoo=$2
    shift 2
  fi
  [ -f "$shared/zoo/fetch_zoo.py" ] || die "there is no $shared/zoo/fetch_zoo.py"
  need_venv
  [ -d "$zoo" ] || "$python" "$shared/zoo/fetch_zoo.py" "$zoo" --set all
  build release bench_ops_conv sardonyx sardonyx_cli
  "$python" "tools/$script.py" "$zoo" --shared "$shared" "$@"
}

bench() {
  [ $# -gt 0 ] || die "bench wants a name, for example: ./dev bench activation/clip"
  local name=$1
  shift
  case $name in
    --against) bench_against "$@" ;;
    models) bench_models "$@" ;;
    --choices) bench_zoo bench_choices "$@" ;;
    convolutions) bench_zoo bench_convolutions "$@" ;;
    operators | shapes)
      install_engines
      "$python" "tools/bench_$name.py" "$@"
      ;;
    *) bench_program "$name" "$@" ;;
  esac
}

bench_program() {
  local name=$1 file binary
  shift
  file=$(find src -path "*/${name}_bench.cc" | head -n 1)
  [ -n "$file" ] || die "there is no ${name}_bench.cc under src"
  # src/ops/activation/clip_bench.cc -> bench_ops_activation; src/base/pool_bench.cc -> bench_base
  local folder
  folder=$(dirname "${file#src/}")
  case $folder in
    ops/* | providers/*) binary=bench_${folder//\//_} ;;
    *) binary=bench_${folder%%/*} ;;
  esac
  build release "$binary"
  "build/release/bin/$binary" "$@"
}
