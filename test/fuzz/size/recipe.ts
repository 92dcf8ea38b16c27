/** Describes a case of the size properties: names of shapes and their sizes, which determine its text. */
import { astBases, astRaws, astWholes, astWraps } from './ast-shapes';
import { gzipShapes } from './gzip-shapes';
import { payloadDocuments, type PayloadName } from './payload-documents';
import { grownPayload, wholePayloads } from './payload-shapes';
import { pqlBases, pqlRaws, pqlWholes, pqlWraps } from './pql-shapes';
import { parameterShapes, pathShapes, waitForShapes } from './request-shapes';
import type { Wrap } from './shape';

export type Sized = readonly [shape: string, n: number];

interface Condition {
  readonly entity: string;
  readonly base: Sized;
  /** From the inside to the outside. */
  readonly wraps: readonly Sized[];
  readonly whole: Sized;
}

export type Recipe =
  | ({ readonly family: 'ast' | 'pql' } & Condition)
  | { readonly family: 'ast text' | 'pql text' | 'path' | 'parameter' | 'wait-for'; readonly shape: Sized }
  | { readonly family: 'payload'; readonly of: PayloadName; readonly place: string; readonly shape: Sized }
  | { readonly family: 'whole payload' | 'gzip'; readonly shape: Sized };

/** The request of a case. */
export type Made =
  | {
      readonly to: 'query';
      /** Path below the query root, encoded. */
      readonly path: string;
      /** Parameters by name, or the whole query string. */
      readonly parameters: Readonly<Record<string, string>> | string;
      readonly waitFor?: string;
    }
  | {
      readonly to: 'command';
      readonly name: PayloadName;
      readonly bytes: Buffer;
      readonly encoding: 'identity' | 'gzip';
    };

/** Limit of the characters of all wraps of a condition. Larger sizes are reduced to it. */
const mostCharacters = 1_000_000;

function wrapped(wraps: Readonly<Record<string, Wrap>>, [name, n]: Sized, inner: string): string {
  const wrap = wraps[name];
  if (wrap === undefined) throw new Error(`there is no wrap ${name}`);
  const each = wrap(2, inner).length - wrap(1, inner).length;
  const most = Math.max(1, Math.floor((mostCharacters - inner.length) / Math.max(1, each)));
  return wrap(Math.min(n, most), inner);
}

function shapeOf<T>(shapes: Readonly<Record<string, T>>, name: string): T {
  const shape = shapes[name];
  if (shape === undefined) throw new Error(`there is no shape ${name}`);
  return shape;
}

function conditionText(
  { entity, base, wraps }: Condition,
  bases: Readonly<Record<string, Readonly<Record<string, (n: number) => string>>>>,
  around: Readonly<Record<string, Wrap>>,
): string {
  const text = shapeOf(shapeOf(bases, entity), base[0])(base[1]);
  return wraps.reduce((inner, wrap) => wrapped(around, wrap, inner), text);
}

const query = (path: string, text: string): Made => ({ to: 'query', path, parameters: { query: text } });

/** Returns the request of a recipe. */
export function make(recipe: Recipe): Made {
  switch (recipe.family) {
    case 'ast': {
      const condition = conditionText(recipe, astBases, astWraps(recipe.entity));
      return query(recipe.entity.replaceAll('_', '-'), wrapped(astWholes, recipe.whole, condition));
    }
    case 'pql': {
      const condition = conditionText(recipe, pqlBases, pqlWraps(recipe.entity));
      return query('', wrapped(pqlWholes(recipe.entity), recipe.whole, condition));
    }
    case 'payload': {
      const { of, place, shape } = recipe;
      return { to: 'command', name: of, bytes: Buffer.from(grownPayload(of, place, ...shape)), encoding: 'identity' };
    }
    default: {
      const [name, n] = recipe.shape;
      switch (recipe.family) {
        case 'ast text':
          return query('nodes', shapeOf(astRaws, name)(n));
        case 'pql text':
          return query('', shapeOf(pqlRaws, name)(n));
        case 'path':
          return { to: 'query', path: shapeOf(pathShapes, name)(n), parameters: {} };
        case 'wait-for':
          return { to: 'query', path: 'nodes', parameters: {}, waitFor: shapeOf(waitForShapes, name)(n) };
        case 'parameter': {
          const { path, rest, name: parameter, grow } = shapeOf(parameterShapes, name);
          const value = grow(n);
          return { to: 'query', path, parameters: parameter === undefined ? value : { ...rest, [parameter]: value } };
        }
        case 'whole payload': {
          const { of, grow } = shapeOf(wholePayloads, name);
          return { to: 'command', name: of, bytes: Buffer.from(grow(n)), encoding: 'identity' };
        }
        case 'gzip':
          return { to: 'command', name: 'replace facts 5', bytes: shapeOf(gzipShapes, name)(n), encoding: 'gzip' };
      }
    }
  }
}

/** All commands and versions with a payload here. */
export const payloadNames = Object.keys(payloadDocuments);
