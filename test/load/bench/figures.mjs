/** The measures of the report: how each is computed from a measurement, and its goal in docs/performance.md. */
import { combined } from './measure-load.mjs';
import { geometricMean } from './percentiles.mjs';

const first = ({ load }) => load?.[0];
const steady = ({ load }) => combined('steady', load?.slice(1) ?? []);
const each = (figure, ...names) =>
  names.some((name) => figure?.[name] === undefined)
    ? undefined
    : names.reduce((sum, name) => sum + figure[name], 0) / figure.commands;
const rate = (figure, name) => (figure === undefined ? undefined : figure.commands / figure[name]);
const highest = (figures = [], name) => {
  const found = figures.filter((one) => one?.[name] !== undefined).map((one) => one[name]);
  return found.length === 0 ? undefined : Math.max(...found);
};
const most = ({ load = [], queries = [], latencyUse }, name) => highest([...load, ...queries, latencyUse], name);
/** COPY of as many rows as the warm-up and the first load created. All rows were copied, including later ones. */
const copied = ({ copy, warm, load }) => {
  const rows = load?.[0].rowsStored;
  if (copy === undefined || !rows) return undefined;
  const share = rows / copy.rows;
  return {
    commands: warm.commands + load[0].commands,
    seconds: copy.seconds * share,
    postgresMs: copy.postgresMs * share,
  };
};
const acknowledged = ({ latency }) => latency?.acknowledged.at(-1);
export const answered = ({ queries = [] }) => queries.filter(({ error }) => error === undefined);

