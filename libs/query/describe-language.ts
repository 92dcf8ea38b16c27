import { entities } from './entities/registry';
import type { Field, FieldUse } from './entities/entity';
import type { Language } from './operators/language';
import { queryFunctions } from './operators/functions';
import { structuralOperators } from './operators/operators';
import { pqlEntities } from './pql';
import { pqlDottedFields } from './pql/entities';

const allUses: readonly FieldUse[] = ['ask', 'show', 'order'];

export function describeLanguage(language: Language, edition: 'full' | 'open'): object {
  const isPart = ({ open, option }: Field): boolean =>
    option === undefined && !(edition === 'open' && open === 'absent');
  return {
    entities: entities.map(({ name, fields }) => ({
      name,
      pql: pqlEntities.includes(name),
      fields: fields.filter(isPart).map((field) => ({
        name: field.name,
        kind: field.kind.name,
        uses: field.uses ?? allUses,
        operators: language.fieldOperators.filter(({ on }) => on(field.kind) !== undefined).map((one) => one.name),
      })),
    })),
    dotted: pqlDottedFields(language),
    operators: [
      ...language.fieldOperators.map(({ name, summary, example, pql }) => ({
        name,
        summary,
        example,
        pql: pql.map((form) => ('infix' in form ? form.infix : form.suffix)),
      })),
      ...structuralOperators.map(({ name, summary, example, pql }) => ({ name, summary, example, pql: [pql] })),
    ],
    functions: queryFunctions
      .filter(({ name }) => language.functionNames.includes(name))
      .map(({ name, summary, example, isAggregate }) => ({ name, summary, example, aggregate: isAggregate })),
    words: [
      'and',
      'or',
      'not',
      'in',
      'group by',
      'order by',
      'limit',
      'offset',
      'asc',
      'desc',
      'true',
      'false',
      'null',
    ],
  };
}
