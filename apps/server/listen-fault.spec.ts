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

test('the settings of HTTPS are named where its port is the one', () => {
  const { settings: secure } = readSettings([], {
    NODELEDGER_TLS_CERT: 'c',
    NODELEDGER_TLS_KEY: 'k',
    NODELEDGER_TLS_CA: 'a',
  });
  const fault = listenFault(Object.assign(new Error('taken'), { code: 'EADDRINUSE', port: 8081 }), secure);
  expect(isFault(fault) && [fault.message, fault.hint]).toEqual([
    'port 8081 of 0.0.0.0 is in use by another program',
    expect.stringContaining('--tls-port 9090 or NODELEDGER_TLS_PORT=9090'),
  ]);
});

test('the settings of HTTP are named if HTTPS has the same port', () => {
  const { settings: same } = readSettings(['--port', '8081'], {});
  const fault = listenFault(Object.assign(new Error('taken'), { code: 'EADDRINUSE', port: 8081 }), same);
  expect(isFault(fault) && fault.hint).toContain('--port 9090 or NODELEDGER_PORT=9090');
});

test('other errors stay as they are', () => {
  const error = new Error('other');
  expect(listenFault(error, settings)).toBe(error);
});
