import { openLog } from '#observe';
import { RefusedConnections } from './refused-connections';

interface Line {
  readonly reason: string;
  readonly more?: number;
}

function logged(): { readonly lines: Line[]; readonly refused: RefusedConnections } {
  const lines: Line[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text) as Line) };
  return { lines, refused: new RefusedConnections(openLog({ level: 'info', destination })) };
}

test('each reason is logged once a minute, with how often it was met meanwhile', () => {
  const { lines, refused } = logged();
  for (let at = 0; at < 10; at++) refused.add('expired', '192.0.2.1', at * 1_000);
  refused.add('revoked', '192.0.2.1', 10_000);
  refused.add('expired', '192.0.2.1', 60_000);
  expect(lines.map(({ reason, more }) => [reason, more])).toEqual([
    ['expired', undefined],
    ['revoked', undefined],
    ['expired', 9],
  ]);
});

test('reasons without number are neither all logged nor all kept', () => {
  const { lines, refused } = logged();
  for (let at = 0; at < 1_000; at++) refused.add(`name ${at}`, undefined, 0);
  expect(lines).toHaveLength(100);
  refused.add('later', undefined, 60_000);
  expect(lines).toHaveLength(101);
});
