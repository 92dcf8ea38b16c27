// Shared parts: lossless JSON, HTTP, templating, normalisation.
import http from 'node:http';
import https from 'node:https';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import crypto from 'node:crypto';

// ---------------------------------------------------------------- lossless JSON
/** A number kept as its source text. */
export class Num {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}
/** Raw JSON text placed as is by `stringify`. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}
export const raw = (t) => new Raw(t);

export function parse(src) {
  let i = 0;
  const n = src.length;
  const fail = (m) => {
    throw new SyntaxError(`${m} at ${i}: ${JSON.stringify(src.slice(i, i + 30))}`);
  };
  const ws = () => {
    while (i < n) {
      const c = src.charCodeAt(i);
      if (c === 32 || c === 10 || c === 13 || c === 9) i++;
      else break;
    }
  };
  const NUM = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
  function str() {
    const start = i;
    i++;
    for (;;) {
      if (i >= n) fail('unterminated string');
      const c = src.charCodeAt(i);
      if (c === 34) {
        i++;
        break;
      }
      i += c === 92 ? 2 : 1;
    }
    return JSON.parse(src.slice(start, i));
  }
  function val() {
    ws();
    const c = src[i];
    if (c === '{') {
      const o = new Map();
      i++;
      ws();
      if (src[i] === '}') {
        i++;
        return o;
      }
      for (;;) {
        ws();
        if (src[i] !== '"') fail('key expected');
        const k = str();
        ws();
        if (src[i] !== ':') fail('colon expected');
        i++;
        o.set(k, val());
        ws();
        if (src[i] === ',') {
          i++;
          continue;
        }
        if (src[i] === '}') {
          i++;
          return o;
        }
        fail('comma or brace expected');
      }
    }
    if (c === '[') {
      const a = [];
      i++;
      ws();
      if (src[i] === ']') {
        i++;
        return a;
      }
      for (;;) {
        a.push(val());
        ws();
        if (src[i] === ',') {
          i++;
          continue;
        }
        if (src[i] === ']') {
          i++;
          return a;
        }
        fail('comma or bracket expected');
      }
    }
    if (c === '"') return str();
    if (src.startsWith('true', i)) {
      i += 4;
      return true;
    }
    if (src.startsWith('false', i)) {
      i += 5;
      return false;
    }
    if (src.startsWith('null', i)) {
      i += 4;
      return null;
    }
    NUM.lastIndex = i;
    const m = NUM.exec(src);
    if (m) {
      i += m[0].length;
      return new Num(m[0]);
    }
    fail('unexpected');
  }
  const v = val();
  ws();
  if (i !== n) fail('trailing data');
  return v;
}

const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Canonical text: keys sorted, numbers as written. */
export function canon(v, numbers = 'text') {
  if (v === null || v === undefined) return 'null';
  if (v instanceof Num) return numbers === 'value' ? numValue(v.text) : v.text;
  if (v instanceof Raw) return v.text;
  if (Array.isArray(v)) return '[' + v.map((x) => canon(x, numbers)).join(',') + ']';
  if (v instanceof Map)
    return (
      '{' +
      [...v.keys()]
        .sort(byCode)
        .map((k) => JSON.stringify(k) + ':' + canon(v.get(k), numbers))
        .join(',') +
      '}'
    );
  if (typeof v === 'object')
    return (
      '{' +
      Object.keys(v)
        .sort(byCode)
        .map((k) => JSON.stringify(k) + ':' + canon(v[k], numbers))
        .join(',') +
      '}'
    );
  return JSON.stringify(v);
}
// Number form used by --numbers value: integers and floats stay apart, but the
// spelling of a float (1e21, 1.0E+21) does not matter.
function numValue(t) {
  if (!/[.eE]/.test(t)) return t.replace(/^-0$/, '0');
  const m = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(t);
  let digits = m[2] + (m[3] || '');
  let exp = Number(m[4] || 0) - (m[3] || '').length;
  digits = digits.replace(/^0+/, '');
  const z = /0+$/.exec(digits);
  if (z) {
    digits = digits.slice(0, -z[0].length);
    exp += z[0].length;
  }
  if (!digits) return m[1] + '0f';
  return `${m[1]}${digits}e${exp}f`;
}

/** JSON text in insertion order; understands Num and Raw (used for payloads). */
export function stringify(v) {
  if (v === undefined) return undefined;
  if (v instanceof Num || v instanceof Raw) return v.text;
  if (Array.isArray(v)) return '[' + v.map((x) => stringify(x === undefined ? null : x)).join(',') + ']';
  if (v instanceof Map) return '{' + [...v].map(([k, x]) => JSON.stringify(k) + ':' + stringify(x)).join(',') + '}';
  if (v && typeof v === 'object')
    return (
      '{' +
      Object.entries(v)
        .filter(([, x]) => x !== undefined)
        .map(([k, x]) => JSON.stringify(k) + ':' + stringify(x))
        .join(',') +
      '}'
    );
  return JSON.stringify(v);
}

