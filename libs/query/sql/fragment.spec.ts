import { defaultLimits } from '#limits';
import { all, any, bind, join, comma, render, sql, subQuery, table, valueQuery } from './fragment';
import { key64, pathKey, reportKey } from './keys';

describe('fragments', () => {
  it('number their parameters when the text is made, and send a value that comes twice once', () => {
    const inner = sql`a = ${bind('x', 'text')}`;
    const whole = sql`SELECT ${bind(1, 'numeric')} FROM ${table('facts')} WHERE ${all([inner, inner])}`;
    expect(render(whole, 'gen_3', defaultLimits)).toEqual({
      text: 'SELECT $1::numeric FROM gen_3.facts WHERE (a = $2::text) AND (a = $2::text)',
      values: [1, 'x'],
      canBePrepared: false,
    });
  });

  it('hold for no conditions, and not for no alternatives', () => {
    expect(render(all([]), 'g', defaultLimits).text).toBe('true');
    expect(render(any([]), 'g', defaultLimits).text).toBe('false');
    expect(render(join([sql`a`, sql`b`], comma), 'g', defaultLimits).text).toBe('a, b');
  });

  it('with more sub-queries than the limit are refused, whether they are conditions or values', () => {
    const limits = { ...defaultLimits, querySubqueries: 2 };
    const two = [subQuery(sql`a`), valueQuery(sql`b`)];
    expect(render(join(two, comma), 'g', limits).text).toBe('a, b');
    expect(() => render(join([...two, subQuery(sql`c`)], comma), 'g', limits)).toThrow('at most 2 are allowed');
  });

  it('replace U+0000, which PostgreSQL refuses, as it is replaced where it is stored', () => {
    expect(render(bind('a\u0000b', 'text'), 'g', defaultLimits).values).toEqual(['a\ufffdb']);
    expect(render(bind(['\u0000'], 'text[]'), 'g', defaultLimits).values).toEqual([['\ufffd']]);
    const asJson = (text: string): unknown => render(bind(text, 'jsonb'), 'g', defaultLimits).values[0];
    expect(asJson(JSON.stringify('a\u0000b'))).toBe('"a\ufffdb"');
    // The characters after an escaped backslash are plain text.
    for (const text of ['\\u0000', '\\\\u0000', '\\ud800', '\ud83e\udd8a', '\n\t"']) {
      expect(asJson(JSON.stringify(text))).toBe(JSON.stringify(text));
    }
    expect(asJson('"\\\\\\u0000"')).toBe('"\\\\\ufffd"');
    expect(asJson(JSON.stringify('\ud800x\udc00'))).toBe('"\ufffdx\ufffd"');
    expect(asJson('"\\uD83E\\uDD8A\\uD83E"')).toBe('"\\uD83E\\uDD8A\ufffd"');
  });

  it.each(['public; drop', 'A', '', 'a.b', '"a"'])('refuse the name %j', (name) => {
    expect(() => render(sql``, name, defaultLimits)).toThrow('not a schema name');
    expect(() => table(name)).toThrow('not a table name');
  });

  it('refuse more parameters than the protocol can number', () => {
    const many = join(
      Array.from({ length: 65_536 }, () => bind(1, 'numeric')),
      comma,
    );
    expect(() => render(many, 'g', defaultLimits)).toThrow('more than 65535 values');
  });
});

describe('large fragments', () => {
  const size = 200_000;
  it('can be wide', () => {
    const wide = join(Array(size).fill(sql`a`), comma);
    expect(render(sql`(${wide})`, 'g', defaultLimits).text.length).toBe(3 * size);
  });

  it('can be deep', () => {
    let deep = sql`a`;
    for (let level = 0; level < size; level++) deep = sql`(${deep})`;
    expect(render(deep, 'g', defaultLimits).text.length).toBe(2 * size + 1);
  });
});

describe('keys', () => {
  it('are the first bytes of SHA-1, signed', () => {
    expect(key64('')).toBe('-2721964255587120371');
    expect(BigInt(key64('kernel'))).toBeLessThan(2n ** 63n);
  });

  it('tell keys from indexes', () => {
    expect(pathKey(['disks', 0])).not.toBe(pathKey(['disks', '0']));
    expect(pathKey(['a', 'b'])).not.toBe(pathKey(['a\0kb']));
  });

  it('know what is a hash of a report', () => {
    expect(reportKey('d2fe29db22ad8c2287a321da6280f099ddd97dd3')).toBe('d2fe29db22ad8c2287a321da6280f099');
    expect(reportKey('D2fe29db22ad8c2287a321da6280f099ddd97dd3')).toBeUndefined();
    expect(reportKey('x')).toBeUndefined();
  });
});
