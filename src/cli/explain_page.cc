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
th { white-space: nowrap } td:has(.bar) { min-width: 6rem }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
details { margin: .5rem 0 } summary { cursor: pointer } code { overflow-wrap: anywhere; font-size: 12px }
svg { width: 100%; height: 14rem; background: #8881; display: block } svg path { fill: #4a7bb7 } rect { fill: transparent }
rect:hover { fill: #d953 } .note { color: #777 }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } th, td { border-color: #444 } }
</style></head><body><h1 id="title"></h1><p id="summary"></p>
<h2>Memory</h2><div id="memory"></div>
<h2>Where time is expected to go</h2><p class="note" id="cost"></p><table id="costs"></table>
<h2>Kernels</h2><table id="kernels"></table>
<h2>Layout</h2><p id="layout"></p><table id="regions"></table><details><summary>reorders</summary><table id="reorders"></table></details>
<h2>Nodes by provider</h2><p class="note">none where the CPU is alone</p><p><input placeholder="search" data-table="placements"></p><table id="placements"></table>
<h2>Passes</h2><table id="passes"></table><p class="note" id="idle"></p>
<h2>Rewrites</h2><table id="kinds"></table>
<details><summary>each of them</summary><p><input placeholder="search" data-table="rewrites"></p><table id="rewrites"></table></details>
<h2>Nearly rewritten</h2><p class="note">what concerns the costliest nodes first</p>
<p><input placeholder="search" data-table="declined"></p><table id="declined"></table>
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
  rows[0].forEach((content, index) => {
    if (/^[\d.,]+( %)?$/.test(content)) head.cells[index].className = 'number';
  });
  for (const row of rows) {
    const made = body.insertRow();
    for (const content of row) {
      cell(made, 'td', content);
      if (/^[\d.,]+( %)?$/.test(made.lastChild.textContent)) made.lastChild.className = 'number';
    }
  }
}
const few = (names, most = 6) => names.slice(0, most).join(', ') + (names.length > most ? ` and ${names.length - most} more` : '');
const megabytes = bytes => (bytes / 1e6).toFixed(bytes < 1e5 ? 3 : 2);
function bar(share) {
  const made = document.createElement('div');
  made.className = 'bar';
  made.style.width = 100 * share + '%';
  return made;
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
// What each step costs, were it done at 100 GFLOP/s and 20 GB/s: only the shares mean something.
const main = report.steps.filter(step => step.graph === undefined), schedule = report.memory.schedule;
main.forEach((step, i) => {
  const at = schedule ? schedule[i] : undefined;
  step.cost = at && step.mode !== 'view' ? 1e-6 + Math.max(at.operations / 1e11, at.moved / 2e10) : 0;
  step.at = at;
});
const total = Math.max(main.reduce((sum, step) => sum + step.cost, 0), 1e-12);
const dearest = Math.max(...main.map(step => step.cost), 1e-12);
const percent = cost => (100 * cost / total).toFixed(1) + ' %';
const assumed = Object.entries(report.memory.assumed || {}).map(([name, size]) => `${name} = ${size}`).join(', ');
const sizes = assumed ? ` With ${assumed}, which nobody said: --symbol NAME=NUMBER does.` : '';

const memory = document.getElementById('memory');
if (report.memory.bytes) {
  const bytes = report.memory.bytes, list = document.createElement('table');
  memory.append(list);
  for (const [name, size] of Object.entries(bytes)) {
    const row = list.insertRow();
    cell(row, 'td', name.replace('_', ' ')); cell(row, 'td', megabytes(size) + ' MB'); cell(row, 'td', bar(size / Math.max(bytes.total, 1)));
    row.cells[1].className = 'number'; row.cells[2].style.width = '70%';
  }
}
function plot() {
  const most = Math.max(...schedule.map(at => at.arena), 1), top = at => 104 - 100 * at.arena / most;
  const line = schedule.map((at, i) => `L${i} ${top(at)}H${i + 1}`).join('');
  const box = document.createElement('div');
  box.innerHTML = `<svg viewBox="0 0 ${schedule.length} 104" preserveAspectRatio="none"><path d="M0 104${line}V104Z"/>` +
      schedule.map((at, i) => `<rect x="${i}" y="0" width="1" height="104"><title></title></rect>`).join('') + '</svg>';
  box.querySelectorAll('title').forEach((title, i) => {
    title.textContent = `${i + 1}: ${main[i].node}, ${megabytes(schedule[i].arena)} MB`;
  });
  const peak = schedule.findIndex(at => at.arena === most), said = document.createElement('p');
  said.textContent = peak < 0 ? 'No step needs the arena.' :
      `The arena over the ${schedule.length} steps: ${megabytes(most)} MB at most, first at step ${peak + 1}, ${main[peak].node}.` + sizes;
  memory.append(said, box);
}
if (schedule && schedule.length === main.length) plot();
const formula = memory.appendChild(document.createElement('details'));
formula.innerHTML = '<summary>formula</summary><code></code>';
formula.querySelector('code').textContent = report.memory.formula + ' bytes';

document.getElementById('cost').textContent = !schedule ? 'Sizes are not known: --symbol NAME=NUMBER gives them.' :
    'As if products ran at 100 GFLOP/s and everything else at 20 GB/s: a guess to begin with; sardonyx run --profile measures.' + sizes;
table('costs', ['#', 'node', 'kernel', 'share', '', 'million operations', 'MB moved', 'nodes of the model'],
      main.map((step, i) => [step, i]).filter(([step]) => step.cost > 0).sort((a, b) => b[0].cost - a[0].cost).slice(0, 20)
          .map(([step, i]) => [i + 1, step.node, step.kernel, percent(step.cost), bar(step.cost / dearest),
                               (step.at.operations / 1e6).toFixed(1), megabytes(step.at.moved), few(step.origins, 3)]));
const kernels = {};
for (const step of report.steps) {
  const kernel = kernels[step.kernel] ||= {steps: 0, cost: 0};
  kernel.steps += 1; kernel.cost += step.cost || 0;
}
table('kernels', ['kernel', 'steps', 'expected share'], Object.entries(kernels)
      .sort((a, b) => b[1].cost - a[1].cost || b[1].steps - a[1].steps).map(([name, k]) => [name, k.steps, percent(k.cost)]));
const layout = report.layout;
document.getElementById('layout').textContent = `${layout.regions.length} region(s) of blocked channels, ` +
    `${layout.plain_convolutions} convolutions over plain ones, ${layout.reorders.length} reorders between them`;
table('regions', ['first node', 'last node', 'nodes', 'convolutions'],
      layout.regions.map(r => [r.first, r.last, r.nodes, r.convolutions]));
table('reorders', ['node', 'to', 'of', 'MB'],
      layout.reorders.map(r => [r.node, r.channels_last ? 'channels last' : r.to, r.fact, r.bytes === null ? '' : megabytes(r.bytes)]));
table('placements', ['#', 'node', 'provider', 'group', 'why no other', 'nodes of the model'],
      report.placements.map((p, i) => [i + 1, p.node, p.provider, p.group === undefined ? '' : p.group,
          p.refused.map(r => r.provider + ': ' + r.reason).join('; '), p.origins.join(', ')]));
const busy = report.passes.filter(p => p.rewrites > 0);
table('passes', ['pass', 'level', 'exactness', 'rewrites', 'ms', 'what it does'],
      busy.map(p => [p.pass, p.level, p.exactness, p.rewrites, p.microseconds / 1000, p.sentence]));
const idle = report.passes.filter(p => p.ran === 'yes' && p.rewrites === 0).map(p => p.pass);
const left = report.passes.filter(p => p.ran !== 'yes').map(p => p.pass);
document.getElementById('idle').textContent = 'Found nothing: ' + (idle.join(', ') || 'none') + '. Did not run: ' + (left.join(', ') || 'none') + '.';
function grouped(list, key) {
  const groups = new Map();
  for (const one of list) {
    const name = key(one);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(one);
  }
  return [...groups.values()];
}
table('kinds', ['pass', 'what', 'times', 'for example'],
      grouped(report.rewrites, r => r.pass + ' ' + r.what).sort((a, b) => b.length - a.length)
          .map(g => [g[0].pass, g[0].what, g.length, few(g[0].origins)]));
table('rewrites', ['#', 'pass', 'what', 'nodes of the model'],
      report.rewrites.map((r, i) => [i + 1, r.pass, r.what, r.origins.join(', ')]));
const costs = {};  // of the steps that a node of the model is part of
for (const step of main) for (const name of [step.node.replace(/ \(.*\)$/, ''), ...step.origins]) costs[name] = Math.max(costs[name] || 0, step.cost);
const concerned = group => group.reduce((sum, d) => sum + (costs[d.node.replace(/ \(.*\)$/, '')] || 0), 0);
table('declined', ['pass', 'reason', 'times', 'share of these nodes', 'nodes'],
      grouped(report.declined, d => d.pass + ' ' + d.reason).map(group => [group, concerned(group)])
          .sort((a, b) => b[1] - a[1] || b[0].length - a[0].length)
          .map(([group, cost]) => [group[0].pass, group[0].reason, group.length, percent(cost), few(group.map(d => d.node), 4)]));
table('steps', ['#', 'node', 'provider', 'mode', 'kernel', 'share', 'MB moved', 'why no other', 'outputs', 'nodes of the model'],
      report.steps.map((step, i) => [i + 1, step.node, step.provider.replace('ExecutionProvider', ''), step.mode, step.kernel,
          step.cost ? percent(step.cost) : '', step.at ? megabytes(step.at.moved) : '',
          (step.refused || []).map(r => r.kernel + ': ' + r.reason).join('; '),
          step.outputs.map(o => o.name + ' ' + o.fact).join(', '), few(step.origins)]));
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
