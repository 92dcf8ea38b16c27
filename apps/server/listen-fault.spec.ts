import { isFault } from '#fault';
import { readSettings } from '#config';
import { listenFault } from './listen-fault';

const { settings } = readSettings(['--port', '80'], {});

test.each([
  ['EADDRINUSE', /port 80 of 127\.0\.0\.1 is in use/, /--port/],
  ['EACCES', /may not open port 80/, /above 1023/],
  ['EADDRNOTAVAIL', /127\.0\.0\.1 is not an address of this machine/, /NODELEDGER_HOST/],
])('%s says what happened and what to do', (code, message, hint) => {
  const fault = listenFault(Object.assign(new Error(code), { code }), settings);
  expect(isFault(fault) && [fault.message, fault.hint]).toEqual([
    expect.stringMatching(message),
    expect.stringMatching(hint),
  ]);
});

test('other errors stay as they are', () => {
  const error = new Error('other');
  expect(listenFault(error, settings)).toBe(error);
});
