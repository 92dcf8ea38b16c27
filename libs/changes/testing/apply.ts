/** Applies changes to a value. This code is independent of the code that finds changes. */
import { type AstJson, isList, isMap, stringifyAst } from '#query';
import type { ValueChange } from '../diff/value-changes';

export const applyChanges = (value: AstJson, changes: readonly ValueChange[]): AstJson =>
  changes.reduce<AstJson>((one, change) => {
    const path = change.path.map(String);
    return change.change === 'removed'
      ? withMember(one, path, 'remove')
      : withMember(one, path, change.change === 'added' ? 'add' : 'replace', change.new);
  }, value);

/** Applies a JSON Patch with the operations add, remove and replace, as RFC 6902 describes them. */
export const applyPatch = (value: AstJson, patch: readonly AstJson[]): AstJson =>
  patch.reduce<AstJson>((one, operation) => {
    if (!isMap(operation)) throw new Error('an operation is an object');
    const [op, pointer] = [operation.get('op'), operation.get('path')];
    if (typeof pointer !== 'string' || (op !== 'add' && op !== 'remove' && op !== 'replace'))
      throw new Error(`not an operation: ${stringifyAst(operation)}`);
    const path = pointer
      .split('/')
      .slice(1)
      .map((element) => element.replaceAll('~1', '/').replaceAll('~0', '~'));
    return withMember(one, path, op, operation.get('value'));
  }, value);

function withMember(
  value: AstJson,
  [first, ...rest]: readonly string[],
  op: 'add' | 'remove' | 'replace',
  given?: AstJson,
): AstJson {
  if (first === undefined) {
    if (given === undefined) throw new Error('a whole document is not removed');
    return given;
  }
  const last = rest.length === 0;
  if (isMap(value)) {
    const copy = new Map(value);
    const old = copy.get(first);
    if (!last) copy.set(first, withMember(required(old), rest, op, given));
    else if (op === 'remove') {
      required(old);
      copy.delete(first);
    } else {
      if (op === 'replace') required(old);
      copy.set(first, required(given));
    }
    return copy;
  }
  if (!isList(value)) throw new Error(`no member '${first}' in a scalar`);
  const index = Number(first);
  if (!(index >= 0 && index <= value.length - (op === 'add' && last ? 0 : 1))) throw new Error(`no element ${first}`);
  const copy = [...value];
  if (!last) copy[index] = withMember(required(copy[index]), rest, op, given);
  else if (op === 'remove') copy.splice(index, 1);
  else copy.splice(index, op === 'add' ? 0 : 1, required(given));
  return copy;
}

function required(value: AstJson | undefined): AstJson {
  if (value === undefined) throw new Error('the value is absent');
  return value;
}
