import type { FieldType } from '../entities/entity';
import type { PlannedField } from './plan';

const kinds: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  integer: 'a number',
  boolean: 'true or false',
  timestamp: 'a time',
  path: 'a path',
  value: 'a value of any type',
  texts: 'a list of texts',
  'json-text': 'a value of any type',
  tree: 'a map',
  expanded: 'a part of the answer',
};

/** What a field is and which operators it has, for a refusal of another one. */
export function operatorHint({ type, field }: PlannedField): { hint: string } {
  if (type === 'expanded') return { hint: 'The field can be extracted, but no condition can name it.' };
  const isOrdered = (type === 'timestamp' || type === 'integer' || type === 'value') && field.unordered !== true;
  const isMatched = type !== 'timestamp' && type !== 'integer' && type !== 'boolean';
  const operators = [
    '=',
    '!=',
    ...(isOrdered ? ['<', '>', '<=', '>='] : []),
    ...(isMatched ? ['~'] : []),
    ...(type === 'path' ? ['~>'] : []),
    ...(type === 'texts' && field.lowerCase !== true ? [] : ['in']),
    'null?',
  ];
  return { hint: `The field is ${kinds[type]}; its operators are ${operators.join(' ')} (in PQL: is null for null?).` };
}
