import { astBases, astRaws, astWholes, astWraps } from './ast-shapes';
import { gzipShapes } from './gzip-shapes';
import { currentPayloads } from './payload-documents';
import { growthsAt, payloadPlaces, wholePayloads } from './payload-shapes';
import { pqlBases, pqlRaws, pqlWholes, pqlWraps } from './pql-shapes';
import type { Recipe, Sized } from './recipe';
import { parameterShapes, pathShapes, waitForShapes } from './request-shapes';

/** Every shape by itself, with the largest size that is tested. */
export function* ladders(): Generator<[string, (n: number) => Recipe, number]> {
  const alone: Sized = ['the condition alone', 1];
  for (const [family, bases, wraps, wholes] of [
    ['ast', astBases, astWraps, () => astWholes],
    ['pql', pqlBases, pqlWraps, pqlWholes],
  ] as const) {
    for (const [entity, shapes] of Object.entries(bases)) {
      for (const shape of Object.keys(shapes)) {
        const made = (n: number): Recipe => ({ family, entity, base: [shape, n], wraps: [], whole: alone });
        yield [`${family} ${entity}: ${shape}`, made, 60_000];
      }
    }
    const base: Sized = family === 'ast' ? ['a value of n characters', 1] : ['a text of n characters', 1];
    const around = { family, entity: 'nodes', base } as const;
    for (const wrap of Object.keys(wraps('nodes')))
      yield [`${family}: ${wrap}`, (n) => ({ ...around, wraps: [[wrap, n]], whole: alone }), 20_000];
    for (const whole of Object.keys(wholes('nodes')))
      yield [`${family}: ${whole}`, (n) => ({ ...around, wraps: [], whole: [whole, n] }), 20_000];
  }
  for (const [family, shapes, most] of [
    ['ast text', astRaws, 1_000_000],
    ['pql text', pqlRaws, 1_000_000],
    ['path', pathShapes, 80_000],
    ['parameter', parameterShapes, 80_000],
    ['wait-for', waitForShapes, 80_000],
    ['whole payload', wholePayloads, 100_000],
    ['gzip', gzipShapes, 4_000_000],
  ] as const) {
    for (const shape of Object.keys(shapes))
      yield [`${family}: ${shape}`, (n) => ({ family, shape: [shape, n] }), most];
  }
  for (const of of currentPayloads) {
    for (const [place, steps] of payloadPlaces(of)) {
      for (const growth of growthsAt(of, steps)) {
        yield [`${of}, ${place}: ${growth}`, (n) => ({ family: 'payload', of, place, shape: [growth, n] }), 10_000];
      }
    }
  }
}
