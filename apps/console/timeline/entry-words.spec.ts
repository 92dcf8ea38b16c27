import type { TimelineEntry } from '../service/shapes';
import { byDay, changeLines, entryTone, entryWords, isQuiet } from './entry-words';

const entry = (some: Partial<TimelineEntry>): TimelineEntry => ({
  id: 'a/facts',
  kind: 'facts',
  certname: 'web1.example.com',
  received_at: '2026-11-20T09:14:05.377Z',
  environment: null,
  status: null,
  seen_until: '2026-11-20T09:14:05.377Z',
  seen_count: 1,
  added: 0,
  changed: 0,
  removed: 0,
  changes: [],
  changes_left_out: 0,
  ...some,
});

const wordsOf = (some: Partial<TimelineEntry>): string => {
  const { name, note } = entryWords(entry(some));
  return `${name} | ${note}`;
};

test('says what an entry is about, and how much changed', () => {
  expect(wordsOf({ added: 1, changed: 1200 })).toBe('Facts | 1 fact added, 1200 changed');
  expect(wordsOf({ kind: 'catalog', removed: 2 })).toBe('Catalog | 2 resources removed');
  const code = { part: 'code_id', change: 'changed', old: 'a', new: 'b' } as const;
  expect(wordsOf({ kind: 'catalog', changes: [code] })).toBe('Catalog | other code');
  expect(wordsOf({ kind: 'report', status: 'failed', changed: 3 })).toBe('Run failed | 3 events');
  expect(wordsOf({ kind: 'report', status: 'unchanged', seen_count: 28 })).toBe('28 unchanged runs | ');
  expect(wordsOf({ kind: 'deactivated' })).toBe('Deactivated | ');
});

test('folds unchanged runs only, and marks failed runs', () => {
  const kinds = [
    entry({}),
    entry({ kind: 'report', status: 'unchanged' }),
    entry({ kind: 'report', status: 'failed' }),
    entry({ kind: 'expired' }),
  ];
  expect(kinds.map(isQuiet)).toEqual([false, true, false, false]);
  expect(kinds.map(entryTone)).toEqual(['changed', 'unchanged', 'failed', 'stale']);
});

test('groups entries by the day of the viewer', () => {
  const at = (hours: number): { received_at: string } => ({
    received_at: new Date(2026, 10, 20, hours).toISOString(),
  });
  const days = byDay([at(23), at(1), at(-1), at(-30)]);
  expect(days.map(({ day, entries }) => [new Date(day).getDate(), entries.length])).toEqual([
    [20, 2],
    [19, 1],
    [18, 1],
  ]);
});

test('spells changes with the old and the new value, if there was or is one', () => {
  expect(changeLines({ part: 'facts', change: 'changed', path: ['os', 'a.b', 0], old: null, new: 2 })).toEqual([
    { name: 'os."a.b"[0]', old: null, new: 2 },
  ]);
  expect(
    changeLines({ part: 'packages', change: 'added', name: 'curl', provider: 'apt', old: [], new: ['8.1', '8.2'] }),
  ).toEqual([{ name: 'curl', new: '8.1, 8.2' }]);
  const file = { part: 'resources', type: 'File', title: '/etc/motd' } as const;
  expect(changeLines({ ...file, change: 'removed', old: { parameters: {} } })).toEqual([
    { name: 'File[/etc/motd]', only: 'removed' },
  ]);
  const mode = { change: 'changed', path: ['parameters', 'mode'], old: '0600', new: '0644' } as const;
  expect(changeLines({ ...file, change: 'changed', changes: [mode] })).toEqual([
    { name: 'File[/etc/motd] mode', old: '0600', new: '0644' },
  ]);
  expect(
    changeLines({
      part: 'events',
      status: 'failure',
      resource_type: 'File',
      resource_title: '/etc/motd',
      property: 'ensure',
      message: 'no space left',
      old_value: 'absent',
      new_value: 'file',
    }),
  ).toEqual([{ name: 'File[/etc/motd] ensure', old: 'absent', new: 'file', message: 'no space left' }]);
  const commit = '04d75d6fc26a6f09ac183c5ccb99c3e2c400cbc9';
  expect(changeLines({ part: 'code_id', change: 'changed', old: null, new: commit } as never)).toEqual([
    { name: 'code', new: '04d75d6fc26a' },
  ]);
});
