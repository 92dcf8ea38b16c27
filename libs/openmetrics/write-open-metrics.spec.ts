import { writeOpenMetrics } from './write-open-metrics';

const one = (value: number) => () => [{ value }];

test('each type as the format wants it, and the end', async () => {
  const text = await writeOpenMetrics([
    {
      name: 'build',
      type: 'info',
      help: 'About it.',
      labels: ['version'],
      samples: () => [{ labels: ['1'], value: 1 }],
    },
    { name: 'events', type: 'counter', help: 'Events.', samples: one(3) },
    { name: 'held_bytes', type: 'gauge', help: 'Held.', unit: 'bytes', samples: async () => one(-0.5)() },
    {
      name: 'took_seconds',
      type: 'histogram',
      help: 'Took.',
      unit: 'seconds',
      labels: ['route'],
      samples: () => [
        {
          labels: ['/a'],
          buckets: [
            { bound: 0.001, count: 1 },
            { bound: 1, count: 2 },
          ],
          count: 4,
          sum: 7.25,
        },
      ],
    },
    { name: 'nothing', type: 'gauge', help: 'Is left out.', samples: () => [] },
  ]);
  expect(text).toBe(`# TYPE build info
# HELP build About it.
build_info{version="1"} 1.0
# TYPE events counter
# HELP events Events.
events_total 3.0
# TYPE held_bytes gauge
# UNIT held_bytes bytes
# HELP held_bytes Held.
held_bytes -0.5
# TYPE took_seconds histogram
# UNIT took_seconds seconds
# HELP took_seconds Took.
took_seconds_bucket{route="/a",le="0.001"} 1.0
took_seconds_bucket{route="/a",le="1.0"} 2.0
took_seconds_bucket{route="/a",le="+Inf"} 4.0
took_seconds_count{route="/a"} 4.0
took_seconds_sum{route="/a"} 7.25
# EOF
`);
});

test('texts are escaped, and numbers of any size are numbers', async () => {
  const text = await writeOpenMetrics([
    {
      name: 'a',
      type: 'gauge',
      help: 'One "line" \\ and\nanother.',
      labels: ['l'],
      samples: () => [
        { labels: ['x"\\\ny'], value: Number.NaN },
        { labels: ['b'], value: Infinity },
        { labels: ['c'], value: -Infinity },
        { labels: ['d'], value: 1e21 },
        { labels: ['e'], value: 1234567890123 },
      ],
    },
  ]);
  expect(text.split('\n').slice(1, -2)).toEqual([
    '# HELP a One \\"line\\" \\\\ and\\nanother.',
    'a{l="x\\"\\\\\\ny"} NaN',
    'a{l="b"} +Inf',
    'a{l="c"} -Inf',
    'a{l="d"} 1e+21',
    'a{l="e"} 1234567890123.0',
  ]);
});
