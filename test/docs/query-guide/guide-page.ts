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
    'Copy a query from this page and change its names to those of your fleet. Send it with the command line:',
    '```\nnodeledger query \'nodes[certname] { latest_report_status = "failed" }\'\n```',
    'or over HTTP. `format=csv` gives CSV, `format=ndjson` one JSON object per line for `jq` and log tools; the header\n' +
      '`Accept: text/csv` or `Accept: application/x-ndjson` does the same. The service sends rows while it reads them.',
    '```\ncurl -G http://127.0.0.1:8080/pdb/query/v4 --data-urlencode format=csv \\\n  --data-urlencode \'query=nodes[certname] { latest_report_status = "failed" }\'\n```',
    'CSV has the columns of the first row. Lists and maps stand in a cell as JSON. If there are no rows, the CSV is empty and has no header line.',
    'A node can send a fact such as `=1+1`, and spreadsheet programs run such a text as a formula. For a spreadsheet, use\n' +
      '`format=spreadsheet` (`nodeledger query --format spreadsheet`). It returns CSV with an apostrophe before each text that begins with\n' +
      '`=`, `@`, a tab or a carriage return, and before each text that begins with `+` or `-` and is not a number. Open it with the comma as\n' +
      'the separator: another separator, such as `;`, can cut a text just before a formula.',
    '[operators.md](operators.md) lists the operators and functions, and what PuppetDB does not have of them.\n' +
      '[entities.md](entities.md) lists the entities and their fields.',
    `The answers are those of a simulated fleet of 12 machines and an old load balancer, at most ${mostShown} rows of each. To ask\n` +
      'the questions without a fleet of your own, run `npm run demo`. Its machines are others, so some answers have no rows there.',
    'This page is made from `test/docs/query-guide/questions.ts`; `NODELEDGER_WRITE_PAGES=1 npx jest test/docs/query-guide` writes it again.',
    ...chapters.map((one) => chapter(one, answers)),
  ].join('\n\n')}\n`;
}
