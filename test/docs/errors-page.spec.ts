/**
 * docs/errors.md says of every code what it means and shows what people really read: each example happens here, before
 * the page is compared. `npm run docs:errors` writes the page.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeEntry, type FaultCode, faultCodes } from '#fault';
import { allExamples, type Recorded } from './errors/all-examples';
import { errorsPage, withoutExample } from './errors/errors-page';

const docs = join(__dirname, '../../docs');
const file = join(docs, 'errors.md');

let recorded: Recorded;
beforeAll(async () => {
  recorded = await allExamples();
}, 300_000);

it('the page is what the table and the examples say', () => {
  const page = errorsPage(recorded);
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});

it('an example has a status that the table knows, or is no answer', () => {
  const odd = recorded.examples.filter(({ code, status }) => {
    const { shows }: CodeEntry = faultCodes[code];
    return status !== undefined && !shows.includes(status);
  });
  expect(odd).toEqual([]);
});

/** Of what clients are told, those that nothing here can bring about. */
const unreachable: readonly FaultCode[] = [
  // The answer has begun: its connection breaks.
  'query.stalled',
  // Nobody is there to read it.
  'http.client-left',
  // PostgreSQL refuses a value that every check of the program has passed.
  'command.rejected',
  // A minute of waiting for a clock.
  'admin.clock-unknown',
];

it('all that clients are told has an example', () => {
  const missing = withoutExample(recorded).filter((code) =>
    /^(query|pql|http|command|admin|letters|wire)\./.test(code),
  );
  expect(missing.sort()).toEqual([...unreachable].sort());
});

it('the ten mistakes are ten, and each answer says what would be right', () => {
  expect(recorded.mistakes).toHaveLength(10);
  const silent = recorded.mistakes
    .flatMap(({ examples }) => examples)
    .filter(
      ({ text }) =>
        !/Did you mean|Put text in|double quotes|is not closed|is written|comes first|write \[|Write |its operators/.test(
          text,
        ),
    );
  expect(silent).toEqual([]);
});

it('docs/gaps.md says how many codes have no example', () => {
  const gaps = readFileSync(join(docs, 'gaps.md'), 'utf8');
  expect(gaps).toContain(
    `${withoutExample(recorded).length} of ${Object.keys(faultCodes).length} codes have no example`,
  );
});
