import { checkLimit, type LimitName, type Limits } from '#limits';
import { fieldOperator } from '../operators/operators';
import type { Column, Condition, FieldRef, Selection } from './ast';
import { readDottedName, readSteps } from './dotted-name';
import { type AstJson, isList } from './json';

/**
 * Throws `query.limit` if the query exceeds a limit on names, paths, columns, rows or regular expressions. Counts only
 * comparisons that certainly become part of the statement. Later, `render` counts all comparisons and sub-queries.
 */
export function measureSelection(selection: Selection, limits: Limits): void {
  new Measure(limits).selection(selection);
}

export function measureCondition(condition: Condition, limits: Limits): void {
  new Measure(limits).condition(condition);
}

/**
 * A comparison of versions counts as 50 comparisons, because PostgreSQL computes the sort keys of the query's version
 * during planning. This takes up to a millisecond for each rule by which versions are compared.
 */
const versionWeight = 50;

class Measure {
  private nesting = 0;
  /** Number of comparisons that the compiler cannot combine with other comparisons. */
  private conditions = 0;

  constructor(private readonly limits: Limits) {}

  selection({ columns = [], condition, groupBy = [], having = [], orderBy = [] }: Selection): void {
    this.check('queryColumns', Math.max(columns.length, groupBy.length, having.length, orderBy.length));
    for (const one of columns) this.column(one);
    for (const one of groupBy) this.column(one);
    for (const { call } of having) this.column(call);
    for (const term of orderBy) {
      if ('call' in term) this.column(term.call);
      else this.check('queryName', term.field.length);
    }
    if (condition) this.condition(condition);
  }

  condition(condition: Condition): void {
    switch (condition.kind) {
      case 'and':
      case 'or':
        this.separate(condition.members.filter((member) => isSeparate(member, condition.kind)).length);
        for (const member of condition.members) this.condition(member);
        return;
      case 'not':
        return this.condition(condition.member);
      case 'test':
        this.name(condition.field);
        if (fieldOperator(condition.operator)?.takesExpressions === true) return this.expressions(condition.value);
        return this.path(condition.field, condition.value);
      case 'version':
        this.name(condition.field);
        return this.separate(versionWeight);
      case 'in-array':
        return this.rows(condition.fields, condition.values);
      case 'in-query':
        this.fields(condition.fields);
        return this.inner(condition.query);
      case 'related':
        return this.inner(condition.query);
    }
  }

  private separate(count: number): void {
    this.conditions += count;
    this.check('queryConditions', this.conditions);
  }

  private inner(query: Selection): void {
    this.check('queryNesting', ++this.nesting);
    this.selection(query);
    this.nesting--;
  }

  private rows(fields: readonly FieldRef[], values: readonly AstJson[]): void {
    this.fields(fields);
    // Facts and parameters are not counted, because their comparison with null adds nothing to the statement.
    if (fields.length > 1 && fields.every(({ kind }) => kind === 'name')) this.separate(fields.length * values.length);
    const [field] = fields;
    if (field !== undefined && fields.length === 1) for (const value of values) this.path(field, value);
  }

  private fields(fields: readonly FieldRef[]): void {
    this.check('queryColumns', fields.length);
    for (const field of fields) this.name(field);
  }

  private column(column: Column): void {
    if (column.kind === 'field') return this.name(column.field);
    if (column.field) this.name(column.field);
    this.check('queryName', column.template?.length ?? 0);
  }

  private name(field: FieldRef): void {
    const text = field.kind === 'name' ? field.name : field.key;
    this.check('queryName', field.kind === 'name' ? text.length : Math.max(text.length, field.container.length));
    const keyed = field.kind === 'keyed' && field.container === 'fact' ? readSteps(text) : undefined;
    const steps = field.kind === 'name' ? readDottedName(text)?.steps : keyed;
    this.check('queryPathSteps', steps?.length ?? 0);
  }

  private path(field: FieldRef, value: AstJson): void {
    if (field.kind === 'name' && field.name === 'path' && isList(value)) this.check('queryPathSteps', value.length);
  }

  private expressions(value: AstJson): void {
    const expressions = isList(value) ? value : [value];
    if (isList(value)) this.check('queryPathSteps', value.length);
    for (const one of expressions) if (typeof one === 'string') this.check('queryRegex', one.length);
  }

  private check(name: LimitName, found: number): void {
    checkLimit(this.limits, name, found);
  }
}

/**
 * Several alternatives for one field become one comparison. A condition on `node_state` adds no comparison if it only
 * turns off the default condition on active nodes.
 */
function isSeparate(condition: Condition, within: 'and' | 'or'): boolean {
  if (condition.kind !== 'test') return false;
  const { field, operator } = condition;
  const counts = fieldOperator(operator)?.counts;
  if (counts !== 'unless-or') return counts === 'each';
  return within === 'and' && !(field.kind === 'name' && field.name === 'node_state');
}
