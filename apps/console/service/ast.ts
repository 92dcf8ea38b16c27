/**
 * A query in JSON form. Values are always elements of lists, so a value from the address cannot change the structure of
 * the query.
 */
export type Ast = readonly (string | number | boolean | null | Ast)[];

export const equal = (field: string | Ast, value: string | number | boolean | null): Ast => ['=', field, value];
export const all = (...conditions: readonly (Ast | undefined)[]): Ast | undefined => {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 1 ? ['and', ...given] : given[0];
};

export interface Paging {
  readonly order?: Ast;
  readonly limit?: number;
  readonly offset?: number;
}

export function from(
  entity: string,
  columns: readonly (string | Ast)[] | undefined,
  condition: Ast | undefined,
  { order, limit, offset, groupBy }: Paging & { readonly groupBy?: readonly string[] } = {},
): string {
  const grouped: Ast[] = groupBy === undefined ? [] : [['group_by', ...groupBy]];
  const inner: Ast[] =
    columns === undefined
      ? condition === undefined
        ? []
        : [condition]
      : [['extract', [...columns], ...(condition === undefined ? [] : [condition]), ...grouped]];
  return JSON.stringify([
    'from',
    entity,
    ...inner,
    ...(order === undefined ? [] : [['order_by', [...order]]]),
    ...(limit === undefined ? [] : [['limit', limit]]),
    ...(offset === undefined ? [] : [['offset', offset]]),
  ]);
}

export const rootQuery = 'pdb/query/v4';
