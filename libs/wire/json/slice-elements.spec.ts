import { sliceElements } from './slices';

it.each([
  ['[]', []],
  [' [ ] ', []],
  ['[1.0, "a]",[2,[3]] ,{"b":[]}]\n', ['1.0', '"a]"', '[2,[3]]', '{"b":[]}']],
  ['{"a":1}', undefined],
  ['null', undefined],
])('%s', (text, elements) => expect(sliceElements(text)).toEqual(elements));

it.each(['[1', '[1,]', '[1 2]', '[1}', '[1]x', ''])('refuses %j', (text) => {
  expect(() => sliceElements(text)).toThrow(expect.objectContaining({ code: 'wire.json' }));
});
