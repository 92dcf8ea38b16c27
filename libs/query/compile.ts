import type { Sql } from '#database';
import { defaultLimits, type Limits } from '#limits';
import type { Condition, EntitySelection, OrderTerm } from './ast/ast';
import { checkOrderCall, checkRestriction, checkRoot, checkSelection } from './ast/check-selection';
import { type AstJson, NumberText } from './ast/json';
import { measureCondition, measureSelection } from './ast/measure-selection';
import { parseAst } from './ast/parse-ast';
import { malformed } from './ast/malformed';
import { inQuery, jsonLocation, type SourceLocation } from './ast/source-location';
import { fullLanguage, type Language } from './operators/language';
import { pqlLocation } from './pql';
import { planEventCounts, type SubjectType } from './plan/plan-event-counts';
import { planSelection } from './plan/plan-selection';
import type { FieldOption } from './entities/entity';
import { findEntity } from './entities/registry';
import type { CompileTarget } from './plan/target';
import { selectAggregateEventCounts, selectEventCounts, selectEventCountsTotal } from './sql/event-counts';
import { type Fragment, render } from './sql/fragment';
import { selectRows, selectTotal } from './sql/select';

export { type AstJson, type CompileTarget, NumberText, parseAst };

export interface QueryRequest {
  /** Absent for a query at the root, whose `ast` is `["from", ...]`. */
  readonly entity?: string | undefined;
  readonly ast?: AstJson | undefined;
  /** The PQL text if `ast` was parsed from PQL, so that faults name the line and column of a mistake. */
  readonly pql?: string | undefined;
  /**
   * The condition that the path adds. Even if this condition names node_state, the default condition on active nodes
   * applies.
   */
  readonly restrict?: AstJson | undefined;
  readonly scope?: 'default' | 'all' | undefined;
  readonly paging?: {
    readonly limit?: number | undefined;
    readonly offset?: number | undefined;
    readonly orderBy?: readonly { readonly field: string | AstJson; readonly order: 'asc' | 'desc' }[] | undefined;
    readonly includeTotal?: boolean | undefined;
  };
  readonly options?: {
    readonly includeFactsExpiration?: boolean | undefined;
    readonly includePackageInventory?: boolean | undefined;
    readonly distinctResources?: { readonly start: string; readonly end: string } | undefined;
    readonly summarizeBy?: SubjectType | undefined;
    readonly countBy?: 'resource' | 'certname' | undefined;
    readonly countsFilter?: AstJson | undefined;
  };
}

export interface CompiledQuery {
  /** Each row has one text column `row`, the JSON of one record. */
  readonly rows: Sql;
  /** Counts the records, and ignores limit and offset. The result is one row with one text column, `row`. */
  readonly total?: Sql;
}

/** `target.schema` must be a trusted name. Throws a Fault of kind `malformed` if the query is invalid. */
export function compileQuery(request: QueryRequest, target: CompileTarget): CompiledQuery {
  const { ast, pql } = request;
  const locationOf = (path: readonly number[]): SourceLocation =>
    pql === undefined ? jsonLocation(path) : pqlLocation(pql, path, target);
  return inQuery(ast, locationOf, () => compile(request, target));
}

function compile(request: QueryRequest, target: CompileTarget): CompiledQuery {
  const { entity } = request;
  if (entity === 'event-counts' || entity === 'aggregate-event-counts') return compileCounts(entity, request, target);
  const limits = target.limits ?? defaultLimits;
  const { language = fullLanguage } = target;
  const unpaged =
    entity === undefined ? checkRoot(request.ast ?? null, language) : entityQuery(entity, request, language);
  const query = withPaging(unpaged, request, language);
  measureSelection(query, limits);
  const restrict = restriction(request, limits);
  const descriptor = findEntity(query.entity);
  const shown = entity === undefined ? descriptor?.activeOnly.root : descriptor?.activeOnly.path;
  const plan = planSelection(query, {
    target,
    fieldOptions: fieldOptions(request),
    restrict,
    activeOnly: shown === true && request.scope !== 'all',
    distinct: request.options?.distinctResources,
  });
  const write = (fragment: Fragment): Sql => render(fragment, target.schema, limits, target.isPast);
  return {
    rows: write(selectRows(plan)),
    ...(request.paging?.includeTotal === true ? { total: write(selectTotal(plan)) } : {}),
  };
}

function compileCounts(
  entity: 'event-counts' | 'aggregate-event-counts',
  request: QueryRequest,
  target: CompileTarget,
): CompiledQuery {
  const { options, paging, ast } = request;
  const limits = target.limits ?? defaultLimits;
  const query = ast === undefined || ast === null ? {} : checkSelection(ast, target.language);
  const orderBy = orderTerms(request, target.language ?? fullLanguage);
  measureSelection({ ...query, orderBy }, limits);
  const restrict = restriction(request, limits);
  const plan = planEventCounts(
    {
      query,
      subject: options!.summarizeBy!,
      countBy: options?.countBy,
      countsFilter: options?.countsFilter,
      orderBy,
      limit: paging?.limit,
      offset: paging?.offset,
    },
    { target, restrict, activeOnly: false, distinct: options?.distinctResources },
  );
  const write = (fragment: Fragment): Sql => render(fragment, target.schema, limits, target.isPast);
  if (entity === 'aggregate-event-counts') return { rows: write(selectAggregateEventCounts(plan)) };
  return {
    rows: write(selectEventCounts(plan)),
    ...(paging?.includeTotal === true ? { total: write(selectEventCountsTotal(plan)) } : {}),
  };
}

function restriction({ restrict }: QueryRequest, limits: Limits): Condition | undefined {
  if (restrict === undefined) return undefined;
  const condition = checkRestriction(restrict);
  measureCondition(condition, limits);
  return condition;
}

function fieldOptions({ options }: QueryRequest): FieldOption[] {
  return [
    ...(options?.includeFactsExpiration === true ? (['facts-expiration'] as const) : []),
    ...(options?.includePackageInventory === true ? (['package-inventory'] as const) : []),
  ];
}

function entityQuery(entity: string, request: QueryRequest, language: Language): EntitySelection {
  const selection = isNoQuery(entity, request) ? {} : checkSelection(request.ast ?? null, language);
  return { ...selection, entity, form: 'from' };
}

// As in PuppetDB, the query `[]` counts as no query, unless the path or the default for active nodes adds a condition.
function isNoQuery(entity: string, { ast, restrict }: QueryRequest): boolean {
  if (ast === undefined || ast === null) return true;
  const restricted = restrict !== undefined || findEntity(entity)?.activeOnly.path === true;
  return Array.isArray(ast) && ast.length === 0 && !restricted;
}

function withPaging(query: EntitySelection, request: QueryRequest, language: Language): EntitySelection {
  const { limit = query.limit, offset = query.offset, orderBy } = request.paging ?? {};
  const paged = { ...query, limit, offset };
  return orderBy === undefined ? paged : { ...paged, orderBy: orderTerms(request, language), orderByList: undefined };
}

function orderTerms(request: QueryRequest, language: Language): OrderTerm[] {
  return (request.paging?.orderBy ?? []).map(({ field, order }) => {
    if (typeof field === 'string') return { field, order };
    const called = checkOrderCall(field, language);
    if (called === undefined) throw malformed('paging', 'order_by requires the name of a field');
    return { ...called, order };
  });
}
