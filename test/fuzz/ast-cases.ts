/** Random queries in JSON: most are valid, and some have one damaged place. */
import fc from 'fast-check';
import { meantColumns, meantTest, relatedTo, usable } from './meant';
import {
  anything,
  dottedName,
  entityNames,
  fieldNames,
  fieldsOf,
  number,
  pattern,
  relativeTime,
  scalar,
  text,
  type Json,
} from './values';

const functions = ['count', 'count_distinct', 'avg', 'sum', 'min', 'max', 'to_string', 'nope'];
const templates = ['YYYY-MM-DD', 'HH24', '', '999.9', '"', 'FM'];

const field = (entity: string): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Json>(...fieldsOf(entity)) },
    { weight: 1, arbitrary: fc.constantFrom<Json>(...fieldNames, 'node_state') },
    { weight: 2, arbitrary: dottedName },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('fact', 'parameter', 'node'), fc.oneof(text, fc.constant('active'))),
    },
    { weight: 1, arbitrary: anything },
  );

const value = fc.oneof({ weight: 6, arbitrary: scalar }, { weight: 1, arbitrary: anything });
const call = (entity: string): fc.Arbitrary<Json> =>
  fc.oneof(
    fc.constant<Json>(['function', 'count']),
    fc.tuple(fc.constant('function'), fc.constantFrom(...functions), field(entity)),
    fc.tuple(fc.constant('function'), fc.constant('to_string'), field(entity), fc.constantFrom(...templates)),
  );
const column = (entity: string): fc.Arbitrary<Json> => fc.oneof({ weight: 3, arbitrary: field(entity) }, call(entity));
const columns = (entity: string): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 5, arbitrary: fc.array(column(entity), { minLength: 1, maxLength: 4 }) }, column(entity));

function test(entity: string): fc.Arbitrary<Json> {
  const one = field(entity);
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('=', '!=', '<', '>', '<=', '>='), one, value) },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom('~', '~*'), one, pattern) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('<', '>', '<=', '>='), one, relativeTime) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('~>'), one, fc.array(fc.oneof(pattern, number), { maxLength: 3 })) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('null?'), one, fc.boolean()) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constant('in'), one, fc.tuple(fc.constant('array'), fc.array(value, { maxLength: 4 }))),
    },
    { weight: 1, arbitrary: fc.tuple(fc.constant('='), fc.constant('node_state'), text) },
  );
}

const otherEntity = fc.constantFrom(...entityNames);

/** A condition on an entity with nested queries of other entities, at most `depth` deep. */
function condition(entity: string, depth: number): fc.Arbitrary<Json> {
  if (depth === 0) return test(entity);
  const inner = condition(entity, depth - 1);
  return fc.oneof(
    { weight: 5, arbitrary: test(entity) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('and', 'or'), fc.array(inner, { minLength: 1, maxLength: 3 }))
        .map(([head, members]): Json => [head, ...members]),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('not'), inner) },
    { weight: 2, arbitrary: otherEntity.chain((other) => related(entity, other, depth - 1)) },
  );
}

function related(entity: string, other: string, depth: number): fc.Arbitrary<Json> {
  const inner = condition(other, depth);
  const shared = fieldsOf(entity).filter((name) => fieldsOf(other).includes(name));
  const pair = shared.length > 0 ? fc.constantFrom(...shared) : fc.constant('certname');
  return fc.oneof(
    fc.tuple(fc.constant('subquery'), fc.constant(other), inner),
    fc.tuple(pair, inner).map(([name, one]): Json => ['in', name, ['extract', [name], [`select_${other}`, one]]]),
    fc
      .tuple(field(entity), columns(other), inner, paging(other))
      .map(([name, chosen, one, rest]): Json => ['in', name, ['from', other, ['extract', chosen, one], ...rest]]),
  );
}

function paging(entity: string): fc.Arbitrary<Json[]> {
  const by = fc.oneof({ weight: 3, arbitrary: field(entity) }, call(entity));
  const order = fc.oneof(by, fc.tuple(by, fc.constantFrom('asc', 'desc', 'DESC', 'up')));
  return fc
    .subarray<'limit' | 'offset' | 'order_by'>(['limit', 'offset', 'order_by'])
    .chain((clauses) =>
      fc.tuple(
        ...clauses.map((clause) =>
          clause === 'order_by'
            ? fc.tuple(fc.constant(clause), fc.array(order, { minLength: 1, maxLength: 2 }))
            : fc.tuple(fc.constant(clause), number),
        ),
      ),
    );
}

function selection(entity: string): fc.Arbitrary<Json> {
  const asked = fc.option(condition(entity, 2), { freq: 8 });
  const grouped = fc.option(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.array(column(entity), { minLength: 1, maxLength: 3 }).map((by): Json => ['group_by', ...by]),
      },
      { weight: 1, arbitrary: fc.constant<Json>(['distinct']) },
    ),
  );
  return fc.oneof(
    { weight: 3, arbitrary: condition(entity, 3) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(columns(entity), asked, grouped)
        .map(([chosen, one, by]): Json => [
          'extract',
          chosen,
          ...(one === null ? [] : [one]),
          ...(by === null ? [] : [by]),
        ]),
    },
    // A valid grouping, by the extracted columns.
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...fieldsOf(entity)), call(entity), test(entity))
        .map(([name, called, one]): Json => ['extract', [name, called], one, ['group_by', name]]),
    },
  );
}

