/** Random recipes for the size properties; they shrink towards few and small shapes. */
import fc from 'fast-check';
import { astBases, astRaws, astWholes, astWraps } from './ast-shapes';
import { gzipShapes } from './gzip-shapes';
import { growthsAt, payloadPlaces, wholePayloads } from './payload-shapes';
import { pqlBases, pqlRaws, pqlWholes, pqlWraps } from './pql-shapes';
import { payloadNames, type Recipe, type Sized } from './recipe';
import { parameterShapes, pathShapes, waitForShapes } from './request-shapes';

/** From 1 to `most`; each order of magnitude is equally likely. */
const size = (most: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1000 }).map((part) => Math.round(most ** (part / 1000)));

const sized = (shapes: Readonly<Record<string, unknown>>, most: number): fc.Arbitrary<Sized> =>
  fc.tuple(fc.constantFrom(...Object.keys(shapes)), size(most));

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function conditions(
  family: 'ast' | 'pql',
  bases: Tables,
  wraps: (entity: string) => Readonly<Record<string, unknown>>,
  wholes: (entity: string) => Readonly<Record<string, unknown>>,
): fc.Arbitrary<Recipe> {
  return fc.constantFrom(...Object.keys(bases)).chain((entity) =>
    fc.record({
      family: fc.constant(family),
      entity: fc.constant(entity),
      base: sized(bases[entity] ?? {}, 30_000),
      wraps: fc.array(sized(wraps(entity), 3_000), { maxLength: 2 }),
      whole: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Sized>(['the condition alone', 1]) },
        { weight: 1, arbitrary: sized(wholes(entity), 5_000) },
      ),
    }),
  );
}

const plain = (
  family: 'ast text' | 'pql text' | 'path' | 'parameter' | 'wait-for' | 'whole payload' | 'gzip',
  shapes: Readonly<Record<string, unknown>>,
  most: number,
): fc.Arbitrary<Recipe> => sized(shapes, most).map((shape) => ({ family, shape }));

export const queryRecipes: fc.Arbitrary<Recipe> = fc.oneof(
  { weight: 8, arbitrary: conditions('ast', astBases, astWraps, () => astWholes) },
  { weight: 6, arbitrary: conditions('pql', pqlBases, pqlWraps, pqlWholes) },
  { weight: 1, arbitrary: plain('ast text', astRaws, 300_000) },
  { weight: 1, arbitrary: plain('pql text', pqlRaws, 300_000) },
  { weight: 1, arbitrary: plain('path', pathShapes, 60_000) },
  { weight: 2, arbitrary: plain('parameter', parameterShapes, 60_000) },
  { weight: 1, arbitrary: plain('wait-for', waitForShapes, 60_000) },
);

export const payloadRecipes: fc.Arbitrary<Recipe> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .constantFrom(...payloadNames)
      .chain((of) => fc.tuple(fc.constant(of), fc.constantFrom(...payloadPlaces(of))))
      .chain(([of, [place, steps]]) =>
        fc
          .tuple(fc.constantFrom(...growthsAt(of, steps)), size(30_000))
          .map((shape): Recipe => ({ family: 'payload', of, place, shape })),
      ),
  },
  { weight: 1, arbitrary: plain('whole payload', wholePayloads, 30_000) },
);

export const gzipRecipes: fc.Arbitrary<Recipe> = plain('gzip', gzipShapes, 4_000_000);
