// Compare a candidate server with the reference (or with recorded answers).
// Usage: node compare.mjs REF CANDIDATE_URL --corpus GLOB --vars VARS.json
//          [--dialect neutral|puppetdb] [--area A,B] [--id X,Y] [--json OUT]
//          [--numbers text|value] [--mutate N] [--quiet] [--max N]
// REF is a base URL or a golden file written by record.mjs.
// A request passes when status, media type, X-Records and body agree. For requests
// marked `error` the body text is compared too, but only counted apart.
import fs from 'node:fs';
import zlib from 'node:zlib';
import { args, buildRequest, canon, loadCorpus, normalise, pool, readJsonl, request, sha1 } from './lib.mjs';
const a = args(process.argv.slice(2));
const [ref, cand] = a._;
if (!ref || !cand || !a.corpus || !a.vars) {
  console.error(
    'usage: node compare.mjs REF|GOLDEN CANDIDATE_URL --corpus GLOB --vars VARS.json [--dialect neutral|puppetdb] [--area A] [--json OUT]',
  );
  process.exit(2);
}
const dialect = a.dialect || 'neutral';
const numbers = a.numbers || 'text';
const vars = JSON.parse(fs.readFileSync(a.vars, 'utf8'));
const corpus = loadCorpus(a.corpus, { areas: a.area && a.area.split(','), ids: a.id && a.id.split(',') });
const isGolden = !/^https?:/.test(ref);
const golden = isGolden ? new Map(readJsonl(ref).map((g) => [g.id, g])) : null;
const rename = dialect === 'neutral' ? (s) => s.replace(/puppet_version/g, 'agent_version') : null;
let mutated = 0;

async function get(base, r, opt) {
  for (let k = 0; ; k++) {
    try {
      return normalise(await request(base, buildRequest(r, vars, opt)), r, { dialect: opt.dialect, numbers });
    } catch (e) {
      if (k === 1)
        return { status: 0, type: '', total: null, kind: 'text', canon: `request failed: ${e.message || e}` };
    }
  }
}
// position and surroundings of the first difference
function diffText(x, y) {
  let i = 0;
  while (i < x.length && i < y.length && x[i] === y[i]) i++;
  const f = (s) => JSON.stringify(s.slice(Math.max(0, i - 60), i + 120));
  return `at ${i}\n      ref  …${f(x)}\n      cand …${f(y)}`;
}
function diff(g, c, gv, cv) {
  if (Array.isArray(gv) && Array.isArray(cv)) {
    if (gv.length !== cv.length) {
      const gs = new Set(gv.map((x) => canon(x, numbers))),
        cs = new Set(cv.map((x) => canon(x, numbers)));
      const only = (p, q) =>
        [...p]
          .filter((x) => !q.has(x))
          .slice(0, 2)
          .map((x) => x.slice(0, 160));
      return `length ${gv.length} (ref) vs ${cv.length}\n      only ref:  ${only(gs, cs).join(' | ')}\n      only cand: ${only(cs, gs).join(' | ')}`;
    }
    for (let i = 0; i < gv.length; i++) {
      const p = canon(gv[i], numbers),
        q = canon(cv[i], numbers);
      if (p !== q) return `element ${i} of ${gv.length}, ${diffText(p, q)}`;
    }
  }
  return diffText(g, c);
}
const results = await pool(corpus, 4, async (r) => {
  let g;
  if (isGolden) {
    g = golden.get(r.id);
    if (!g) return { r, skip: 'not in golden file' };
  } else g = await get(ref, r, { dialect: 'puppetdb', reference: true });
  const c = await get(cand, r, { dialect, rename, reference: !!a['candidate-is-reference'] });
  if (a.mutate && c.kind === 'json' && mutated < Number(a.mutate) && /\d|true|"/.test(c.canon)) {
    mutated++;
    c.canon = c.canon.replace(/true|\d(?=[\],}])|[a-z](?=")/, (m) =>
      m === 'true' ? 'false' : m === '1' ? '1.0' : /\d/.test(m) ? '1' : '_',
    );
    c.value = undefined;
  }
  const why = [];
  // an unknown path is redirected to a dashboard by the reference; a plain 404 is as good
  if (g.status === 302 && (c.status === 302 || c.status === 404))
    return { r, why, soft: false, text: null, gs: g.status, gt: '', ct: '' };
  if (g.status !== c.status) why.push(`status ${g.status} vs ${c.status}`);
  if (g.type !== c.type) why.push(`content-type ${g.type || 'none'} vs ${c.type || 'none'}`);
  if ((g.total ?? null) !== (c.total ?? null)) why.push(`X-Records ${g.total} vs ${c.total}`);
  let same,
    gc = g.canon;
  if (g.sha) same = numbers === 'text' && sha1(c.canon) === g.sha;
  else {
    if (isGolden && numbers === 'value' && g.kind === 'json') {
      const n = normalise({ status: g.status, headers: { 'content-type': g.type }, body: g.canon }, r, { numbers });
      gc = n.canon;
    }
    same = gc === c.canon;
  }
  const soft = r.error || g.status >= 400;
  if (!same && !soft) {
    let gv = g.value;
    if (isGolden && g.kind === 'json' && g.canon) {
      try {
        gv = normalise({ status: 200, headers: { 'content-type': 'application/json' }, body: g.canon }, r, {
          numbers,
        }).value;
      } catch {
        /* keep */
      }
    }
    why.push(
      `body ${g.sha ? `differs (ref ${g.len} bytes${g.count !== undefined ? `, ${g.count} items` : ''}; cand ${Array.isArray(c.value) ? c.value.length + ' items' : c.canon.length}) ${diffText(g.head, c.canon.slice(0, g.head.length))}` : diff(gc, c.canon, gv, c.value)}`,
    );
  }
  // Only the texts of errors are shown later: all answers together may not fit into memory.
  const [gt, ct] = soft ? [g.canon || g.head || '', c.canon] : ['', ''];
  return { r, why, soft, text: soft ? same : null, gs: g.status, gt, ct };
});
const done = results.filter((x) => !x.skip);
const areas = new Map();
for (const x of done) {
  const k = areas.get(x.r.area) || { n: 0, ok: 0, en: 0, eok: 0 };
  k.n++;
  if (!x.why.length) k.ok++;
  if (x.soft) {
    k.en++;
    if (x.text) k.eok++;
  }
  areas.set(x.r.area, k);
}
for (const [k, v] of [...areas].sort())
  console.log(
    `${k.padEnd(26)} ${String(v.ok).padStart(4)}/${String(v.n).padEnd(4)}${v.en ? `  error texts ${v.eok}/${v.en}` : ''}`,
  );
