import type { Address, Params } from '../address/address';
import { type Status, statuses } from '../service/shapes';
import type { Query } from '../service/ask';
import { decodeValues, encodeValues } from './values';

export interface NodeFilter {
  readonly text: string;
  /**
   * Keys are fields: `status`, `environment` or `fact:<path>`. A node must have one of the values in each of these
   * fields.
   */
  readonly where: ReadonlyMap<string, readonly unknown[]>;
}

/** Value of the address parameter `failing_class` that selects failures without a class. No class has this name. */
export const noClass = '-';

const parameterOf = (field: string): string => (field === 'environment' ? 'env' : field.replace(/^fact:/, 'fact.'));

const fieldOf = (parameter: string): string | undefined => {
  if (parameter === 'status') return parameter;
  if (parameter === 'env') return 'environment';
  return parameter.startsWith('fact.') ? `fact:${parameter.slice(5)}` : undefined;
};

export function readFilter({ params }: Address): NodeFilter {
  const where = new Map<string, readonly unknown[]>();
  for (const [name, text] of params) {
    const field = fieldOf(name);
    if (field === undefined) continue;
    const values =
      field === 'status'
        ? text.split(',').filter((status): status is Status => statuses.includes(status as Status))
        : decodeValues(text);
    if (values.length > 0) where.set(field, values);
  }
  return { text: params.get('q') ?? '', where };
}

/** An empty list removes the filter. */
export const filterParams = (field: string, values: readonly unknown[]): Params => ({
  [parameterOf(field)]: values.length === 0 ? undefined : field === 'status' ? values.join(',') : encodeValues(values),
});

/** Adds `value` to the filter, or removes `value` if the filter already contains it. */
export function toggled({ where }: NodeFilter, field: string, value: unknown): Params {
  const values = where.get(field) ?? [];
  const key = JSON.stringify(value);
  const others = values.filter((one) => JSON.stringify(one) !== key);
  return filterParams(field, others.length < values.length ? others : [...values, value]);
}

export function filterQuery({ text, where }: NodeFilter): Query {
  return {
    text: text === '' ? undefined : text,
    where: where.size === 0 ? undefined : JSON.stringify(Object.fromEntries(where)),
  };
}
