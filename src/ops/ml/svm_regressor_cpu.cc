// SVMRegressor: attributes read once a session, rows against all vectors at once.
#include "ops/ml/prepared_svm.h"
#include "ops/ml/svm_regressor.h"

namespace sdx::ops {

SDX_CPU_KERNELS(svm_regressor, {.name = "svm_regressor",
                                .can_run = [](const NodeFacts&) { return yes(); },
                                .prepare = prepare_svm<svm_regressor_form>,
                                .run = run_prepared_svm<SvmRegressor>});

}  // namespace sdx::ops
