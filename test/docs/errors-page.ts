import { type CodeEntry, faultCodes, type Surface } from '#fault';

const intro = `# Errors

This page lists what each error means and what to do about it. The code of an error does not change, so programs and monitoring
can match it.

- An error answer has its code in the header \`X-Nodeledger-Error\`, such as \`X-Nodeledger-Error: query.field\`. The body is a text
  for people; some bodies are plain text and some are JSON, as in PuppetDB. The text may change.
- If a client waits for its command (\`secondsToWaitForCompletion\`) and the command is rejected, the answer has the code of the
  dead letter. If the wait times out, there is no code: the command is in the log and will be processed.
- The \`exception\` of a dead letter begins with the code. Log lines have the code in \`code\` or \`err.code\`.
- If the service does not start, it prints the text without the code. So does the command line.

This page is generated from \`libs/fault/codes\` (\`npm run docs:errors\`).`;

const surfaceText = (surface: Surface): string => (typeof surface === 'number' ? `answer ${surface}` : surface);

const section = (code: string, { shows, meaning, remedy }: CodeEntry): string =>
  `### ${code}\n\n${meaning} **Remedy:** ${remedy} _(${shows.map(surfaceText).join(', ')})_`;

const groupOf = (code: string): string => code.split('.', 1)[0] ?? '';

/** Returns docs/errors.md, as prettier formats it: a heading for each code, below one for the first word of the code. */
export function errorsPage(): string {
  const entries = Object.entries<CodeEntry>(faultCodes).sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = entries.flatMap(([code, entry], index) => {
    const isFirst = groupOf(code) !== groupOf(entries[index - 1]?.[0] ?? '');
    return [...(isFirst ? [`## ${groupOf(code)}`] : []), section(code, entry)];
  });
  return `${[intro, ...sections].join('\n\n')}\n`;
}
