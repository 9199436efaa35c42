# ./dev bench NAME [ARGS]: finds <NAME>_bench.cc and runs its binary, built for release.

bench() {
  [ $# -gt 0 ] || die "bench wants a name, for example: ./dev bench activation/clip"
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
