import { type CodeEntry, faultCodes, type Surface } from '#fault';

const intro = `# Errors

This page lists all errors by their code, and describes the cause and the remedy of each error. Codes never change, so programs and
monitoring can compare them. After each remedy, the text in parentheses lists where you can see the error.

- **Answers:** an answer to a failed request has the code in the header \`X-Nodeledger-Error\`, such as \`X-Nodeledger-Error: query.field\`.
  The body is a text for people, as plain text or JSON. The text can change between releases.
- **Clients that wait for a command** (\`secondsToWaitForCompletion\`): if the projector rejects the command, the answer has the code of the
  dead letter. If the wait times out, the answer has no code. The command is in the log, and the projector will process it.
- **Dead letters:** the \`exception\` of a dead letter begins with the code.
- **Service log:** log lines contain the code in \`code\` or \`err.code\`.
- **Start and command line:** the service and the command line print the text without the code.

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
