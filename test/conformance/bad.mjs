// Send the wrong submissions of datasets/bad.jsonl to a server.
// Usage: node bad.mjs URL FILE.jsonl --record      write what the server answers into FILE
//        node bad.mjs URL FILE.jsonl [--texts] [--json OUT]  compare with what is recorded
// Each submission is sent as it is (`now`) and, where it makes sense, once more with
// secondsToWaitForCompletion (`later`): processed | failed (discarded at once) |
// pending (not done in 3 s: the server keeps trying). Uses its own node names; run it
// on a server whose data are not needed for something else.
import fs from 'node:fs';
import { args, pool, readJsonl, request } from './lib.mjs';
const a = args(process.argv.slice(2));
const [base, file] = a._;
if (!base || !file) {
  console.error('usage: node bad.mjs URL FILE.jsonl [--record]');
  process.exit(2);
}
const rows = readJsonl(file);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
async function send(r, wait) {
  const q = { ...(r.query || {}) };
  if (wait) q.secondsToWaitForCompletion = String(r.wait);
  const qs = Object.entries(q)
    .map(([k, v]) => `${encodeURIComponent(k)}=${encodeURIComponent(v)}`)
    .join('&');
  const headers = { ...r.headers };
  for (const k of Object.keys(headers)) if (headers[k] === null) delete headers[k];
  const body = r.body64 ? Buffer.from(r.body64, 'base64') : r.body;
  try {
    return await request(base, { method: r.method, path: r.path + (qs ? `?${qs}` : ''), headers, body });
  } catch (e) {
    return { status: 0, headers: {}, body: String(e.message) };
  }
}
const clean = (s, r) => {
  let t = s;
  try {
    const j = JSON.parse(s);
    if (j && j.stack_trace) delete j.stack_trace;
    if (j && j.uuid) j.uuid = '<uuid>';
    if (j && typeof j === 'object') t = JSON.stringify(j, Object.keys(j).sort());
  } catch {
    /* text */
  }
  return t.length > 600 ? t.slice(0, 600) + '…' : t;
};
const got = new Array(rows.length);
const one = async (r) => {
  const x = await send(r, false);
  const o = {
    now: { status: x.status, type: (x.headers['content-type'] || '').split(';')[0], body: clean(x.body, r) },
  };
  if (r.wait && x.status === 200) {
    const y = await send(r, true);
    let j = {};
    try {
      j = JSON.parse(y.body);
    } catch {
      /* text */
    }
    o.later = {
      status: y.status,
      result: j.timed_out ? 'pending' : j.error ? 'failed' : j.processed ? 'processed' : 'unknown',
    };
    if (j.error) o.later.error = String(j.error).slice(0, 500);
  }
  return o;
};
// admin submissions one at a time: two at once answer 409
const index = new Map(rows.map((r, i) => [r.id, i]));
const isAdmin = (r) => r.path.includes('/admin/');
await pool(
  rows.filter((r) => !isAdmin(r)),
  4,
  async (r) => {
    got[index.get(r.id)] = await one(r);
  },
);
for (const r of rows.filter(isAdmin)) got[index.get(r.id)] = await one(r);
if (a.record) {
  rows.forEach((r, i) => {
    r.expect = got[i];
  });
  fs.writeFileSync(file, rows.map((r) => JSON.stringify(r)).join('\n') + '\n');
  const k = {};
  for (const g of got) {
    const s = `${g.now.status}${g.later ? '/' + g.later.result : ''}`;
    k[s] = (k[s] || 0) + 1;
  }
  console.log(`recorded ${rows.length}:`, k);
} else {
  let same = 0,
    text = 0,
    tn = 0;
  const failures = [];
  rows.forEach((r, i) => {
    const e = r.expect,
      g = got[i];
    if (!e) return;
    const why = [];
    if (e.now.status !== g.now.status)
      why.push(`status ${e.now.status} vs ${g.now.status} ${g.now.body.slice(0, 120)}`);
    if (e.now.type !== g.now.type) why.push(`content-type ${e.now.type} vs ${g.now.type}`);
    if (
      (e.later && e.later.result) !== (g.later && g.later.result) &&
      !(
        e.later &&
        g.later &&
        ['failed', 'pending'].includes(e.later.result) &&
        ['failed', 'pending'].includes(g.later.result)
      )
    )
      why.push(`outcome ${e.later && e.later.result} vs ${g.later && g.later.result}`);
    tn++;
    if (e.now.body === g.now.body) text++;
    else if (a.texts)
      console.log(`TEXT ${r.id} ${r.note}\n  ref  ${e.now.body.slice(0, 250)}\n  cand ${g.now.body.slice(0, 250)}`);
    if (why.length) {
      console.log(`DIFF ${r.id} ${r.note}: ${why.join('; ')}`);
      failures.push({ id: r.id, why });
    } else same++;
  });
  if (a.json) fs.writeFileSync(a.json, JSON.stringify({ total: tn, same, areas: {}, failures }, null, 1) + '\n');
  console.log(`submissions: ${same}/${rows.filter((r) => r.expect).length} same; answer texts ${text}/${tn} same`);
}
