/** Compressed bodies that do not match their declaration. */
import { gzipSync } from 'node:zlib';
import { factset } from '../../support/documents';
import { certname } from './payload-documents';

const facts = (blanks: number): string => JSON.stringify(factset(certname, { a: 1 })) + ' '.repeat(blanks);
const packed = (text: string | Buffer): Buffer => gzipSync(text, { level: 1 });

/** Replaces the size in the trailer of the stream. */
function withTrailer(bytes: Buffer, size: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(size >>> 0, changed.length - 4);
  return changed;
}

/** `n`: the inflated bytes, or the number of repetitions if the shape repeats a part. */
export const gzipShapes: Readonly<Record<string, (n: number) => Buffer>> = {
  'n blanks behind facts': (n) => packed(facts(n)),
  'n zeros': (n) => packed(Buffer.alloc(n)),
  'two members, the second one empty': (n) => Buffer.concat([packed(facts(n)), packed('')]),
  'two members, the second of one byte': (n) => Buffer.concat([packed(facts(n)), packed(' ')]),
  'n / 100 members': (n) =>
    Buffer.concat([packed(facts(0)), ...Array.from({ length: Math.ceil(n / 100) }, () => packed(' '))]),
  'a trailer that says nothing': (n) => withTrailer(packed(facts(n)), 0),
  'a trailer that says one byte': (n) => withTrailer(packed(facts(n)), 1),
  'a trailer that says four gigabytes': (n) => withTrailer(packed(facts(n)), 0xffffffff),
  'a trailer that says the limit': (n) => withTrailer(packed(facts(n)), 20_000_000),
  'bytes behind the end': (n) => Buffer.concat([packed(facts(0)), Buffer.alloc(n, 1)]),
  'zeros behind the end': (n) => Buffer.concat([packed(facts(0)), Buffer.alloc(n)]),
  'half a stream': (n) => {
    const whole = packed(facts(n));
    return whole.subarray(0, Math.ceil(whole.length / 2));
  },
  'a head only': () => packed(facts(0)).subarray(0, 10),
  'a file name of n bytes': (n) => {
    const whole = packed(facts(0));
    const head = Buffer.from(whole.subarray(0, 10));
    head[3] = 8;
    return Buffer.concat([head, Buffer.alloc(n, 'n'), Buffer.from([0]), whole.subarray(10)]);
  },
  'no gzip at all': (n) => Buffer.from(facts(n)),
  'gzip in gzip': (n) => packed(packed(facts(n))),
};
