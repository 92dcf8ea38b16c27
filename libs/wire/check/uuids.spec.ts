import { readUuid } from './uuids';

const uuid = '68b08e2a-eeb1-4322-b241-bfdf151d294b';

describe('readUuid', () => {
  it.each([uuid, uuid.toUpperCase(), uuid.replaceAll('-', ''), `{${uuid}}`, '68b0-8e2a-eeb1-4322-b241-bfdf-151d-294b'])(
    '%s is spelled as PostgreSQL does',
    (text) => {
      expect(readUuid(text)).toBe(uuid);
    },
  );

  it.each(['', 'nope', `${uuid} `, `{${uuid}`, `${uuid}}`, uuid.slice(1), `${uuid}0`, uuid.replace('6', 'g')])(
    '%j is none',
    (text) => {
      expect(readUuid(text)).toBeUndefined();
    },
  );
});
