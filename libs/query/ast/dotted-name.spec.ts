import fc from 'fast-check';
import { readDottedName, readSteps, type Step } from './dotted-name';

const key = (text: string): Step => ({ kind: 'key', key: text });
const index = (number: number): Step => ({ kind: 'index', index: number });
const match = (pattern: string): Step => ({ kind: 'match', pattern });

describe('readDottedName', () => {
  it.each<[string, Step[]]>([
    ['facts.kernel', [key('kernel')]],
    ['facts.os.release.major', [key('os'), key('release'), key('major')]],
    ['facts."dotted.name"', [key('dotted.name')]],
    ['facts."two.dots"."in.ner"', [key('two.dots'), key('in.ner')]],
    ['facts.disks[0]', [key('disks'), index(0)]],
    ['facts.a[1][2].b', [key('a'), index(1), index(2), key('b')]],
    ['facts."a.b"[3]', [key('a.b'), index(3)]],
    ['facts.match("eth\\d").mtu', [match('eth\\d'), key('mtu')]],
    ['facts.match("a.b").x', [match('a.b'), key('x')]],
    ['facts.match(x)', [key('match(x)')]],
    ['facts.quo"te', [key('quo"te')]],
    ['facts.with space', [key('with space')]],
    ['facts./.device', [key('/'), key('device')]],
    ['facts.', [key('')]],
    ['facts..x', [key(''), key('x')]],
    ['facts.x[n]', [key('x[n]')]],
  ])('%s', (name, steps) => {
    expect(readDottedName(name)?.steps).toEqual(steps);
    expect(readDottedName(name)?.container).toBe('facts');
  });

  it('is nothing for a plain name', () => {
    expect(readDottedName('certname')).toBeUndefined();
  });
});

/** Parses the grammar with regular expressions, which takes quadratic time. */
function readByExpressions(text: string): Step[] {
  const steps: Step[] = [];
  for (let at = 0; at <= text.length; at++) {
    const take = (shape: RegExp): RegExpExecArray | null => {
      shape.lastIndex = at;
      return shape.exec(text);
    };
    const matched = take(/match\("([\s\S]*?)"\)(?=\.|$)/y);
    const plain = take(/"([\s\S]*?)"((?:\[\d+\])*)(?=\.|$)/y) ?? take(/([^.]*?)((?:\[\d+\])*)(?=\.|$)/y)!;
    if (matched) steps.push(match(matched[1]!));
    else {
      steps.push(key(plain[1]!));
      for (const [digits] of plain[2]!.matchAll(/\d+/g)) steps.push(index(Number(digits)));
    }
    at += (matched ?? plain)[0].length;
    if (at === text.length) break;
  }
  return steps;
}

test('every text is read as its grammar says', () => {
  const pieces = fc.constantFrom(
    'a',
    '.',
    '"',
    '[0]',
    '[12]',
    '[',
    ']',
    '1',
    'match("',
    'match(',
    '")',
    ')',
    '\n',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (some) => {
      const text = some.join('');
      expect(readSteps(text)).toEqual(readByExpressions(text));
    }),
    { numRuns: 20_000 },
  );
});
