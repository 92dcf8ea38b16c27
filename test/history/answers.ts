import { type Database, databaseErrorCode, type Generation } from '#database';
import { defaultLimits } from '#limits';
import { type AstJson, isList, isMap, stringifyAst } from '../../libs/query/ast/json';
import { parseAst } from '../../libs/query/ast/parse-ast';
import { placed, type PlacedMoment } from '../../libs/query/sql/fragment';
import { compiled, type Question } from './questions';

/** The rows of each statement, and the totals, as texts that are equal for equal answers. */
export interface Answer {
  readonly rows: readonly string[];
  readonly totals: readonly string[];
  /** The statements, so that a test can tell which tables they read. */
  readonly text: string;
}

/** Asks about the moment. */
export async function answerAsOf(
  db: Database,
  { schema }: Generation,
  asked: Question,
  moment: PlacedMoment & { readonly name: string },
): Promise<Answer> {
  return answer(db, asked, compiled(asked, moment.name).statements, (statement) => placed(statement, schema, moment));
}

/** Asks about the present, as a service whose clock shows `time`. */
export async function answerNow(db: Database, { schema }: Generation, asked: Question, time: string): Promise<Answer> {
  return answer(db, asked, compiled(asked).statements, (statement) => {
    const { text, values } = placed(statement, schema);
    return { text: text.replaceAll('now()', `'${time}'::timestamptz`), values };
  });
}

type Statements = ReturnType<typeof compiled>['statements'];

async function answer(
  db: Database,
  { isOrdered }: Question,
  statements: Statements,
  place: (statement: Statements[number]['rows']) => Statements[number]['rows'],
): Promise<Answer> {
  const run = async (statement: Statements[number]['rows']): Promise<string[]> => {
    try {
      return (await db.query<{ row: string }>(place(statement))).map(({ row }) => canonical(row));
    } catch (error) {
      // A value that PostgreSQL refuses, such as a regular expression.
      const code = databaseErrorCode(error);
      if (code === undefined || !code.startsWith('22')) throw error;
      return [`refused: ${code}`];
    }
  };
  const rows: string[] = [];
  const totals: string[] = [];
  for (const { rows: asked, total } of statements) {
    const found = await run(asked);
    rows.push(...(isOrdered ? found : found.sort()));
    if (total !== undefined) totals.push(...(await run(total)));
  }
  return { rows, totals, text: statements.map(({ rows: { text } }) => text).join('\n') };
}

/**
 * Sorts the lists inside a row, and the members of maps: both have the order of the tables. Numbers stay as they are
 * written.
 */
export function canonical(row: string): string {
  if (!row.startsWith('{')) return row;
  return stringifyAst(sorted(parseAst(row, { ...defaultLimits, queryText: Infinity, queryNodes: Infinity })));
}

const byText = (a: AstJson, b: AstJson): number => (stringifyAst(a) < stringifyAst(b) ? -1 : 1);

function sorted(value: AstJson): AstJson {
  if (isList(value)) return value.map(sorted);
  if (!isMap(value)) return value;
  const members = [...value].map(([key, one]): [string, AstJson] => {
    const inner = sorted(one);
    return [key, key === 'data' && isList(inner) ? [...inner].sort(byText) : inner];
  });
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
