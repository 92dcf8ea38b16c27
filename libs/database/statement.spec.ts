import { arrayLiteral, databaseErrorCode, isRetriable, statement } from './index';
import { Fault } from '#fault';

describe('sql', () => {
  it('makes a parameter of every value', () => {
    const made = statement`SELECT ${1} WHERE a = ${"'; DROP TABLE t"} OR b = ${null}`;
    expect({ ...made }).toMatchObject({
      text: 'SELECT $1 WHERE a = $2 OR b = $3',
      values: [1, "'; DROP TABLE t", null],
    });
  });

  it('splices a statement in and renumbers', () => {
    const inner = statement`x = ${2} AND ${statement`y`} = ${3}`;
    const outer = statement`SELECT ${1} WHERE ${inner} OR z = ${4}${statement``}`;
    expect(outer.text).toBe('SELECT $1 WHERE x = $2 AND y = $3 OR z = $4');
    expect(outer.values).toEqual([1, 2, 3, 4]);
  });

  it('does not take a value that looks like a statement for one', () => {
    const made = statement`SELECT ${{ text: 'DROP TABLE t', values: [] }}`;
    expect(made.text).toBe('SELECT $1');
  });
});

describe('arrayLiteral', () => {
  it.each([
    [[], '{}'],
    [['a', null, ''], '{"a",NULL,""}'],
    [['NULL', 'a"b', 'c\\d', '{},'], '{"NULL","a\\"b","c\\\\d","{},"}'],
    [[1, -2.5, true], '{1,-2.5,true}'],
  ])('%j', (values, literal) => {
    expect(arrayLiteral(values)).toBe(literal);
  });
});

describe('isRetriable', () => {
  const sqlState = (code: string): Error => Object.assign(new Error('said'), { code });
  it.each(['08006', '40001', '40P01', '53300', '57P01', '57014', 'ECONNRESET'])('%s: later', (code) => {
    expect(isRetriable(sqlState(code))).toBe(true);
    expect(isRetriable(new Fault('broken', 'log.append', 'wrapped', { cause: sqlState(code) }))).toBe(true);
  });
  it.each(['22P05', '23505', '54000', 'ENOSPC', '42P01'])('%s: never', (code) => {
    expect(isRetriable(sqlState(code))).toBe(false);
  });
  it('knows a broken connection by its words, and a busy Fault', () => {
    expect(isRetriable(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isRetriable(new Fault('busy', 'log.full', 'full'))).toBe(true);
    expect(isRetriable(new Error('Connection'))).toBe(false);
    expect(isRetriable('57014')).toBe(false);
    expect(isRetriable(undefined)).toBe(false);
  });
  it('finds the code below a Fault', () => {
    expect(databaseErrorCode(new Fault('broken', 'log.append', 'wrapped', { cause: sqlState('22P05') }))).toBe('22P05');
    expect(databaseErrorCode(new Fault('broken', 'log.append', 'alone'))).toBeUndefined();
  });
});
