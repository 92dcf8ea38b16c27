import { anything, type ApiContext, flag, integer, list, object, orNull, type Schema, text, time } from '#openapi';
import type { Entity, Field } from '../../entities/entity';
import { entities } from '../../entities/registry';
import type { KindName } from '../../kinds/field-kind';
import { fullCounts, openCounts, subjectTypes } from '../../plan/plan-event-counts';

const shown: Readonly<Record<KindName, Schema>> = {
  text: orNull(text()),
  integer: orNull(integer),
  boolean: orNull(flag),
  timestamp: orNull(time),
  path: list({ anyOf: [text(), integer] }),
  value: anything,
  texts: orNull(list(text())),
  'json-text': anything,
  tree: anything,
  expanded: {
    description: 'A part of the record, and the path of this part.',
    anyOf: [object({ href: text(), data: anything }), { type: 'array' }, { type: 'null' }],
  },
};

export const rowSchemaName = (entity: string): string =>
  `${entity.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())}Row`;

type Target = Pick<ApiContext, 'edition' | 'dialect'>;

const isShown = ({ uses, open }: Field, { edition }: Target): boolean =>
  (uses === undefined || uses.includes('show')) && !(edition === 'open' && open === 'absent');

function rowSchema({ fields, bare, title }: Entity, target: Target): Schema {
  const columns = fields.filter((field) => isShown(field, target));
  const properties = Object.fromEntries(
    columns.map(({ name, puppetName, kind, option }): [string, Schema] => {
      const schema = shown[kind.name];
      const note = option === undefined ? undefined : `With include_${option.replaceAll('-', '_')}=true.`;
      return [
        target.dialect === 'puppetdb' ? (puppetName ?? name) : name,
        note === undefined ? schema : { ...(schema as object), description: note },
      ];
    }),
  );
  const description = `A row of ${title}. A query that extracts columns gives these columns alone, and those of its functions.`;
  const row = { ...(object(properties, { required: [], open: true }) as object), description };
  return bare === undefined ? row : { description, anyOf: [properties[bare]!, row] };
}

export const rowSchemas = (target: Target): Readonly<Record<string, Schema>> => ({
  ...Object.fromEntries(entities.map((entity) => [rowSchemaName(entity.name), rowSchema(entity, target)])),
  ...countSchemas(target),
});

function countSchemas({ edition }: Target): Readonly<Record<string, Schema>> {
  const counts = (names: readonly string[]): Readonly<Record<string, Schema>> =>
    Object.fromEntries(names.map((name): [string, Schema] => [name, integer]));
  const subjectType: Schema = { type: 'string', enum: subjectTypes };
  const options = { required: [], open: true };
  return {
    [rowSchemaName('event-counts')]: object(
      {
        subject_type: subjectType,
        subject: object({ title: orNull(text()), type: text() }, { required: ['title'] }),
        ...counts(edition === 'full' ? fullCounts : openCounts),
      },
      options,
    ),
    [rowSchemaName('aggregate-event-counts')]: object(
      { summarize_by: subjectType, total: integer, ...counts(openCounts) },
      options,
    ),
    ReportPart: {
      description: 'The value in the report, or null if the report has no value.',
      anyOf: [{ type: 'array', items: { type: 'object' } }, { type: 'null' }],
    },
  };
}