// ---------------------------------------------------------------- HTTP
const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 8 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false }),
};
export function request(base, { method = 'GET', path: p, headers = {}, body, timeout = 60000 }) {
  const u = new URL(base);
  const lib = u.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const data = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(body);
    const h = { ...headers };
    if (data && h['content-length'] === undefined) h['content-length'] = data.length;
    const req = lib.request(
      {
        protocol: u.protocol,
        hostname: u.hostname,
        port: u.port,
        method,
        path: u.pathname.replace(/\/$/, '') + p,
        headers: h,
        agent: agents[u.protocol],
        timeout,
      },
      (res) => {
        const chunks = [];
        res.on('data', (c) => chunks.push(c));
        res.on('end', () =>
          resolve({ status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks).toString('utf8') }),
        );
        res.on('aborted', () =>
          resolve({
            status: res.statusCode,
            headers: res.headers,
            body: Buffer.concat(chunks).toString('utf8'),
            truncated: true,
          }),
        );
        res.on('error', reject);
      },
    );
    req.on('timeout', () => req.destroy(new Error('timeout')));
    req.on('error', reject);
    if (data) req.write(data);
    req.end();
  });
}

// ---------------------------------------------------------------- corpus
/** Expand a simple glob (only * in the last path part), or a comma list. */
export function glob(pattern) {
  const out = [];
  for (const p of pattern.split(',')) {
    const dir = path.dirname(p),
      base = path.basename(p);
    if (!base.includes('*')) {
      out.push(p);
      continue;
    }
    const re = new RegExp(
      '^' +
        base
          .split('*')
          .map((s) => s.replace(/[.+^${}()|[\]\\?]/g, '\\$&'))
          .join('.*') +
        '$',
    );
    for (const f of fs.readdirSync(dir).sort()) if (re.test(f)) out.push(path.join(dir, f));
  }
  return out;
}
export function readJsonl(file) {
  let text = file.endsWith('.gz')
    ? zlib.gunzipSync(fs.readFileSync(file)).toString('utf8')
    : fs.readFileSync(file, 'utf8');
  return text
    .split('\n')
    .filter((l) => l.trim() && !l.startsWith('//'))
    .map((l) => JSON.parse(l));
}
export function loadCorpus(pattern, { areas, ids } = {}) {
  const seen = new Set();
  let out = [];
  for (const f of glob(pattern))
    for (const r of readJsonl(f)) {
      if (seen.has(r.id)) throw new Error(`duplicate request id ${r.id} in ${f}`);
      seen.add(r.id);
      r.file = path.basename(f);
      out.push(r);
    }
  if (areas)
    out = out.filter(
      (r) => areas.includes(r.area) || areas.some((a) => a.endsWith('*') && r.area.startsWith(a.slice(0, -1))),
    );
  if (ids) out = out.filter((r) => ids.includes(r.id));
  return out;
}
const fill = (s, vars, enc) =>
  s.replace(/\{\{([A-Za-z0-9_.:-]+)\}\}/g, (m, k) => {
    if (!(k in vars)) throw new Error(`no value for ${m}`);
    return enc ? enc(String(vars[k])) : String(vars[k]);
  });
const strictEncode = (s) =>
  encodeURIComponent(s).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());
// inside JSON text a substituted value has to be escaped like a JSON string
const jsonInner = (s) => JSON.stringify(s).slice(1, -1);
const textOf = (v, vars) => (typeof v === 'string' ? fill(v, vars) : fill(JSON.stringify(v), vars, jsonInner));

/** Turn a corpus line into a request for `request()`. */
export function buildRequest(r, vars, { rename, reference } = {}) {
  if (reference && r.ref) r = { ...r, ...r.ref };
  const fix = (s) => (rename ? rename(s) : s);
  let p = fix(fill(r.path, vars, strictEncode));
  const pairs = [];
  for (const [k, v] of Object.entries(r.params || {})) {
    const list = Array.isArray(v) && r.multi && r.multi.includes(k) ? v : [v];
    for (const one of list) pairs.push(strictEncode(k) + '=' + strictEncode(fix(textOf(one, vars))));
  }
  if (r.rawquery) pairs.push(fix(fill(r.rawquery, vars, strictEncode)));
  if (pairs.length) p += (p.includes('?') ? '&' : '?') + pairs.join('&');
  const req = { method: r.method || 'GET', path: p, headers: { accept: 'application/json', ...(r.headers || {}) } };
  if (r.body !== undefined) {
    req.body = fix(textOf(r.body, vars));
    if (!Object.keys(req.headers).some((h) => h.toLowerCase() === 'content-type'))
      req.headers['content-type'] = 'application/json';
  }
  for (const k of Object.keys(req.headers)) if (req.headers[k] === null) delete req.headers[k];
  return req;
}

