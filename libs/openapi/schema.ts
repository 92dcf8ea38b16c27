/** JSON Schema 2020-12, the version in OpenAPI 3.1. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

export const text = (description?: string): Schema => ({ type: 'string', ...(description && { description }) });
export const time: Schema = { type: 'string', format: 'date-time' };
export const integer: Schema = { type: 'integer' };
export const integerBetween = (minimum: number, maximum: number): Schema => ({ type: 'integer', minimum, maximum });
export const flag: Schema = { type: 'boolean' };
export const anything: Schema = true;

export const oneOfTexts = (values: readonly string[]): Schema => ({ type: 'string', enum: values });
export const list = (items: Schema): Schema => ({ type: 'array', items });
export const mapOf = (values: Schema): Schema => ({ type: 'object', additionalProperties: values });

/** `required` lists the required properties (default: all). `open` allows properties that the schema does not list. */
export const object = (
  properties: Readonly<Record<string, Schema>>,
  { required = Object.keys(properties), open = false }: { required?: readonly string[]; open?: boolean } = {},
): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  ...(open ? {} : { additionalProperties: false }),
});

export function orNull(schema: Schema): Schema {
  if (typeof schema === 'object' && typeof schema['type'] === 'string' && !('enum' in schema))
    return { ...schema, type: [schema['type'], 'null'] };
  return schema === true ? true : { anyOf: [schema, { type: 'null' }] };
}

export const named = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
