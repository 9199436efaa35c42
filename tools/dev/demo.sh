# ./dev demo: names the types of a few files with Magika's published model, run by Sardonyx.

magika_version=1.0.3
magika_model=standard_v3_3

fetch_magika() {
  local folder=$cache/magika-$magika_version
  if [ ! -f "$folder/model.onnx" ]; then
    say "fetching the model (magika $magika_version from PyPI)"
    mkdir -p "$folder"
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      --dest "$folder" "magika==$magika_version" >&2
    "$python" tools/unzip_flat.py "$folder"/magika-*.whl "magika/models/$magika_model/" "$folder" >&2
  fi
  echo "$folder"
}

demo() {
  local folder
  need_venv
  folder=$(fetch_magika)
  [ -f examples/demo_filetype.cc ] || die "examples/demo_filetype.cc is not there yet"
  build dev demo_filetype
  local -a files=("$@")
  [ $# -gt 0 ] || files=(README.md dev CMakeLists.txt CMakePresets.json tools/fuzz/replay_main.cc
    tools/count_tests.py "$folder/model.onnx" build/dev/bin/demo_filetype)
  build/dev/bin/demo_filetype "$folder" "${files[@]}"
}
