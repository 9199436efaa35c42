# Packages, the Python environment and builds. Sourced by ./dev; the working folder is the root of the tree.

build_packages=(g++ cmake ninja-build ccache lld git binutils python3 python3-venv python3-dev
  libhwy-dev libprotozero-dev libfmt-dev libflatbuffers-dev flatbuffers-compiler libre2-dev libcli11-dev
  libjpeg62-turbo-dev libpng-dev libtiff-dev libwebp-dev libopenjp2-7-dev
  nlohmann-json3-dev zlib1g-dev libspdlog-dev libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev)
lint_packages=(clang-format clang-tidy)
fuzz_packages=(clang libclang-rt-14-dev)
venv=.venv
python=$venv/bin/python
cache=${SARDONYX_CACHE:-.cache}
export SARDONYX_CACHE=$cache

say() { printf '==> %s\n' "$*" >&2; }
die() {
  printf './dev: %s\n' "$*" >&2
  exit 1
}

job_count() { echo "${SARDONYX_JOBS:-$(nproc)}"; }

# Prints the packages among the arguments that are not installed.
missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -vxF "$installed" || true
}

need_packages() {
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -n "${missing// /}" ] || return 0
  local -a root=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || die "packages are missing; run: sudo apt-get install -y $missing"
    root=(sudo)
  fi
  say "installing $missing"
  # shellcheck disable=SC2086
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive sh -c \
    "apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null"
}

need_venv() {
  local stamp=$venv/.requirements
  ! cmp -s requirements.txt "$stamp" || return 0
  need_packages python3 python3-venv
  say "installing requirements.txt into $venv"
  [ -x "$python" ] || python3 -m venv "$venv"
  "$python" -m pip install --quiet --disable-pip-version-check -r requirements.txt
  cp requirements.txt "$stamp"
}

configure() {
  need_packages "${build_packages[@]}"
  [ "$1" != fuzz ] || need_packages "${fuzz_packages[@]}"
  local ninja=build/$1/build.ninja
  if [ ! -f "$ninja" ] || [ CMakePresets.json -nt "$ninja" ]; then cmake --preset "$1" >&2; fi
}

# build PRESET [TARGET...]; says by its status whether it went well, also where `set -e` is off.
build() {
  local preset=$1
  shift
  configure "$preset" || return
  say "building $preset"
  cmake --build "build/$preset" -j "$(job_count)" ${1:+--target "$@"} >&2 || return
  [ "$preset" != dev ] || ln -sfn build/dev/compile_commands.json compile_commands.json
}

doctor() {
  local missing problems=0
  missing=$(missing_packages "${build_packages[@]}" "${lint_packages[@]}" "${fuzz_packages[@]}" | tr '\n' ' ')
  if ! command -v dpkg-query >/dev/null; then
    echo "packages: this is not a Debian system; what is needed: ${build_packages[*]} ${lint_packages[*]} ${fuzz_packages[*]}"
  elif [ -n "${missing// /}" ]; then
    echo "packages: missing; run: sudo apt-get install -y $missing"
    problems=1
  else
    echo "packages: all there"
  fi
  if cmp -s requirements.txt "$venv/.requirements"; then
    echo "Python: $venv matches requirements.txt"
  else
    echo "Python: $venv is missing or old; ./dev test makes it"
    problems=1
  fi
  local level=missing
  if grep -qw sse4_2 /proc/cpuinfo 2>/dev/null || [ "$(uname -m)" = aarch64 ]; then level=there; fi
  echo "CPU: $(uname -m), $(nproc) cores; the baseline (x86-64-v2 on x86) is $level"
  local shared=${SARDONYX_SHARED:-../shared}
  [ -d "$shared" ] && echo "shared data: $shared" || echo "shared data: none at $shared; checks that want it are skipped"
  return "$problems"
}
