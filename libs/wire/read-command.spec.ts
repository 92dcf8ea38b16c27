import { canonicalCommandName } from './canonical-command-name';
import type { WireDocument } from './documents';
import { commandCatalogue, readCommand } from './read-command';

const certname = 'oak.wood.test';
const uuid = '0f0e0d0c-0b0a-4908-8706-050403020100';
const time = '2031-02-03T04:05:06.000Z';

const read = (command: string, version: number, document: unknown): WireDocument =>
  readCommand({ command, version, certname }, Buffer.from(JSON.stringify(document)));
const codeOf = (command: string, version: number, payload: Buffer | string): string => {
  try {
    readCommand({ command, version, certname }, Buffer.from(payload));
  } catch (error) {
    return (error as { code: string }).code;
  }
  return 'fine';
};

describe('readCommand', () => {
  it('has a reader for every version of every command, and for no other', () => {
    for (const [command, { minimum, current }] of commandCatalogue) {
      for (let version = minimum; version <= current; version++)
        expect(codeOf(command, version, '{}')).toBe('wire.shape');
      expect(codeOf(command, minimum - 1, '{}')).toBe('wire.version');
      expect(codeOf(command, current + 1, '{}')).toBe('wire.version');
    }
    expect(codeOf('plant tree', 1, '{}')).toBe('wire.command');
    expect(codeOf('Replace facts', 5, '{}')).toBe('wire.command');
  });

  it('reads a name with underscores as one with spaces, and keeps capitals', () => {
    expect(canonicalCommandName('replace_catalog_inputs')).toBe('replace catalog inputs');
    expect(canonicalCommandName('Deactivate node')).toBe('Deactivate node');
  });

  it('refuses the payload of another node', () => {
    const payload = Buffer.from('{"certname":"elm.wood.test"}');
    expect(() => readCommand({ command: 'deactivate node', version: 3, certname }, payload)).toThrow(
      'The command is for "oak.wood.test", its payload for "elm.wood.test".',
    );
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(codeOf('deactivate node', 3, Buffer.from([0x7b, 0x22, 0xff, 0x22]))).toBe('wire.encoding');
    expect(codeOf('deactivate node', 3, Buffer.from('"\xed\xa0\x80"', 'latin1'))).toBe('wire.encoding');
  });
});

describe('deactivate node 3', () => {
  it.each([
    [{ certname, producer_timestamp: '2031-02-03T04:05:06Z' }, time],
    [{ certname, producer_timestamp: Date.parse(time) }, time],
    [{ certname, producer_timestamp: null }, null],
    [{ certname }, null],
  ])('reads %j', (document, producerTimestamp) => {
    expect(read('deactivate node', 3, document)).toEqual({ kind: 'deactivation', certname, producerTimestamp });
  });

  it.each([{}, { certname: null }, { certname, producer_timestamp: 'x' }, { certname, x: 1 }, certname, [certname]])(
    'refuses %j',
    (document) => {
      expect(() => read('deactivate node', 3, document)).toThrow('deactivate node 3 breaks its format');
    },
  );
});

describe('configure expiration 1', () => {
  it.each([true, false])('reads facts: %s', (facts) => {
    expect(read('configure expiration', 1, { certname, producer_timestamp: time, expire: { facts } })).toEqual({
      kind: 'expiration',
      certname,
      producerTimestamp: time,
      expireFacts: facts,
    });
    expect(read('configure expiration', 1, { certname, expire: { facts } })).toMatchObject({ producerTimestamp: null });
  });

  it.each([
    [undefined, 'expire: expected a value, found nothing'],
    [null, 'expire: expected an object, found null'],
    [[], 'expire: expected an object, found an array'],
    [{}, 'expire.facts: expected a value, found nothing'],
    [{ facts: null }, 'expire.facts: expected a boolean, found null'],
    [{ facts: 'true' }, 'expire.facts: expected a boolean, found a string'],
    [{ facts: true, reports: true }, 'expire.reports: expected no field of this name, found a boolean'],
  ])('refuses expire %j', (expire, message) => {
    expect(() => read('configure expiration', 1, { certname, expire })).toThrow(message);
  });
});

describe('replace catalog inputs 1', () => {
  const good = {
    certname,
    producer_timestamp: time,
    catalog_uuid: uuid.toUpperCase(),
    inputs: [
      ['hiera', 'b'],
      ['hiera', 'a'],
      ['Hiera', 'c'],
      ['hiera', 'b'],
    ],
  };

  it('gives inputs distinct and sorted, and ignores other fields', () => {
    expect(read('replace catalog inputs', 1, { ...good, x: 1 })).toEqual({
      kind: 'inputs',
      certname,
      producerTimestamp: time,
      catalogUuid: uuid,
      inputs: [
        ['Hiera', 'c'],
        ['hiera', 'a'],
        ['hiera', 'b'],
      ],
    });
  });

  it.each([undefined, null, []])('takes inputs %j for none', (inputs) => {
    expect(read('replace catalog inputs', 1, { ...good, inputs })).toMatchObject({ inputs: [] });
  });

  it.each([
    [{ certname: undefined }, 'certname'],
    [{ catalog_uuid: undefined }, 'catalog_uuid'],
    [{ catalog_uuid: null }, 'catalog_uuid'],
    [{ catalog_uuid: 'nope' }, 'catalog_uuid'],
    [{ producer_timestamp: 'x' }, 'producer_timestamp'],
    [{ inputs: 'x' }, 'inputs'],
    [{ inputs: [['a']] }, 'inputs[0]'],
    [{ inputs: [['a', 'b', 'c']] }, 'inputs[0]'],
    [{ inputs: [['a', 'b'], 'c'] }, 'inputs[1]'],
    [{ inputs: [['a', 1]] }, 'inputs[0][1]'],
    [{ inputs: [['a', 'b\0']] }, 'inputs[0][1]'],
  ])('refuses %j', (change, path) => {
    expect(() => read('replace catalog inputs', 1, { ...good, ...change })).toThrow(`: ${path}: expected`);
  });
});
