import { defaultLimits, type LimitName } from '#limits';
import { JsonScan } from '../json/scan';
import { FactSize } from './fact-size';
import { leavesOf } from './leaves';

const sizeOf = (name: string, text: string, limits = defaultLimits): FactSize => {
  const size = new FactSize(limits);
  expect(size.add(new JsonScan(text), 0, name)).toBe(text.trimEnd().length);
  return size;
};

describe('FactSize', () => {
  it.each([
    ['1', 1, 1, 4],
    ['"text, [and] {more}"', 1, 1, 4],
    ['{}', 1, 1, 4],
    ['[ ]', 1, 1, 4],
    ['[1,"x",null]', 3, 6, 15],
    ['{"a":1,"bc":[true,{}]}', 3, 8, 4 + 2 + 2 * (4 + 3 + 1)],
    ['{ "a" : { "b" : [ 1 , 2 ] } , "c" : [ [ ] ] }', 3, 4 + 4 + 3, 9 + 9 + 7],
  ])('%s', (text, leaves, pathElements, pathCharacters) => {
    expect(sizeOf('fact', text)).toMatchObject({ leaves, pathElements, pathCharacters });
  });

  it('counts the leaves that there are, where keys are told apart and nothing is empty', () => {
    const text = '{"a":[1,{"b":2.5},[[null]]],"c":{"d":{"e":"\\u0041"}}}';
    const leaves = [...leavesOf('fact', text)];
    expect(sizeOf('fact', text)).toMatchObject({
      leaves: leaves.length,
      pathElements: leaves.reduce((sum, { path }) => sum + path.length, 0),
    });
  });

  it.each<[LimitName, string, number]>([
    ['factLeaves', '[1,2,3,4]', 4],
    ['factPathElements', '[[1,2,3]]', 9],
    ['factPathCharacters', '{"abcde":[1,2]}', 2 * (4 + 6 + 1)],
  ])('%s: as many as the limit are admitted, one more is not', (name, text, found) => {
    expect(() => sizeOf('fact', text, { ...defaultLimits, [name]: found })).not.toThrow();
    expect(() => sizeOf('fact', text, { ...defaultLimits, [name]: found - 1 })).toThrow(
      expect.objectContaining({
        code: 'wire.limit',
        message: expect.stringContaining(`more than ${found - 1}`) as string,
      }),
    );
  });

  it('adds up over the facts of a node', () => {
    const size = new FactSize({ ...defaultLimits, factLeaves: 3 });
    size.add(new JsonScan('[1,2]'), 0, 'a');
    size.add(new JsonScan('3'), 0, 'b');
    expect(() => size.add(new JsonScan('4'), 0, 'c')).toThrow('values in the facts of a node');
  });
});
