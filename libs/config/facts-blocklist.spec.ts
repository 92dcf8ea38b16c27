import { blocklist, readBlocklist } from './facts-blocklist';

it('reads names and patterns, and drops what they say', () => {
  const entries = readBlocklist('uptime_seconds, /^mem.*_mb$/,');
  expect(entries).toEqual(['uptime_seconds', '/^mem.*_mb$/']);
  const drops = blocklist(entries ?? []);
  expect(['uptime_seconds', 'uptime', 'memorysize_mb', 'memorysize_mb_free'].map((name) => drops?.(name))).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('drops nothing without entries, and refuses a pattern that is none', () => {
  expect(blocklist(readBlocklist('') ?? ['unread'])).toBeUndefined();
  expect(readBlocklist('/(/')).toBeUndefined();
});
