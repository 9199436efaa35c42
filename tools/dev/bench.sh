# ./dev bench NAME [ARGS]: finds <NAME>_bench.cc and runs its binary, built for release.
# ./dev bench models [ARGS]: whole models beside onnxruntime and OpenVINO (wants ../shared and a zoo in SARDONYX_ZOO).

bench_models() {
  local shared=${SARDONYX_SHARED:-../shared} zoo=${SARDONYX_ZOO:-$cache/zoo}
  [ -f "$shared/bench/peers.py" ] || die "there is no $shared/bench/peers.py"
  [ -d "$zoo" ] || die "there is no folder $zoo: python $shared/zoo/fetch_zoo.py $zoo --set all makes it"
  need_venv
  build release
  say "installing the Python module and openvino into $venv"
  SDX_PREBUILT_LIB=$PWD/build/release/lib/libsardonyx.so \
    "$python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps .
  "$python" -m pip install --quiet --disable-pip-version-check openvino
  "$python" "$shared/bench/peers.py" "$zoo" "$@"
}

bench() {
  [ $# -gt 0 ] || die "bench wants a name, for example: ./dev bench activation/clip"
  local name=$1 file binary
  shift
  if [ "$name" = models ]; then
    bench_models "$@"
    return
  fi
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
