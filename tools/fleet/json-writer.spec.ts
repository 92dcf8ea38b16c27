import { JsonWriter, RawJson, decimal } from './json-writer';
import type { Json } from './json-writer';

const document: Json = {
  name: 'São Paulo "東京"\n',
  empty: {},
  none: [],
  list: [1, 2.5, true, null, { inner: { deep: 'x' } }],
  load: decimal(2, 2),
  part: new RawJson('[ "made", "before" ]'),
};

describe('JsonWriter', () => {
  it.each(['pretty', 'compact'] as const)('writes JSON that reads back (%s)', (layout) => {
    expect(JSON.parse(new JsonWriter(layout).value(document, 0))).toEqual({
      name: 'São Paulo "東京"\n',
      empty: {},
      none: [],
      list: [1, 2.5, true, null, { inner: { deep: 'x' } }],
      load: 2,
      part: ['made', 'before'],
    });
  });

  it('spaces the pretty layout as stored documents are', () => {
    expect(new JsonWriter('pretty').value({ a: [{ b: 1 }, 'c'], d: {}, e: [], f: decimal(1, 1) }, 0)).toBe(
      '{\n  "a" : [ {\n    "b" : 1\n  }, "c" ],\n  "d" : { },\n  "e" : [ ],\n  "f" : 1.0\n}',
    );
  });

  it('leaves no blank in the compact layout', () => {
    expect(new JsonWriter('compact').value({ a: [{ b: 1 }, 'c'], d: {}, e: [] }, 0)).toBe(
      '{"a":[{"b":1},"c"],"d":{},"e":[]}',
    );
  });
});
