// Submit a data set, in order, to a server.
// Usage: node load.mjs URL DATASET.jsonl [--samples DIR] [--dialect neutral|puppetdb]
//        [--wait SECONDS] [--allow-failures] [--log out.jsonl]
// Every command is sent with secondsToWaitForCompletion, so the next one is sent
// only after the previous one has been processed; order is therefore fixed.
// Lines of the form {"admin": {...}} go to the admin endpoint (clean, delete).
import fs from 'node:fs';
import path from 'node:path';
import { args, parse, stringify, request, canon } from './lib.mjs';

const a = args(process.argv.slice(2));
const [base, dataset] = a._;
if (!base || (!dataset && !a.samples)) {
  console.error('usage: node load.mjs URL DATASET.jsonl [--samples DIR] [--dialect neutral|puppetdb]');
  process.exit(2);
}
const wait = a.wait || '30';
const items = [];
if (dataset) for (const line of fs.readFileSync(dataset, 'utf8').split('\n')) if (line.trim()) items.push(parse(line));
if (a.samples) {
  const V = { facts: ['replace facts', 5], catalogs: ['replace catalog', 9], reports: ['store report', 8] };
  for (const k of Object.keys(V)) {
    const dir = path.join(a.samples, k);
    if (!fs.existsSync(dir)) continue;
    for (const f of fs.readdirSync(dir).sort()) {
      const p = parse(fs.readFileSync(path.join(dir, f), 'utf8'));
      for (const extra of ['timestamp', 'hash']) p.delete(extra);
      items.push(
        new Map([
          ['command', V[k][0]],
          ['version', V[k][1]],
          ['certname', p.get('certname')],
          ['payload', p],
        ]),
      );
    }
  }
}

// names used by the neutral dialect
function dialect(p) {
  if (a.dialect !== 'neutral' || !(p instanceof Map) || !p.has('puppet_version')) return p;
  return new Map([...p].map(([k, v]) => [k === 'puppet_version' ? 'agent_version' : k, v]));
}
const log = a.log ? fs.createWriteStream(a.log) : null;
let ok = 0,
  bad = 0,
  n = 0,
  notimed = 0;
const t0 = Date.now();
async function processedUuid() {
  // fallback for a server that does not block: wait for an empty command queue
  for (let k = 0; k < 200; k++) {
    const r = await request(base, {
      path: '/metrics/v2/read/' + encodeURIComponent('puppetlabs.puppetdb.mq:name=global.depth'),
    }).catch(() => null);
    if (r && r.status === 200 && /"Count"\s*:\s*0\b/.test(r.body)) return true;
    await new Promise((s) => setTimeout(s, 50));
  }
  return false;
}
for (const it of items) {
  n++;
  let r,
    what,
    failed = null;
  if (it.has('admin')) {
    what = 'admin ' + canon(it.get('admin'));
    r = await request(base, {
      method: 'POST',
      path: '/pdb/admin/v1/cmd',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: stringify(it.get('admin')),
    });
    if (r.status !== 200) failed = `${r.status} ${r.body.slice(0, 300)}`;
  } else {
    const cmd = String(it.get('command')),
      ver = String(it.get('version')),
      cert = it.get('certname');
    what = `${cmd} v${ver} ${cert}`;
    const qs = new URLSearchParams({
      command: cmd.replace(/ /g, '_'),
      version: ver,
      certname: cert,
      secondsToWaitForCompletion: wait,
    });
    if (it.has('query')) for (const [k, v] of it.get('query')) qs.set(k, String(v));
    r = await request(base, {
      method: 'POST',
      path: '/pdb/cmd/v1?' + qs.toString().replace(/\+/g, '%20'),
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      body: stringify(dialect(it.get('payload'))),
      timeout: (Number(wait) + 30) * 1000,
    });
    let j = null;
    try {
      j = JSON.parse(r.body);
    } catch {
      /* text */
    }
    if (r.status !== 200)
      failed = `${r.status} ${(j && (j.error || j.timed_out) ? JSON.stringify({ timed_out: j.timed_out, error: j.error, exception: j.exception }) : r.body).slice(0, 400)}`;
    else if (j && j.processed === undefined) {
      notimed++;
      if (!(await processedUuid())) failed = 'not processed in time';
    } else if (j && (j.timed_out || j.error)) failed = JSON.stringify(j).slice(0, 400);
  }
  if (log) log.write(JSON.stringify({ n, what, status: r.status, failed }) + '\n');
  if (failed) {
    bad++;
    console.log(`FAIL line ${n}: ${what}: ${failed}`);
  } else ok++;
}
console.log(
  `loaded ${ok} of ${items.length} in ${((Date.now() - t0) / 1000).toFixed(1)} s${bad ? `, ${bad} failed` : ''}${notimed ? ` (${notimed} without a processed flag)` : ''}`,
);
process.exit(bad && !a['allow-failures'] ? 1 : 0);