// ---------------------------------------------------------------- normalisation
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;
// Times the server itself sets are always later than any time in the data sets;
// they are replaced by their shape.
export const CUTOFF = Date.parse('2025-06-01T00:00:00Z');
const shape = (s) => s.replace(/\d/g, 'd');
function maskString(s) {
  if (s.length >= 20 && s.length <= 40 && ISO.test(s)) {
    const t = Date.parse(s);
    if (t >= CUTOFF && t < Date.UTC(2090, 0, 1)) return shape(s);
  }
  if (/^https?:\/\//.test(s) && /\/pdb\/query\/v4\//.test(s)) return s.replace(/^https?:\/\/[^/]+/, '');
  return s;
}
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;

function norm(v, ctx) {
  if (typeof v === 'string') return maskString(v);
  if (Array.isArray(v)) return v.map((x) => norm(x, ctx));
  if (v instanceof Map) {
    const o = new Map();
    const href = v.get('href');
    const isLog = v.has('level') && v.has('message');
    for (let [k, x] of v) {
      if (ctx.dialect === 'neutral' && k === 'agent_version') k = 'puppet_version';
      let y = norm(x, ctx);
      if (Array.isArray(y)) {
        if (k === 'data' && typeof href === 'string' && !/\/(logs|metrics)$/.test(href)) y = sortArr(y);
        else if (k === 'tags' && !isLog) y = sortArr(y);
        else if (k === 'inputs' || k === 'package_inventory') y = sortArr(y);
      }
      o.set(k, y);
    }
    return o;
  }
  return v;
}
const sortArr = (a) =>
  a
    .map((x) => [canon(x), x])
    .sort((p, q) => byCode(p[0], q[0]))
    .map((p) => p[1]);

/** Normalised answer: { status, type, total, kind, value|text, canon } */
export function normalise(res, r, { dialect = 'puppetdb', numbers = 'text' } = {}) {
  const type = (res.headers['content-type'] || '').split(';')[0].trim().toLowerCase();
  const out = {
    status: res.status,
    type,
    total: res.headers['x-records'] === undefined ? null : String(res.headers['x-records']),
  };
  if (res.truncated) out.truncated = true;
  let value;
  let isJson = false;
  if (/json/.test(type) || /^\s*[[{]/.test(res.body)) {
    try {
      value = parse(res.body);
      isJson = true;
    } catch {
      /* text */
    }
  }
  if (isJson) {
    value = norm(value, { dialect });
    if (Array.isArray(value) && !r.ordered) value = sortArr(value);
    if (r.count && Array.isArray(value)) value = new Num(String(value.length));
    out.kind = 'json';
    out.value = value;
    out.canon = canon(value, numbers);
  } else {
    out.kind = 'text';
    let t = res.body;
    if (dialect === 'neutral')
      t = t.replace(/agent_version/g, 'puppet_version').replace(/agent-version/g, 'puppet-version');
    out.canon = t;
  }
  if (r.maskuuid) out.canon = out.canon.replace(UUID, '<uuid>');
  return out;
}
export const sha1 = (s) => crypto.createHash('sha1').update(s).digest('hex');

/** Compact form kept in a golden file. */
export function pack(r, nz) {
  const g = { id: r.id, status: nz.status, type: nz.type, total: nz.total };
  const len = Buffer.byteLength(nz.canon);
  if (len > 150000) {
    g.sha = sha1(nz.canon);
    g.head = nz.canon.slice(0, 4096);
    g.len = len;
    if (Array.isArray(nz.value)) g.count = nz.value.length;
  } else g.canon = nz.canon;
  g.kind = nz.kind;
  return g;
}

// ---------------------------------------------------------------- misc
export function args(argv) {
  const o = { _: [] };
  for (let i = 0; i < argv.length; i++) {
    if (argv[i].startsWith('--')) {
      const k = argv[i].slice(2);
      if (argv[i + 1] === undefined || argv[i + 1].startsWith('--')) o[k] = true;
      else o[k] = argv[++i];
    } else o._.push(argv[i]);
  }
  return o;
}
export async function pool(items, n, f) {
  const out = new Array(items.length);
  let k = 0;
  await Promise.all(
    Array.from({ length: n }, async () => {
      for (;;) {
        const i = k++;
        if (i >= items.length) return;
        out[i] = await f(items[i], i);
      }
    }),
  );
  return out;
}
