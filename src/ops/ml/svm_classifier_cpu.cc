// SVMClassifier: attributes read once a session, rows against all vectors at once.
#include "ops/ml/prepared_svm.h"
#include "ops/ml/svm_classifier.h"

namespace sdx::ops {

SDX_CPU_KERNELS(svm_classifier, {.name = "svm_classifier",
                                 .can_run = [](const NodeFacts&) { return yes(); },
                                 .prepare = prepare_svm<svm_classifier_form>,
                                 .run = run_prepared_svm<SvmClassifier>});

}  // namespace sdx::ops
