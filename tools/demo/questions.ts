import { askService } from '../../apps/cli/ask-service';
import { nodesQuery } from '../../apps/cli/nodes';
import { forTerminal, rowWriters } from '../../apps/cli/query/row-format';
import { answeredRows } from '../../apps/cli/query/print-rows';

interface DemoQuestion {
  readonly question: string;
  /** Arguments for `nodeledger`, without shell quotes. */
  readonly words: readonly string[];
  readonly query: string;
  /** A hint about data that the answer omits, and the arguments of the command that shows this data. */
  readonly also?: { readonly text: string; readonly words: readonly string[] };
}

const pqlQuestion = (question: string, query: string): DemoQuestion => ({ question, words: ['query', query], query });

const questions = (now: number): readonly DemoQuestion[] => [
  {
    question: 'Which nodes failed in their last run?',
    words: ['nodes', '--failed'],
    query: JSON.stringify(nodesQuery({ failed: true }, now)),
  },
  {
    ...pqlQuestion(
      'Why did they fail?',
      'events[certname, containing_class, message] { latest_report? = true and status = "failure" order by certname }',
    ),
    also: { text: 'A node that got no catalog has no events. Its report has the reason:', words: ['report', 'NODE'] },
  },
  pqlQuestion(
    'Which classes failed most in the last two days?',
    'events[containing_class, count()] { status = "failure" and timestamp > now() - 2d group by containing_class order by count() desc, containing_class }',
  ),
  {
    question: 'Which nodes have not reported for 2 hours?',
    words: ['nodes', '--unreported', '2h'],
    query: JSON.stringify(nodesQuery({ unreported: 7_200_000 }, now)),
  },
  pqlQuestion(
    'Which nodes run openssl older than 3.0.9?',
    'package_inventory[certname, version] { package_name = "openssl" and version(version) < version("3.0.9") order by certname }',
  ),
  pqlQuestion(
    'Which runs waited longest for their catalog?',
    'reports[certname, metrics.time.config_retrieval] { latest_report? = true and metrics.time.config_retrieval is not null order by metrics.time.config_retrieval desc limit 10 }',
  ),
];

const mostRows = 4;
const usualWidth = 110;
const indent = '    ';

const shellWords = (words: readonly string[]): string =>
  words.map((word) => (/^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');

/** `program` is the text with which users call the command line. Each command needs `flags`. */
export async function* answeredQuestions(
  url: string,
  { program, flags }: { readonly program: string; readonly flags: readonly string[] },
): AsyncGenerator<string> {
  const width = (process.stdout.columns || usualWidth) - indent.length;
  for (const { question, words, query, also } of questions(Date.now())) {
    const answer = await askService(url, '/pdb/query/v4', { method: 'POST', body: JSON.stringify({ query }) });
    let text = '';
    for await (const piece of rowWriters.table(answeredRows(answer), { width })) text += piece;
    const [title = '', ...rest] = forTerminal('table', text).trimEnd().split('\n');
    const [total, rows] = [rest.at(-1) ?? title, rest.slice(0, -1)];
    const shown = rows.length === 0 ? [total] : [title, ...rows.slice(0, mostRows)];
    const more = rows.length > mostRows ? [`… ${rows.length - mostRows} more`] : [];
    const lines = [...shown, ...more].map((line) => `${indent}${line}\n`);
    const command = (given: readonly string[]): string => `${program} ${shellWords([...given, ...flags])}`;
    yield `\n${question}\n  ${command(words)}\n${lines.join('')}${also === undefined ? '' : `  ${also.text} ${command(also.words)}\n`}`;
  }
}
