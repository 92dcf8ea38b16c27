import { excerpt } from '#fault';
import type { OrderTerm, Selection } from '../ast/ast';
import { type AstJson, displayAst, isList, NumberText } from '../ast/json';
import { malformed, meantHint } from '../ast/malformed';
import { countedEvents } from '../entities/counted-events';
import { events } from '../entities/events';
import { usesOnly } from './uses-only';
import type { Plan } from './plan';
import { type PlanOptions, planSelection } from './plan-selection';
import { valueHint } from '../kinds/value-hint';

export const subjectTypes = ['certname', 'containing_class', 'resource'] as const;
export type SubjectType = (typeof subjectTypes)[number];

export const openCounts = ['failures', 'skips', 'successes', 'noops'] as const;
export const fullCounts = [
  ...openCounts,
  'intentional_successes',
  'corrective_successes',
  'intentional_noops',
  'corrective_noops',
] as const;
export type CountName = (typeof fullCounts)[number];

interface CountsFilter {
  readonly operator: '=' | '<' | '>' | '<=' | '>=';
  readonly count: CountName;
  readonly value: string;
}

export interface EventCountsPlan {
  /**
   * Plan for the rows to count: the stored counts of each report and class if these suffice, and otherwise the events.
   */
  readonly events: Plan;
  readonly source: 'events' | 'counts';
  readonly subject: SubjectType;
  readonly countBy: 'resource' | 'certname';
  readonly counts: readonly CountName[];
  readonly filter?: CountsFilter | undefined;
  readonly order: readonly { readonly column: CountName | SubjectColumn; readonly order: 'asc' | 'desc' }[];
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

type SubjectColumn = 'certname' | 'containing_class' | 'resource_type' | 'resource_title';

interface EventCountsRequest {
  readonly query: Selection;
  readonly subject: SubjectType;
  readonly countBy: 'resource' | 'certname' | undefined;
  readonly countsFilter: AstJson | undefined;
  readonly orderBy: readonly OrderTerm[];
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

export function planEventCounts(request: EventCountsRequest, options: PlanOptions): EventCountsPlan {
  const { query, subject, countBy = 'resource' } = request;
  if (query.columns || query.groupBy) throw malformed('shape', 'extract is not allowed in the query of event counts');
  const counts = options.target.edition === 'full' ? fullCounts : openCounts;
  const suffices = subject !== 'resource' && !options.distinct && usesOnly(query.condition, countedFields);
  const entity = suffices ? countedEvents : events;
  const filter = request.countsFilter === undefined ? undefined : readFilter(request.countsFilter, counts);
  return {
    events: planSelection({ ...query, entity: entity.name, form: 'from' }, { ...options, entity }),
    source: suffices ? 'counts' : 'events',
    subject,
    countBy,
    counts,
    filter,
    order: request.orderBy.map((term) => ({ column: orderColumn(term, subject, counts), order: term.order })),
    limit: request.limit,
    offset: request.offset,
  };
}

const countedFields = new Set([...countedEvents.fields.map((field) => field.name), 'node_state']);

const filterOperators = ['=', '<', '>', '<=', '>='] as const;

function readFilter(ast: AstJson, counts: readonly CountName[]): CountsFilter {
  const shown = displayAst(ast);
  if (!isList(ast) || typeof ast[0] !== 'string')
    throw malformed(
      'counts-filter',
      `${shown} is not well-formed: counts_filter is an array such as [">" "failures" 0]`,
    );
  const [written, name, value] = ast;
  const operator = filterOperators.find((one) => one === written);
  if (!operator)
    throw malformed(
      'counts-filter',
      `${shown} is not well-formed: query operator '${displayText(written)}' is unknown`,
      { hint: `Operators are ${filterOperators.join(' ')}.` },
    );
  if (ast.length !== 3)
    throw malformed('counts-filter', `${operator} requires exactly two arguments, but ${ast.length - 1} were supplied`);
  const count = counts.find((one) => one === name);
  if (!count)
    throw malformed(
      'counts-filter',
      `${operator} operator does not support object '${displayText(name)}' for event counts`,
      meantHint(name, counts, `Counts are ${counts.join(', ')}.`),
    );
  if (!(value instanceof NumberText) || value.text.length > 30)
    throw malformed(
      'counts-filter',
      `Argument ${displayAst(value ?? null)} is incompatible with numeric field "${count}".`,
      valueHint('number', undefined, value === undefined || isList(value) ? null : value),
    );
  return { operator, count, value: value.text };
}

const displayText = (value: AstJson | undefined): string =>
  typeof value === 'string' ? excerpt(value) : displayAst(value ?? null);

const subjectColumns: Record<SubjectType, readonly SubjectColumn[]> = {
  certname: ['certname'],
  containing_class: ['containing_class'],
  resource: ['resource_type', 'resource_title'],
};

function orderColumn(term: OrderTerm, subject: SubjectType, counts: readonly CountName[]): CountName | SubjectColumn {
  if ('call' in term) throw malformed('paging', 'order_by requires the name of a field');
  const { field } = term;
  const known = [...counts, ...subjectColumns[subject]];
  const found = known.find((one) => one === field);
  if (found) return found;
  throw malformed(
    'field',
    `Unrecognized column '${excerpt(field)}' specified in :order_by; Supported columns are ${known.map((one) => `'${one}'`).join(', ')}`,
    meantHint(field, known),
  );
}
