import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileQuery, parseAst } from '../../libs/query/compile';
import { entities } from '../../libs/query/entities/registry';
import { queryFunctions } from '../../libs/query/operators/functions';
import { fieldOperators, structuralOperators } from '../../libs/query/operators/operators';
import { parsePql } from '../../libs/query/pql';
import { operatorsPage } from './operators-page';

const file = join(__dirname, '../../docs/operators.md');
const target = { schema: 'page', edition: 'full', dialect: 'neutral' } as const;

it('docs/operators.md is what the tables say (NODELEDGER_WRITE_PAGES=1 writes it)', () => {
  const page = operatorsPage();
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});

/** Returns true if an entity accepts the condition. */
const isTaken = (condition: string): boolean =>
  entities.some(({ name }) => {
    try {
      compileQuery({ entity: name, ast: parseAst(condition) }, target);
      return true;
    } catch {
      return false;
    }
  });

it.each([...fieldOperators, ...structuralOperators].map(({ name, example }) => [name, example]))(
  'the example of %s is a query: %s',
  (name, example) => {
    expect(example.startsWith(`["${name}"`)).toBe(true);
    expect(isTaken(example)).toBe(true);
  },
);

it.each(structuralOperators.map(({ example, pql }) => [pql, example]))('%s is the PQL of %s', (pql, example) => {
  expect(parsePql(`nodes { ${pql} }`)[2]).toEqual(parseAst(example));
});

const pairs = [...operatorsPage().matchAll(/^\| `(\w[^`]*)`\s+\| `(\[[^`]*\])`\s+\|$/gm)].map(
  ([, pql = '', json = '']) => [pql, json],
);

it('the page has pairs of PQL and JSON', () => expect(pairs).toHaveLength(9));

it.each(pairs)('%s is the PQL of %s', (pql, json) => {
  const isQuery = json.startsWith('["from"');
  const ast = parsePql(isQuery ? pql : `reports { ${pql} }`);
  expect(isQuery ? ast : ast[2]).toEqual(parseAst(json));
  if (isQuery) expect(() => compileQuery({ ast }, target)).not.toThrow();
});

it.each(queryFunctions.map(({ name, example }) => [name, example]))('the example of %s is a query: %s', (name, pql) => {
  expect(pql).toContain(`${name}(`);
  expect(() => compileQuery({ ast: parsePql(pql) }, target)).not.toThrow();
});
