/** Makes docs/errors.md from the table of codes and from examples that have just happened. */
import type { CodeEntry, FaultCode, Place } from '#fault';
import { archiveCodes } from '../../../libs/fault/codes/archive-codes';
import { commandLineCodes } from '../../../libs/fault/codes/command-line-codes';
import { databaseCodes } from '../../../libs/fault/codes/database-codes';
import { logCodes } from '../../../libs/fault/codes/log-codes';
import { importCodes } from '../../../libs/fault/codes/import-codes';
import { maintenanceCodes } from '../../../libs/fault/codes/maintenance-codes';
import { queryCodes } from '../../../libs/fault/codes/query-codes';
import { requestCodes } from '../../../libs/fault/codes/request-codes';
import { startCodes } from '../../../libs/fault/codes/start-codes';
import { tlsCodes } from '../../../libs/fault/codes/tls-codes';
import { wireCodes } from '../../../libs/fault/codes/wire-codes';
import type { Recorded } from './all-examples';
import type { Example } from './example';

const chapters: readonly (readonly [string, Readonly<Record<string, CodeEntry>>])[] = [
  ['Queries', queryCodes],
  ['Requests, commands and maintenance over HTTP', requestCodes],
  ['Import of archives', importCodes],
  ['Rejected commands', wireCodes],
  ['The log', logCodes],
  ['PostgreSQL', databaseCodes],
  ['Settings, start and projector', startCodes],
  ['Files of HTTPS', tlsCodes],
  ['Rebuild, verify, snapshot and copy', maintenanceCodes],
  ['Archives', archiveCodes],
  ['Command line', commandLineCodes],
];

const intro = `# Errors

This page lists what each error means and what to do about it. The code of an error does not change, so programs and monitoring
can match it.

- An error answer has its code in the header \`X-Nodeledger-Error\`, such as \`X-Nodeledger-Error: query.field\`. The body is a text
  for people, in the form of PuppetDB's interface. It may change.
- If a client waits for its command (\`secondsToWaitForCompletion\`) and the command is rejected, the answer has the code of the
  dead letter. If the wait times out, there is no code: the command is in the log and will be processed.
- The \`exception\` of a dead letter begins with the code. Log lines have the code in \`code\` or \`err.code\`.
- If the service does not start, it prints the text without the code. So does the command line.

This page is generated from \`libs/fault/codes\` and from errors that a test causes (\`npm run docs:errors\`). Times, ids and
addresses in the examples are placeholders.`;

/** The codes of the table that no example has. */
export function withoutExample({ examples }: Recorded): FaultCode[] {
  const shown = new Set<string>(examples.map(({ code }) => code));
  return chapters.flatMap(([, codes]) => Object.keys(codes)).filter((code) => !shown.has(code)) as FaultCode[];
}

const placeText = (place: Place): string => (typeof place === 'number' ? `answer ${place}` : place);

/** What was done, then what was said. */
function block({ given, status, text }: Example): string {
  const said = status === undefined ? text : `${status}\n${text}`;
  const lines = `${given}\n\n${said}`.split('\n').map((line) => line.trimEnd());
  return ['```text', lines.join('\n').trimEnd(), '```'].join('\n');
}

function section(code: string, { shows, meaning, remedy }: CodeEntry, examples: readonly Example[]): string {
  return [
    `### ${code}`,
    `${meaning}`,
    [`- Where: ${shows.map(placeText).join(', ')}`, `- What to do: ${remedy}`].join('\n'),
    ...examples.filter((example) => example.code === code).map(block),
  ].join('\n\n');
}

/** The whole page, as prettier would lay it out. */
export function errorsPage(recorded: Recorded): string {
  const missing = withoutExample(recorded);
  const all = chapters.flatMap(([, codes]) => Object.keys(codes)).length;
  return `${[
    intro,
    '## The ten most common mistakes in queries',
    'Each with the answer of `/pdb/query/v4`, in both languages where it can be made in both. Entities and fields are in ' +
      '[entities.md](entities.md).',
    ...recorded.mistakes.flatMap(({ title, examples }) => [`### ${title}`, ...examples.map(block)]),
    ...chapters.flatMap(([title, codes]) => [
      `## ${title}`,
      ...Object.entries(codes).map(([code, entry]) => section(code, entry, recorded.examples)),
    ]),
    '## Codes without an example',
    `These ${missing.length} of ${all} codes have none. Most would take a broken disk or broker, or a second process at the right moment.`,
    missing.map((code) => `- \`${code}\``).join('\n'),
  ].join('\n\n')}\n`;
}
