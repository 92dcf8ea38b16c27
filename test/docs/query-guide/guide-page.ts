import { type Chapter, chapters, type Question } from './questions';

/** Rows of an answer that the page shows. */
const mostShown = 5;

function answered({ question, pql, note }: Question, rows: readonly string[]): string {
  const shown = rows.slice(0, mostShown);
  const more = rows.length - shown.length;
  const answer = [...shown, ...(more > 0 ? [`… ${more} more`] : [])].join('\n');
  return [
    `### ${question}`,
    `\`\`\`text\n${pql}\n\`\`\``,
    ...(note === undefined ? [] : [note]),
    rows.length === 0 ? 'No rows.' : `\`\`\`text\n${answer}\n\`\`\``,
  ].join('\n\n');
}

const chapter = ({ title, questions }: Chapter, answers: ReadonlyMap<string, readonly string[]>): string =>
  [`## ${title}`, ...questions.map((one) => answered(one, answers.get(one.question) ?? []))].join('\n\n');

/** Returns docs/query-guide.md. `answers`: the rows of each question, as JSON. */
export function guidePage(answers: ReadonlyMap<string, readonly string[]>): string {
  return `${[
    '# Questions about a fleet, and the queries that answer them',
    'This page contains queries that answer frequent questions about a fleet. Copy a query, and replace the names in it by names of\n' +
      'your fleet. You can send the query with the command line:',
    '```\n' + 'nodeledger query \'nodes[certname] { latest_report_status = "failed" }\'\n' + '```',
    'You can also send the query over HTTP:',
    '```\n' +
      'curl -G http://127.0.0.1:8080/pdb/query/v4 --data-urlencode format=csv \\\n' +
      '  --data-urlencode \'query=nodes[certname] { latest_report_status = "failed" }\'\n' +
      '```',
    '[operators.md](operators.md) lists the operators and functions. It also lists the parts of the query language that PuppetDB does\n' +
      'not support. [entities.md](entities.md) lists the entities and their fields.',
    '## Formats of answers',
    'The default format is JSON. You select another format with the parameter `format`, or with the header `Accept`. On the command\n' +
      'line, use `nodeledger query --format`:',
    '| `format`      | `Accept`               | answer                                           |\n' +
      '| ------------- | ---------------------- | ------------------------------------------------ |\n' +
      '| `csv`         | `text/csv`             | CSV                                              |\n' +
      '| `ndjson`      | `application/x-ndjson` | one JSON object per line, for `jq` and log tools |\n' +
      '| `spreadsheet` |                        | CSV without formulas, for spreadsheet programs   |',
    'The service sends each row as soon as it has read the row, so an answer can have any size. In CSV, a cell contains a list or a map\n' +
      'as JSON text. The header line contains the names of the columns in the first row. If the answer has no rows, the CSV is empty and\n' +
      'has no header line.',
    'A node can send a fact such as `=1+1`. Spreadsheet programs run such a text as a formula. The format `spreadsheet` prevents this\n' +
      'with an apostrophe before each text that begins with `=`, `@`, a tab or a carriage return. It also adds an apostrophe before a\n' +
      'text that begins with `+` or `-` and is not a number. When you open the file, select the comma as the separator. With another\n' +
      'separator, such as `;`, the program can split a text, and the second part can be a formula.',
    '## The answers on this page',
    `The answers come from a simulated fleet of 12 machines and an old load balancer. The page shows at most ${mostShown} rows of each answer. If\n` +
      'you have no fleet of your own, run `npm run demo` and send the queries to the demo. The demo has other machines, so some queries\n' +
      'find no rows there.',
    'A test makes this page from `test/docs/query-guide/questions.ts`. After a change, run\n' +
      '`NODELEDGER_WRITE_PAGES=1 npx jest test/docs/query-guide`.',
    ...chapters.map((one) => chapter(one, answers)),
  ].join('\n\n')}\n`;
}
