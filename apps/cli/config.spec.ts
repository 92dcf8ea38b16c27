import { readSettings } from '#config';
import { configLines } from './config';

test('shows each setting, its value, and its source', () => {
  const { origins } = readSettings(['--port', '9090'], {
    NODELEDGER_RESOURCE_EVENTS_TTL: '3d',
    DATABASE_URL: 'postgres://me:hunter2@db/x',
  });
  const lines = configLines(origins).split('\n');
  expect(lines.find((line) => line.startsWith('NODELEDGER_PORT '))).toMatch(/^NODELEDGER_PORT +9090 +--port +port/);
  expect(lines.find((line) => line.startsWith('NODELEDGER_RESOURCE_EVENTS_TTL '))).toMatch(
    / 3d +environment .*keeps the report/,
  );
  expect(lines.find((line) => line.startsWith('NODELEDGER_EDITION '))).toMatch(/ full +default /);
  expect(lines.join('\n')).not.toContain('hunter2');
});