export function submittedBytes({ warm, load }) {
  return load === undefined ? undefined : warm.bytes + load.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** For each query that both sides answered: how many times faster the first side is. */
export function queryRatios(ours, other) {
  const theirs = new Map(answered(other).map((figure) => [figure.query, figure]));
  return answered(ours)
    .filter(({ query }) => theirs.has(query))
    .map((figure) => ({ query: figure.query, ratio: theirs.get(figure.query).p50 / figure.p50 }));
}

/**
 * `of` returns the number, `unit` its unit, `better` the better direction. `floor`: the figure of PostgreSQL alone,
 * from our measurement. A goal is `times` (a multiple of the other side), or `most` (a number), or `below`.
 */
export const measures = [
  ...[
    ['first load', first, copied],
    ['steady', steady, () => undefined],
  ].flatMap(([phase, of, floor]) => [
    {
      name: `${phase}: commands/s until queries show them`,
      of: (one) => rate(of(one), 'visibleAfter'),
      ...{ unit: 'number', better: 'more', times: 10 },
      floor: (one) => rate(floor(one), 'seconds'),
    },
    {
      name: `${phase}: commands/s accepted`,
      of: (one) => rate(of(one), 'acceptedAfter'),
      ...{ unit: 'number', better: 'more' },
    },
    {
      name: `${phase}: processor time a command`,
      of: (one) => each(of(one), 'serviceMs', 'postgresMs'),
      ...{ unit: 'ms', better: 'less', times: 10 },
      floor: (one) => each(floor(one), 'postgresMs'),
    },
    { name: '– the service', of: (one) => each(of(one), 'serviceMs'), unit: 'ms', better: 'less' },
    { name: '– PostgreSQL', of: (one) => each(of(one), 'postgresMs'), unit: 'ms', better: 'less' },
  ]),
  {
    name: 'memory of the service, highest while loading',
    of: ({ load }) => highest(load, 'serviceBytes'),
    ...{ unit: 'bytes', better: 'less' },
  },
  {
    name: 'memory of the service, highest of all',
    of: (one) => most(one, 'serviceBytes'),
    ...{ unit: 'bytes', better: 'less', most: 256e6 },
  },
  {
    name: 'memory of PostgreSQL, highest of all',
    of: (one) => most(one, 'postgresBytes'),
    unit: 'bytes',
    better: 'less',
  },
  { name: 'even rate, commands/s', of: (one) => acknowledged(one)?.rate, unit: 'number' },
  ...['p50', 'p90', 'p99', 'most'].map((point) => ({
    name: `– acknowledged after it was due, ${point}`,
    of: (one) => acknowledged(one)?.waited[point],
    ...{ unit: 'ms', better: 'less' },
    ...(point === 'p99' ? { below: 25, when: (one) => acknowledged(one)?.rate >= 100 } : {}),
  })),
  {
    name: '– acknowledged after it was sent, p99',
    of: (one) => acknowledged(one)?.service.p99,
    unit: 'ms',
    better: 'less',
  },
  ...['p50', 'p95'].map((point) => ({
    name: `visible after it was acknowledged, ${point}`,
    of: ({ latency }) => latency?.visible[point],
    ...{ unit: 'ms', better: 'less' },
  })),
  {
    name: 'fastest query, p50',
    of: (one) => (answered(one).length === 0 ? undefined : Math.min(...answered(one).map(({ p50 }) => p50))),
    ...{ unit: 'ms', better: 'less', below: 1 },
  },
  {
    name: 'queries: geometric mean of the ratios of p50',
    between: (ours, other) => geometricMean(queryRatios(ours, other).map(({ ratio }) => ratio)),
    times: 5,
  },
  {
    name: 'queries: least ratio of p50',
    between: (ours, other) => Math.min(...queryRatios(ours, other).map(({ ratio }) => ratio)),
    times: 1,
  },
  {
    name: 'read tables, beside the database of the other side',
    of: ({ disk }) => disk?.readTables ?? disk?.database,
    ...{ unit: 'bytes', better: 'less', times: 1 },
  },
  { name: 'log', of: ({ disk }) => disk?.log, unit: 'bytes', better: 'less' },
  {
    name: '– log ÷ bodies as they were submitted',
    of: (one) => one.disk?.log && one.disk.log / submittedBytes(one),
    ...{ unit: 'number', better: 'less', most: 1.1, when: (one) => submittedBytes(one) > 1e6 },
  },
  { name: 'bodies as they were submitted', of: submittedBytes, unit: 'bytes' },
  { name: 'whole database', of: ({ disk }) => disk?.database, unit: 'bytes', better: 'less' },
  { name: 'WAL of the cluster', of: ({ disk }) => disk?.wal, unit: 'bytes' },
];

/**
 * Returns the figures of a size: `{ measure, ours, other, ratio, floor, ofFloor, goal, outcome, short }`, with numbers
 * if they were measured.
 */
export function figuresOf(ours, other) {
  return measures
    .map((measure) => {
      const mine = measure.of?.(ours);
      const theirs = other && measure.of?.(other);
      const ratio = ratioOf(measure, ours, other, mine, theirs);
      const floor = measure.floor?.(ours);
      return {
        measure: measure.name,
        unit: measure.unit,
        ours: mine,
        other: theirs,
        ratio,
        floor,
        ofFloor: floor && mine && (measure.better === 'more' ? mine / floor : floor / mine),
        ...goalOf(measure, mine, ratio, ours),
      };
    })
    .filter(({ ours: mine, other: theirs, ratio }) => [mine, theirs, ratio].some((value) => value !== undefined));
}

function ratioOf({ better, between }, ours, other, mine, theirs) {
  if (other === undefined) return undefined;
  if (between !== undefined) return queryRatios(ours, other).length === 0 ? undefined : between(ours, other);
  if (better === undefined || !mine || !theirs) return undefined;
  return better === 'more' ? mine / theirs : theirs / mine;
}

/** `reached`: the share of the goal that is reached; 1 or more if it is met. */
function goalOf({ times, most: limit, below, when }, mine, ratio, ours) {
  if (ours.side.kind !== 'ours' || (when !== undefined && !when(ours))) return {};
  if (times !== undefined) return { goal: { times }, ...(ratio === undefined ? {} : { reached: ratio / times }) };
  const bound = limit ?? below;
  if (bound === undefined || mine === undefined) return {};
  return { goal: limit === undefined ? { below } : { most: limit }, reached: bound / mine };
}

/** Returns the growth of the p50 of our queries from the smallest to the largest size. */
export function growthOf(small, large) {
  const before = new Map(answered(small).map((figure) => [figure.query, figure]));
  return answered(large)
    .filter(({ query }) => before.has(query))
    .map(({ query, kind, p50, rows }) => {
      const from = before.get(query);
      return { query, kind, small: from.p50, large: p50, growth: p50 / from.p50, rows: [from.rows, rows] };
    });
}
