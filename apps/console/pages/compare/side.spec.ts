import { sideParameter, readSide, typedTime, writeSide } from './side';

const time = '2026-11-19T14:10:00.000Z';

test('reads a side with its time, or with the one that the viewer looks at', () => {
  expect(readSide('web1', undefined)).toEqual({ certname: 'web1', time: undefined });
  expect(readSide('web1', time)).toEqual({ certname: 'web1', time });
  expect(readSide('web1@now', time)).toEqual({ certname: 'web1', time: undefined });
  expect(readSide(`web1@${time}`, undefined)).toEqual({ certname: 'web1', time });
});

test('writes a side so that it means the same at any time', () => {
  for (const side of [
    { certname: 'web1', time },
    { certname: 'web1', time: undefined },
  ])
    expect(readSide(writeSide(side), '2026-01-01T00:00:00.000Z')).toEqual(side);
  expect(writeSide({ certname: '', time })).toBe('');
  expect([sideParameter({ certname: 'web1', time }), sideParameter({ certname: 'web1', time: undefined })]).toEqual([
    `web1@${time}`,
    'web1',
  ]);
});

test('reads a typed time', () => {
  expect([typedTime(''), typedTime(' now '), typedTime('soon')]).toEqual([undefined, undefined, null]);
  expect(typedTime('2026-11-19')).toBe(new Date(2026, 10, 19).toISOString());
});
