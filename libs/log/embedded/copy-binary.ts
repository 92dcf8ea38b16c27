const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

/** Reads a `COPY ... (FORMAT binary)` stream. The fields are slices of `stream`. Throws if a field is NULL. */
export function* binaryRows(stream: Buffer): Generator<Buffer[]> {
  if (!stream.subarray(0, signature.length).equals(signature)) throw new Error('not a binary COPY stream');
  let at = signature.length + 4;
  at += 4 + stream.readInt32BE(at);
  for (;;) {
    const count = stream.readInt16BE(at);
    at += 2;
    if (count === -1) return;
    const fields: Buffer[] = [];
    for (let field = 0; field < count; field++) {
      const length = stream.readInt32BE(at);
      if (length < 0) throw new Error('an unexpected NULL in a binary COPY stream');
      fields.push(stream.subarray(at + 4, at + 4 + length));
      at += 4 + length;
    }
    yield fields;
  }
}
