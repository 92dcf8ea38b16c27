import { type AstJson } from '#query';
import type { ValueChange, ValuePath } from './value-changes';

/** Converts changes to the operations of a JSON Patch (RFC 6902), in the same order. */
export const patchOf = (changes: readonly ValueChange[]): AstJson[] =>
  changes.map((one) => {
    const path = pointerOf(one.path);
    switch (one.change) {
      case 'added':
        return operation('add', path, one.new);
      case 'removed':
        return operation('remove', path);
      case 'changed':
        return operation('replace', path, one.new);
    }
  });

const operation = (op: string, path: string, value?: AstJson): AstJson =>
  new Map<string, AstJson>([['op', op], ['path', path], ...(value === undefined ? [] : [['value', value] as const])]);

/** Returns a JSON Pointer (RFC 6901). */
const pointerOf = (path: ValuePath): string =>
  path.map((element) => `/${String(element).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
