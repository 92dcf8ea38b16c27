import type { Body, Parameter } from './operation';
import { type Schema, text } from './schema';

export const inQuery = (
  name: string,
  description: string,
  schema: Schema = text(),
  { required = false } = {},
): Parameter => ({ name, in: 'query', description, schema, ...(required && { required }) });

export const inPath = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  description,
  schema: text(),
});

/** Describes a body, or an answer with this body. */
export const inJson = (description: string, schema: Schema): Body => ({
  description,
  content: { 'application/json': schema },
});
