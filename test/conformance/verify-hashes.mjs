// Recomputes content hashes from a data set and compares them with a loaded server.
// Usage: node verify-hashes.mjs URL DATASET.jsonl
// Shows the rules a server has to follow.
import fs from 'node:fs';
import crypto from 'node:crypto';
import { Num, parse, request } from './lib.mjs';
const [base, file] = process.argv.slice(2);
const sha = (s) => crypto.createHash('sha1').update(s, 'utf8').digest('hex');
// number text as the reference writes it: integers as they are, others as a Java double
function javaDouble(t) {
  const d = Number(t);
  if (Object.is(d, -0)) return '-0.0';
  if (d === 0) return '0.0';
  const a = Math.abs(d);
  let s;
  if (a >= 1e-3 && a < 1e7) {
    s = String(a);
    if (!s.includes('.')) s += '.0';
  } else {
    let [m, e] = a.toExponential().split('e');
    if (!m.includes('.')) m += '.0';
    s = `${m}E${Number(e)}`;
  }
  return (d < 0 ? '-' : '') + s;
}
const cmp = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
export function ident(v) {
  if (v === null || v === undefined) return 'null';
  if (v instanceof Num) return /[.eE]/.test(v.text) ? javaDouble(v.text) : v.text;
  if (Array.isArray(v)) return '[' + v.map(ident).join(',') + ']';
  if (v instanceof Map)
    return (
      '{' +
      [...v.keys()]
        .sort(cmp)
        .map((k) => `${str(k)}:${ident(v.get(k))}`)
        .join(',') +
      '}'
    );
  if (typeof v === 'object') return ident(new Map(Object.entries(v)));
  if (typeof v === 'string') return str(v);
  return JSON.stringify(v);
}
// the reference escapes like Jackson: control characters as \u00XX in capitals, nothing else
function str(s) {
  return (
    '"' +
    s.replace(
      /[\u0000-\u001f"\\]/g,
      (c) =>
        ({ '"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' })[c] ||
        '\\u' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'),
    ) +
    '"'
  );
}
// Order in which a Clojure hash set of strings is walked: by the Murmur3 hash of the
// Java hash code, five bits at a time from the low end.
function setOrder(list) {
  const h = (t) => {
    let k = 0;
    for (let i = 0; i < t.length; i++) k = (Math.imul(31, k) + t.charCodeAt(i)) | 0;
    if (k === 0) return 0;
    k = Math.imul(k, 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    k = Math.imul(k, 0x1b873593);
    let x = k;
    x = (x << 13) | (x >>> 19);
    x = (Math.imul(x, 5) + 0xe6546b64) | 0;
    x ^= 4;
    x ^= x >>> 16;
    x = Math.imul(x, 0x85ebca6b);
    x ^= x >>> 13;
    x = Math.imul(x, 0xc2b2ae35);
    x ^= x >>> 16;
    return x >>> 0;
  };
  const chunks = (t) => {
    const x = h(t);
    return [0, 5, 10, 15, 20, 25, 30].map((n) => (x >>> n) & 31);
  };
  return [...new Set(list)]
    .map((t) => [chunks(t), t])
    .sort((a, b) => {
      for (let i = 0; i < 7; i++) if (a[0][i] !== b[0][i]) return a[0][i] - b[0][i];
      return 0;
    })
    .map((x) => x[1]);
}
const iso = (t) => {
  const d = new Date(t.replace(/([+-]\d\d)(\d\d)$/, '$1:$2').replace(/(\.\d{3})\d+/, '$1'));
  return d.toISOString();
};
const q = async (ent, query, extra = {}) => {
  const r = await request(base, {
    path: `/pdb/query/v4/${ent}?${new URLSearchParams({ query: JSON.stringify(query), ...extra })}`,
  });
  if (r.status !== 200) throw new Error(r.body);
  return parse(r.body);
};
const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(parse);
const tally = {};
const note = (k, ok, what) => {
  tally[k] = tally[k] || [0, 0];
  tally[k][ok ? 0 : 1]++;
  if (!ok && tally[k][1] <= 3) console.log('no match', k, what);
};
const any = (c) => ['and', ['=', 'certname', c], ['=', 'node_state', 'any']];
for (const l of lines) {
  const p = l.get('payload');
  if (!p || !(p instanceof Map)) continue;
  const cert = p.get('certname');
  if (l.get('command') === 'store report') {
    const m = {
      certname: cert,
      puppet_version: p.get('puppet_version'),
      report_format: p.get('report_format'),
      configuration_version: p.get('configuration_version'),
      start_time: iso(p.get('start_time')),
      end_time: iso(p.get('end_time')),
      producer_timestamp: iso(p.get('producer_timestamp')),
      transaction_uuid: p.get('transaction_uuid'),
    };
    const h = sha(ident(m));
    const r = await q('reports', ['extract', ['certname'], ['and', ['=', 'hash', h], ['=', 'type', 'any']]]);
    if (cert.startsWith('deleted')) continue;
    note('report', r.length === 1, `${cert} ${ident(m)}`);
  } else if (l.get('command') === 'replace facts') {
    const r = await q('factsets', ['extract', ['hash', 'producer_timestamp'], any(cert)]);
    if (!r.length || r[0].get('producer_timestamp') !== iso(p.get('producer_timestamp'))) continue;
    const m = new Map([
      ['certname', cert],
      ['environment', p.get('environment')],
      ['values', p.get('values')],
    ]);
    if ((p.get('package_inventory') || []).length)
      m.set(
        'package_inventory',
        [...new Map(p.get('package_inventory').map((x) => [ident(x), x])).values()].sort((a, b) =>
          cmp(ident(a), ident(b)),
        ),
      );
    note('factset', sha(ident(m)) === r[0].get('hash'), `${cert} ${ident(m).slice(0, 150)}`);
  } else if (l.get('command') === 'replace catalog') {
    const r = await q('catalogs', ['extract', ['hash', 'producer_timestamp'], any(cert)]);
    if (!r.length || r[0].get('producer_timestamp') !== iso(p.get('producer_timestamp'))) continue;
    const rs = await q('resources', any(cert));
    const got = new Map(rs.map((x) => [`${x.get('type')}[${x.get('title')}]`, x.get('resource')]));
    for (const x of p.get('resources')) {
      const h = sha(ident([x.get('type'), x.get('title'), x.get('parameters')]));
      note(
        'resource',
        got.get(`${x.get('type')}[${x.get('title')}]`) === h,
        `${cert} ${x.get('type')}[${x.get('title')}]`,
      );
    }
    const byTitle = (a, b) => cmp(a.get('title'), b.get('title')) || cmp(a.get('type'), b.get('type'));
    const keep = (x) => {
      const m = new Map();
      for (const k of ['type', 'title', 'parameters', 'exported', 'file', 'line']) if (x.has(k)) m.set(k, x.get(k));
      m.set('tags', setOrder(x.get('tags')));
      return m;
    };
    const edges = [...new Map(p.get('edges').map((e) => [ident(e), e])).values()].sort(
      (a, b) =>
        byTitle(a.get('source'), b.get('source')) ||
        byTitle(a.get('target'), b.get('target')) ||
        cmp(a.get('relationship'), b.get('relationship')),
    );
    const m = new Map([
      ['certname', cert],
      ['resources', [...p.get('resources')].sort(byTitle).map(keep)],
      ['edges', edges],
    ]);
    note('catalog', sha(ident(m)) === r[0].get('hash'), cert);
  }
}
for (const [k, [y, n]] of Object.entries(tally)) console.log(`${k}: ${y} match, ${n} differ`);
