/** Answers that do not depend on the order of rows or on how PostgreSQL runs the query. */
import { databaseErrorCode, type Generation } from '#database';
import { factset } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { fromPlain } from './ast/json';
import { compileQuery } from './compile';
import { entities } from './entities/registry';

let bench: ProjectionBench;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
});
afterAll(async () => bench.close());

async function rowsOf(entity: string, query: unknown, { schema }: Generation = bench.generation): Promise<string[]> {
  const { rows } = compileQuery({ entity, ast: fromPlain(query) }, { schema, edition: 'full', dialect: 'neutral' });
  return (await bench.db.query<{ row: string }>(rows)).map(({ row }) => row);
}

describe('equal numbers that are spelled differently', () => {
  const spellings = ['11', '11.0', '-3', '-3.0', '7', '1e1', '10'];
  const payload = (certname: string, number: string): string =>
    JSON.stringify(factset(certname, { slot: 'N', list: ['N'] })).replaceAll('"N"', number);

  beforeAll(async () => {
    for (const [round, list] of [spellings, [...spellings].reverse()].entries())
      for (const [index, number] of list.entries())
        await bench.submit('replace facts', `${round}-${index}`, { payload: payload(`${round}-${index}`, number) });
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
  });

  // The reference shows the spelling of the row that it meets first.
  test.each([
    ['facts', 'value', ['=', 'name', 'slot'], ['-3', '10', '11', '7']],
    ['facts', 'value', ['=', 'name', 'list'], ['[-3.0]', '[10.0]', '[11.0]', '[7]']],
    ['fact-contents', 'value', ['=', 'path', ['slot']], ['-3', '10', '11', '7']],
    ['inventory', 'facts.slot', ['~', 'certname', '.'], ['-3', '10', '11', '7']],
    ['inventory', 'facts.list', ['~', 'certname', '.'], ['[-3.0]', '[10.0]', '[11.0]', '[7]']],
  ])('%s: %s is grouped under the least text, in any order of rows', async (entity, field, condition, shown) => {
    for (const round of ['^0-', '^1-', '.']) {
      const rows = await rowsOf(entity, [
        'extract',
        [field],
        ['and', condition, ['~', 'certname', round]],
        ['group_by', field],
      ]);
      expect(rows.map((row) => row.replace(/^.* : (.*)}$/, '$1')).sort()).toEqual(shown);
    }
  });

  test.each([
    ['facts', 'value', ['=', 'name', 'slot']],
    ['fact-contents', 'value', ['=', 'path', ['slot']]],
    ['inventory', 'facts.slot', ['~', 'certname', '.']],
    // The reference gives that of the row that it meets last.
  ])('%s: min and max of %s have the most decimals, as the sum has', async (entity, field, condition) => {
    for (const round of ['^0-', '^1-', '.']) {
      const folded = (name: string): Promise<string[]> =>
        rowsOf(entity, ['extract', [['function', name, field]], ['and', condition, ['~', 'certname', round]]]);
      expect(await folded('max')).toEqual([expect.stringMatching(/"max" : 11\.0}$/)]);
      expect(await folded('min')).toEqual([expect.stringMatching(/"min" : -3\.0}$/)]);
    }
  });
});

describe('a faulty regular expression', () => {
  let empty: Generation;
  beforeAll(async () => {
    empty = await bench.newGeneration();
  });

  const matchable = entities.flatMap(({ name, fields, keyed }) => [
    ...fields
      .filter((field) => field.uses?.includes('ask') !== false && field.option === undefined)
      .map((field) => [name, field.name] as const),
    ...Object.keys(keyed ?? {}).map((container) => [name, [container, 'x']] as const),
    ...(name === 'inventory' ? [[name, 'facts.a.b'] as const, [name, 'trusted.a'] as const] : []),
    ...(name === 'resources' ? [[name, 'parameters.a'] as const] : []),
  ]);

  test.each(matchable)('%s, %j: refused also where there are no rows', async (entity, field) => {
    for (const query of [
      ['~', field, '['],
      ['not', ['~', field, '[']],
      ['or', ['~', field, 'a'], ['~', field, '(']],
    ]) {
      let answer: unknown = 'answered';
      try {
        await rowsOf(entity, query, empty);
      } catch (error) {
        answer = databaseErrorCode(error) ?? (error as { code: string }).code;
      }
      expect(['2201B', 'query.operator']).toContain(answer);
    }
  });

  test.each([
    ['fact-contents', ['~>', 'path', ['a', '[']]],
    ['fact-paths', ['~>', 'path', ['a', '[']]],
    ['inventory', ['=', 'facts.match("[").a', 1]],
    ['resources', ['=', 'parameters.match("[")', 1]],
    ['resources', ['~', ['parameter', '['], 'a']],
  ])('%s, %j: refused, too', async (entity, query) => {
    await expect(rowsOf(entity, query, empty)).rejects.toMatchObject({ code: '2201B' });
  });
});
