#include "cli/explain_page.h"

namespace sdx::cli {
namespace {

constexpr const char* kHead = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>sardonyx explain</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; max-width: 80rem; color: #222; background: #fff }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } th { text-align: left; cursor: pointer }
th, td { padding: .2rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; overflow-wrap: anywhere }
input { width: 24rem; padding: .3rem } .bar { background: #4a7bb7; height: .8rem } .none { color: #888 }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } th, td { border-color: #444 } }
</style></head><body><h1 id="title"></h1><p id="summary"></p>
<h2>Memory</h2><div id="memory"></div>
<h2>Kernels</h2><table id="kernels"></table>
<h2>Nodes by provider</h2><p><input placeholder="search" data-table="placements"></p><table id="placements"></table>
<h2>Passes</h2><table id="passes"></table>
<h2>Rewrites</h2><p><input placeholder="search" data-table="rewrites"></p><table id="rewrites"></table>
<h2>Nearly rewritten</h2><p><input placeholder="search" data-table="declined"></p><table id="declined"></table>
<h2>Steps</h2><p><input placeholder="search" data-table="steps"></p><table id="steps"></table>
<h2>Assumptions</h2><table id="assumptions"></table>
<script id="report" type="application/json">)html";

constexpr const char* kTail = R"html(</script>
<script>
const report = JSON.parse(document.getElementById('report').textContent);
const cell = (row, tag, content) => {
  const made = row.appendChild(document.createElement(tag));
  if (content instanceof Node) made.append(content); else made.textContent = content;
};
function table(id, columns, rows) {
  const element = document.getElementById(id);
  if (rows.length === 0) { element.outerHTML = '<p class="none">none</p>'; return; }
  const head = element.createTHead().insertRow();
  const body = element.createTBody();
  columns.forEach((column, index) => {
    cell(head, 'th', column);
    head.lastChild.onclick = () => {
      const order = [...body.rows].sort((a, b) => a.cells[index].textContent.localeCompare(
          b.cells[index].textContent, undefined, {numeric: true}));
      if (order[0] === body.rows[0]) order.reverse();
      body.append(...order);
    };
  });
  for (const row of rows) { const made = body.insertRow(); for (const content of row) cell(made, 'td', content); }
}
document.querySelectorAll('input').forEach(input => input.oninput = () => {
  const wanted = input.value.toLowerCase();
  for (const row of document.querySelectorAll('#' + input.dataset.table + ' tbody tr'))
    row.hidden = !row.textContent.toLowerCase().includes(wanted);
});
document.getElementById('title').textContent = report.model;
const s = report.statistics;
document.getElementById('summary').textContent =
    `${s.steps} steps: ${s.planned} planned, ${s.views} views, ${s.dynamic} found while they run; ${s.stages} stages; ` +
    `${report.rewrites.length} rewrites; ${report.providers.join(', ')}; ${report.copies} copies between memories`;
const memory = document.getElementById('memory');
memory.append(report.memory.formula + ' bytes');
if (report.memory.bytes) {
  const bytes = report.memory.bytes, list = document.createElement('table');
  memory.append(list);
  for (const [name, size] of Object.entries(bytes)) {
    const row = list.insertRow(), bar = document.createElement('div');
    bar.className = 'bar';
    bar.style.width = (100 * size / Math.max(bytes.total, 1)) + '%';
    cell(row, 'td', name); cell(row, 'td', (size / 1e6).toFixed(2) + ' MB'); cell(row, 'td', bar);
    row.lastChild.style.width = '60%';
  }
}
const kernels = {};
for (const step of report.steps) kernels[step.kernel] = (kernels[step.kernel] || 0) + 1;
table('kernels', ['kernel', 'steps'], Object.entries(kernels).sort((a, b) => b[1] - a[1]));
table('placements', ['#', 'node', 'provider', 'group', 'why no other', 'nodes of the model'],
      report.placements.map((p, i) => [i + 1, p.node, p.provider, p.group === undefined ? '' : p.group,
          p.refused.map(r => r.provider + ': ' + r.reason).join('; '), p.origins.join(', ')]));
table('passes', ['pass', 'level', 'exactness', 'rewrites', 'ms', 'what it does'],
      report.passes.map(p => [p.pass, p.level, p.exactness, p.ran === 'yes' ? p.rewrites : 'did not run',
                              p.microseconds / 1000, p.sentence]));
table('rewrites', ['#', 'pass', 'what', 'nodes of the model'],
      report.rewrites.map((r, i) => [i + 1, r.pass, r.what, r.origins.join(', ')]));
table('declined', ['pass', 'node', 'reason'], report.declined.map(d => [d.pass, d.node, d.reason]));
table('steps', ['#', 'node', 'provider', 'mode', 'kernel', 'why no other', 'outputs', 'nodes of the model'],
      report.steps.map((step, i) => [i + 1, step.node, step.provider, step.mode, step.kernel,
          (step.refused || []).map(r => r.kernel + ': ' + r.reason).join('; '),
          step.outputs.map(o => o.name + ' ' + o.fact).join(', '), step.origins.join(', ')]));
table('assumptions', ['kind', 'what'], report.assumptions.map(a => [a.kind,
      a.kind === 'symbol' ? a.symbol + ' is one size: ' + a.places.join(', ') : a.kind === 'declared' ?
      `${a.value} is declared ${a.declared}, inferred ${a.inferred}` : a.node + ': ' + a.condition]));
</script></body></html>
)html";

}  // namespace

std::string explain_page(std::string json) {
  // Within a script element only "</" ends it, and JSON may spell the slash apart.
  for (size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) json.replace(at, 2, "<\\/");
  return kHead + json + kTail;
}

}  // namespace sdx::cli
