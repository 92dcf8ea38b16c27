import { excerpt } from '#fault';
import { type AstJson, isList, NumberText, stringifyAst } from '../ast/json';

export type ExpectedType = 'number' | 'text' | 'time' | 'time or relative time' | 'true or false';

/** Returns an empty object if no hint would help. `field` is undefined if the field has no plain name. */
export function valueHint(wanted: ExpectedType, field: string | undefined, value: AstJson): { hint?: string } {
  if (isList(value) && wanted !== 'time or relative time') {
    const values = excerpt(stringifyAst(value));
    const name = field === undefined ? 'field' : JSON.stringify(excerpt(field));
    const pql = field === undefined ? '' : `, in PQL ${excerpt(field)} in ${values}`;
    return { hint: `For one of several values write ["in", ${name}, ["array", ${values}]]${pql}.` };
  }
  switch (wanted) {
    case 'number':
      if (typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value))
        return { hint: `Write the number without quotes: ${value}.` };
      return { hint: 'Write a number, without quotes.' };
    case 'text':
      if (value instanceof NumberText || typeof value === 'boolean')
        return { hint: `Write the value in quotes: "${excerpt(stringifyAst(value))}".` };
      return {};
    case 'time':
      return { hint: 'Write a time as "2026-01-31T12:00:00Z" or "2026-01-31".' };
    case 'time or relative time':
      return { hint: 'Write a time as "2026-01-31T12:00:00Z", "2026-01-31" or "2 hours ago", in PQL also now() - 2h.' };
    case 'true or false':
      return { hint: 'Write true or false, without quotes.' };
  }
}
