# ./dev lint and ./dev format.

code_patterns=('src/*.cc' 'src/*.h' 'include/*.h' 'include/*.hpp' 'examples/*.cc' 'python/*.cc' 'tests/*.cc' 'tests/*.h'
  'tools/*.cc' 'bench/*.cc')
format_exempt='^include/onnxruntime_c_api\.h$'

# Prints the C++ files that differ from main (or from the last commit, on main itself); all of them with --all.
code_files() {
  local base
  if [ "${1:-}" = --all ]; then
    git ls-files --cached --others --exclude-standard -- "${code_patterns[@]}"
  else
    base=$(git merge-base HEAD main 2>/dev/null || true)
    if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
      base=$(git rev-parse -q --verify HEAD~1 || git hash-object -t tree /dev/null)
    fi
    git diff --name-only --diff-filter=d "$base" -- "${code_patterns[@]}"
    git ls-files --others --exclude-standard -- "${code_patterns[@]}"
  fi | sort -u | grep -vE "$format_exempt" | while read -r file; do [ ! -f "$file" ] || echo "$file"; done
}

format() {
  need_packages "${lint_packages[@]}"
  code_files "$@" | xargs -r clang-format -i
}

lint() {
  need_packages "${lint_packages[@]}"
  local bad=0 library files
  check() {
    say "$1"
    shift
    "$@" || bad=1
  }
  check "lengths" python3 tools/lint/check_lengths.py
  check "includes" python3 tools/lint/check_includes.py
  check "docs/c_api.md" python3 tools/gen_c_api_doc.py --check
  [ ! -x build/dev/bin/sardonyx ] || check "docs/operators.md" python3 tools/gen_operators_doc.py --check
  for library in build/{dev,release}/lib/lib{sardonyx.so.0,onnxruntime.so.1}; do
    [ -f "$library" ] || continue
    check "$library: needs and exports" python3 tools/lint/check_needed.py "$library"
    check "$library: size" python3 tools/lint/check_size.py "$library"
    check "$library: static constructors" python3 tools/lint/check_static_constructors.py "$library"
    [[ $library == *onnxruntime* ]] || # the same objects
      check "$library: wide instructions" python3 tools/lint/check_wide_instructions.py "$library"
  done
  files=$(code_files "$@" || true)
  if [ -n "$files" ]; then
    # shellcheck disable=SC2086
    check "clang-format" clang-format --dry-run -Werror $files
    check "clang-tidy" tidy "${1:-}" "$files"
  fi
  [ "$bad" -eq 0 ] || die "lint found problems"
}

# Only files with a compile command that are no tests; headers are read through them. A file takes some seconds, so that
# without --all a large change is looked at in part.
tidy_limit=40

# tidy WHICH FILES
tidy() {
  [ -f build/dev/compile_commands.json ] || configure dev
  local known files
  known=$(grep -oE '"file": "[^"]+"' build/dev/compile_commands.json | cut -d'"' -f4 | sed "s|^$PWD/||" | sort -u)
  files=$(comm -12 <(sort -u <<<"$2") <(echo "$known") | grep -vE '_(test|bench|fuzz)\.cc$|(^|/)testing/' || true)
  if [ "$1" != --all ] && [ "$(wc -l <<<"$files")" -gt "$tidy_limit" ]; then
    say "clang-tidy: the first $tidy_limit of $(wc -l <<<"$files") files; ./dev lint --all takes them all"
    files=$(head -n "$tidy_limit" <<<"$files")
  fi
  [ -z "$files" ] || xargs -P "$(job_count)" -n 4 clang-tidy --quiet -p build/dev --extra-arg=-Wno-unknown-warning-option <<<"$files" 2> >(
      grep -vE 'warnings? (generated|treated)|Suppressed|Use -header-filter|^$' >&2)
}
