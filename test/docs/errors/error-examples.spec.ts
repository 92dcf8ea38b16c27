/** Every error that a test can cause has its code and its status of the table of codes. */
import { type CodeEntry, type FaultCode, faultCodes } from '#fault';
import { allExamples, type Recorded } from './all-examples';

let recorded: Recorded;
beforeAll(async () => {
  recorded = await allExamples();
}, 300_000);

it('each answer has a status that the table has for its code', () => {
  const odd = recorded.examples.filter(({ code, status }) => {
    const { shows }: CodeEntry = faultCodes[code];
    return status !== undefined && !shows.includes(status);
  });
  expect(odd).toEqual([]);
});

/** Errors of answers that no example can cause. */
const unreachable: readonly FaultCode[] = [
  // The answer has begun, so the service breaks the connection.
  'query.stalled',
  // The client has left.
  'http.client-left',
  // PostgreSQL refuses a value that has passed every check of the service.
  'command.rejected',
  // The service waits a minute for the clock.
  'admin.clock-unknown',
];

it('each error of an answer has an example', () => {
  const shown = new Set<string>(recorded.examples.map(({ code }) => code));
  const missing = Object.keys(faultCodes).filter(
    (code) => /^(query|pql|http|command|admin|letters|wire)\./.test(code) && !shown.has(code),
  );
  expect(missing.sort()).toEqual([...unreachable].sort());
});

it('the answers to the ten most common mistakes in queries contain the correction', () => {
  expect(recorded.mistakes).toHaveLength(10);
  const corrections =
    /Did you mean|Put text in|double quotes|is not closed|is written|comes first|write \[|Write |its operators/;
  const silent = recorded.mistakes.flatMap(({ examples }) => examples).filter(({ text }) => !corrections.test(text));
  expect(silent).toEqual([]);
});