/** Changes one place: removes it, doubles it, or replaces it by other JSON. */
function spoiled(ast: Json, places: readonly number[], how: number, other: Json): Json {
  if (!Array.isArray(ast) || ast.length === 0) return other;
  const list = ast as readonly Json[];
  const [place = 0, ...rest] = places;
  const index = place % list.length;
  if (rest.length > 0 && Array.isArray(list[index]))
    return list.map((one, at) => (at === index ? spoiled(one, rest, how, other) : one));
  if (how === 0) return list.filter((_, at) => at !== index);
  if (how === 1) return list.flatMap((one, at) => (at === index ? [one, one] : [one]));
  return list.map((one, at) => (at === index ? other : one));
}

const sometimesSpoiled = (ast: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 4, arbitrary: ast },
    {
      weight: 1,
      arbitrary: fc
        .tuple(ast, fc.array(fc.nat(5), { minLength: 1, maxLength: 4 }), fc.nat(2), anything)
        .map(([one, places, how, other]) => spoiled(one, places, how, other)),
    },
  );

export interface AstCase {
  readonly entity: string;
  /** A query of the entity, or of the root if it begins with `from`. */
  readonly query: Json;
  readonly atRoot: boolean;
}

/** Sorts groups by one of their functions. */
const orderedGroups = (entity: string): fc.Arbitrary<Json> =>
  fc
    .tuple(meantColumns(entity), meantTest(entity), fc.boolean())
    .map(([{ names, call: called }, test, counted]): Json => {
      const groups = names.slice(0, 1);
      const fold: Json =
        counted || called === undefined || called[0] === 'to_string' ? ['function', 'count'] : ['function', ...called];
      const [operator, name, asked] = test;
      const condition = operator === 'in' ? [operator, name, ['array', asked]] : [operator, name, asked];
      const grouped: Json[] = groups.length === 0 ? [] : [['group_by', ...groups]];
      const order: Json[] = [[fold, 'desc'], ...groups];
      return ['from', entity, ['extract', [...groups, fold], condition, ...grouped], ['order_by', order], ['limit', 3]];
    });

/** The following queries follow the descriptors, so the service answers nearly all of them. */
function meantCondition(entity: string, depth: number): fc.Arbitrary<Json> {
  const test = meantTest(entity).map(([operator, name, asked]): Json => {
    return operator === 'in' ? [operator, name, ['array', asked]] : [operator, name, asked];
  });
  if (depth === 0) return test;
  const inner = meantCondition(entity, depth - 1);
  const others = relatedTo(entity);
  const related = fc.constantFrom(...(others.length > 0 ? others : [entity])).chain((other) =>
    fc.tuple(meantCondition(other, depth - 1), fc.boolean()).map(([one, joined]): Json => {
      const shared = usable(entity, 'ask', 'text').find((name) => usable(other, 'show', 'text').includes(name));
      return joined && shared !== undefined
        ? ['in', shared, ['extract', shared, [`select_${other}`, one]]]
        : ['subquery', other, one];
    }),
  );
  return fc.oneof(
    { weight: 4, arbitrary: test },
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom('and', 'or'), inner, inner).map(([head, a, b]): Json => [head, a, b]),
    },
    { weight: 2, arbitrary: fc.tuple(fc.constant('not'), inner) },
    ...(others.length > 0 ? [{ weight: 2, arbitrary: related }] : []),
  );
}

const meantSelection = (entity: string): fc.Arbitrary<Json> =>
  fc.tuple(meantCondition(entity, 2), fc.option(meantColumns(entity))).map(([one, chosen]): Json => {
    if (chosen === null) return one;
    const { names, call: called } = chosen;
    const columns: Json[] = [...names, ...(called === undefined ? [] : [['function', ...called]])];
    const grouped = called === undefined || names.length === 0 ? [] : [['group_by', ...names]];
    const having = grouped.length === 0 ? [] : [['having', ['>', ['function', 'count'], 0]]];
    return ['extract', columns, one, ...grouped, ...having];
  });

/** A query of a random entity, at its path or at the root. */
export const astCase: fc.Arbitrary<AstCase> = fc
  .tuple(otherEntity, fc.boolean(), fc.nat(9))
  .chain(([entity, atRoot, dice]) => {
    const selected = dice < 6 ? meantSelection(entity) : selection(entity);
    const rest = dice < 6 ? fc.constant<Json[]>([]) : paging(entity);
    const whole = fc.tuple(selected, rest).map(([one, clauses]): Json => {
      return atRoot ? ['from', entity, one, ...clauses] : one;
    });
    const asked = atRoot && dice === 0 ? orderedGroups(entity) : whole;
    return (dice < 4 ? asked : sometimesSpoiled(asked)).map((query) => ({ entity, query, atRoot }));
  });
