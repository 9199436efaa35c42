# ./dev isa: the operators' tests on processors that this machine is not. The release build runs under qemu-x86_64 as Haswell (AVX2)
# and Nehalem (the baseline), a cross build for 64-bit Arm under qemu-aarch64.

emulators=(qemu-user)
cross_packages=(qemu-user g++-aarch64-linux-gnu googletest)

# Whether the packages are there or can be had; says so where not, and counts as skipped.
can_have() {
  local missing
  missing=$(missing_packages "$@" | tr '\n' ' ')
  [ -z "${missing// /}" ] || (need_packages "$@") || {
    echo "SKIPPED: packages are missing: $missing"
    return 1
  }
}

# isa [x86|arm64]
isa() {
  case ${1:-all} in
    all | x86 | arm64) ;;
    *) die "isa \"$1\" is unknown; it may be x86 or arm64" ;;
  esac
  if [ "${1:-all}" != arm64 ]; then
    if [ "$(uname -m)" = x86_64 ] && can_have "${emulators[@]}"; then
      build_to_test isa
      ctest_phase isa '^isa$'
    else
      add_counts 0 0 1
    fi
  fi
  if [ "${1:-all}" != x86 ]; then
    if can_have "${cross_packages[@]}"; then
      build_to_test arm64
      ctest_phase arm64 '^isa$'
    else
      add_counts 0 0 1
    fi
  fi
  finish
}
