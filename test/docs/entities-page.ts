/**
 * Makes docs/entities.md from the descriptors of libs/query/entities. It asks the compiler for the operators of each
 * field, so the page describes the actual behavior.
 */
import { compileQuery, type QueryRequest } from '../../libs/query/compile';
import { fromPlain } from '../../libs/query/ast/json';
import type { Entity, Field } from '../../libs/query/entities/entity';
import { entities } from '../../libs/query/entities/registry';
import { nullBoolean } from '../../libs/query/kinds/boolean';
import { fieldOperator } from '../../libs/query/operators/operators';
import { pqlEntities } from '../../libs/query/pql';
import { operatorProbes } from '../support/operator-probes';
import { markdownTable } from './markdown-table';

const target = { schema: 'page', edition: 'full', dialect: 'neutral' } as const;
const options = { includeFactsExpiration: true, includePackageInventory: true };

/** The kinds of fields, sorted by name. */
function kinds(): string[][] {
  const meanings = new Map(entities.flatMap(({ fields }) => fields.map(({ kind }) => [kind.name, kind.meaning])));
  return [...meanings].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** `<` represents the four orderings, and an operator also represents its negation. */
const probes = operatorProbes.filter(
  ([name]) => !['<=', '>', '>='].includes(name) && fieldOperator(name)?.negates === undefined,
);

function compiles(request: QueryRequest): boolean {
  try {
    compileQuery({ ...request, options }, target);
    return true;
  } catch {
    return false;
  }
}

function operators({ name }: Entity, field: Field): string {
  const found = probes.filter(([operator, values]) =>
    values.some((value) => compiles({ entity: name, ast: fromPlain([operator, field.name, value]) })),
  );
  const spelled = found.map(([operator]) => (operator === '<' ? '`<` `<=` `>` `>=`' : `\`${operator}\``));
  return spelled.length === 0 ? 'none' : spelled.join(' ');
}

const shown = ({ name }: Entity, field: Field): boolean =>
  compiles({ entity: name, ast: fromPlain(['extract', [field.name]]) });
const ordered = ({ name }: Entity, field: Field): boolean =>
  compiles({ entity: name, paging: { orderBy: [{ field: field.name, order: 'asc' }] } });

function notes(field: Field): string {
  const parts = [
    field.puppetName === undefined ? '' : `\`${field.puppetName}\` in dialect puppetdb`,
    field.open === nullBoolean ? 'null in edition open' : '',
    field.open === 'absent' ? 'absent in edition open' : '',
    field.option === undefined ? '' : `with \`include_${field.option.replaceAll('-', '_')}=true\``,
    field.kind.note ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

const yes = (holds: boolean): string => (holds ? 'yes' : '');

function relations({ relations: all }: Entity): string {
  const lines = Object.entries(all).map(([name, { local, foreign }]) => {
    const pairs = local.map((one, index) => {
      const other = foreign[index] ?? one;
      return one === other ? `\`${one}\`` : `\`${one}\` = \`${other}\``;
    });
    return `\`${name}\` (${pairs.join(', ')})`;
  });
  return lines.length === 0
    ? 'This entity has no relations for sub-queries.'
    : `**Sub-queries.** A query can use \`["subquery", entity, query]\` with the following entities. The fields that must be equal are in parentheses: ${lines.join(', ')}.`;
}

function facets(entity: Entity): string[] {
  const { activeOnly, keyed, bare, nodeJoin } = entity;
  const inactive =
    nodeJoin === undefined
      ? 'Answers include the data of inactive nodes.'
      : activeOnly.path
        ? 'Answers contain only active nodes, unless the query has a condition on `node_state`.'
        : activeOnly.root
          ? 'Answers of `/pdb/query/v4/<entity>` contain all nodes. Answers of `/pdb/query/v4` contain only active nodes, unless the query has a condition on `node_state`.'
          : 'Answers contain all nodes, unless the query has a condition on `node_state`.';
  const keys = Object.keys(keyed ?? {}).map((key) => `\`["${key}", name]\``);
  return [
    inactive,
    ...(keys.length === 0 ? [] : [`A condition can contain ${keys.join(' or ')} instead of a field.`]),
    ...(bare === undefined ? [] : [`Answers are lists of the values of \`${bare}\`, without objects.`]),
    ...(pqlEntities.includes(entity.name) ? [] : ['PQL has no name for this entity.']),
  ];
}

function section(entity: Entity): string {
  const rows = entity.fields.map((field) => [
    `\`${field.name}\``,
    field.kind.name,
    operators(entity, field),
    yes(shown(entity, field)),
    yes(ordered(entity, field)),
    notes(field),
  ]);
  const fields = markdownTable(['field', 'type', 'operators', 'shown', 'order', 'notes'], rows);
  return [`## ${entity.name}`, facets(entity).join(' '), fields, relations(entity)].join('\n\n');
}

/** Returns the whole page, as prettier formats it. */
export function entitiesPage(): string {
  return `${[
    '# Entities',
    'Each query asks for the records of one entity, such as nodes or facts. This page lists all entities and their fields. A ' +
      'query\nspecifies the entity in its path (`/pdb/query/v4/fact-contents`), in PQL (`fact_contents { … }`) or in JSON\n' +
      '(`["from", "fact_contents", …]`). You can write the name of an entity with `_` or with `-`.',
    'The tables show the fields with `NODELEDGER_EDITION=full` and `NODELEDGER_DIALECT=neutral`. The columns have these ' +
      'meanings:',
    '- **type:** the type of the values, as in the next table.\n' +
      '- **operators:** the operators that a condition on the field can use ([operators.md](operators.md)).\n' +
      '- **shown:** answers contain the field, and `extract` can select the field.\n' +
      '- **order:** the parameter `order_by` can sort by the field.',
    markdownTable(['type', 'meaning'], kinds()),
    ...entities.map(section),
    '## About this page',
    'This page is generated from the descriptors in `libs/query/entities`. After a change, run\n`NODELEDGER_WRITE_PAGES=1 npx jest test/docs/entities-page`.',
  ].join('\n\n')}\n`;
}
