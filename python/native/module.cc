// The extension module sardonyx._native: what the Python files of the package are written over.

#include "numpy_arrays.h"

namespace sardonyx::python {
namespace {

std::vector<std::string> available_providers() {
  char** names = nullptr;
  int count = 0;
  check(ort_api().GetAvailableProviders(&names, &count));
  std::vector<std::string> list(names, names + count);
  check(ort_api().ReleaseAvailableProviders(names, count));
  return list;
}

void set_types(nb::object module) {
  Types& known = types();
  known.ndarray = module.attr("ndarray");
  known.code_of_dtype = module.attr("CODE_OF_DTYPE");
  known.dtype_of_code = module.attr("DTYPE_OF_CODE");
  known.prepare_array = module.attr("prepare_array");
  known.array_of_list = module.attr("array_of_list");
  known.object_array = module.attr("object_array");
  find_numpy();
}

}  // namespace

Types& types() {
  static Types& known = *new Types();
  return known;
}

}  // namespace sardonyx::python

NB_MODULE(_native, m) {
  using namespace sardonyx::python;
  nb::set_leak_warnings(false);  // the tables above live as long as the process
  bind_errors(m);
  bind_environment(m);
  bind_values(m);
  bind_devices(m);
  bind_options(m);
  bind_session(m);
  m.def("set_types", set_types);
  m.def("set_value_class", [](nb::object value_class) { types().value_class = std::move(value_class); });
  m.def("available_providers", available_providers);
  m.def("api_version", [] { return std::string(OrtGetApiBase()->GetVersionString()); });
  m.def("product_version", [] { return sardonyx::version(); });
  m.def("build_info", [] { return std::string(sardonyx::ort_api().GetBuildInfoString()); });
  m.def("inspect", [](const std::string& path) { return sardonyx::inspect(path); });
  m.def("dump_graph", [](const std::string& path) { return sardonyx::dump_graph(path); });
  m.def("knobs", [] { return sardonyx::knobs(); });
  m.def("passes", [] { return sardonyx::passes(); });
  m.def("operators", [] { return sardonyx::operators(); });
}