const fails = done.filter((x) => x.why.length);
if (!a.quiet) {
  for (const x of fails.slice(0, Number(a.max) || 1e9))
    console.log(
      `\nDIFF ${x.r.id} [${x.r.area}] ${x.r.method || 'GET'} ${buildRequest(x.r, vars).path.slice(0, 300)}${x.r.body ? ` body ${JSON.stringify(x.r.body).slice(0, 200)}` : ''}\n   ${x.why.join('\n   ')}`,
    );
  if (a.texts)
    for (const x of done.filter((y) => y.soft && !y.text))
      console.log(`\nTEXT ${x.r.id}\n   ref  ${x.gt.slice(0, 300)}\n   cand ${x.ct.slice(0, 300)}`);
}
if (a.json)
  fs.writeFileSync(
    a.json,
    JSON.stringify(
      {
        total: done.length,
        same: done.length - fails.length,
        areas: Object.fromEntries(areas),
        failures: fails.map((x) => ({ id: x.r.id, area: x.r.area, why: x.why })),
        error_texts_differ: done.filter((y) => y.soft && !y.text).map((y) => y.r.id),
      },
      null,
      1,
    ) + '\n',
  );
const en = done.filter((x) => x.soft),
  eok = en.filter((x) => x.text);
const skipped = results.length - done.length;
console.log(
  `\n${skipped ? `${skipped} requests are not in the golden file and were left out\n` : ''}error texts: ${eok.length}/${en.length} same`,
);
const okn = done.length - fails.length;
console.log(
  `conformance: ${okn}/${done.length} same (${done.length ? (Math.floor((okn / done.length) * 1000) / 10).toFixed(1) : '0.0'}%)`,
);
