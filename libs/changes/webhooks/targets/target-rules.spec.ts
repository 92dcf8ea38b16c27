import { AddressRules } from './address-rules';
import { systemResolver } from './resolve-host';
import { TargetRules } from './target-rules';

const rulesWith = (allow: readonly string[] = [], httpHosts: readonly string[] = []): TargetRules =>
  new TargetRules({ addresses: new AddressRules(allow), httpHosts, resolve: async () => [] });

test.each([
  ['https://receiver.example.com/changes?team=a', 'https://receiver.example.com/changes?team=a'],
  ['https://8.8.8.8:8443', 'https://8.8.8.8:8443/'],
  ['HTTPS://Receiver.Example.com', 'https://receiver.example.com/'],
])('%s is allowed', (text, href) => {
  expect(rulesWith().read(text).href).toBe(href);
});

test.each([
  ['receiver.example.com', 'not a URL'],
  ['https://', 'not a URL'],
  ['ftp://receiver.example.com/', 'https://'],
  ['file:///etc/passwd', 'not a URL'],
  ['http://receiver.example.com/', 'NODELEDGER_WEBHOOK_HTTP_HOSTS'],
  ['https://user:pass@receiver.example.com/', 'clear text'],
  ['https://receiver.example.com/#part', 'fragment'],
  ['https://127.0.0.1/', 'not public'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://169.254.169.254/latest/meta-data', 'not public'],
  ['https://[::1]/', '::1'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['https://[64:ff9b::7f00:1]/', '64:ff9b::7f00:1'],
])('%s is refused: %s', (text, reason) => {
  const refused: unknown = expect.objectContaining({ kind: 'malformed', code: 'webhooks.target' });
  expect(() => rulesWith().read(text)).toThrow(refused as Error);
  expect(() => rulesWith().read(text)).toThrow(reason);
});

test('http is allowed for the hosts of the setting only, also if they are written with a dot at the end', () => {
  const rules = rulesWith(['10.0.0.0/8'], ['relay.internal', '10.0.0.7']);
  for (const url of ['http://relay.internal:8000/', 'http://relay.internal./', 'http://10.0.0.7/'])
    expect(rules.read(url).protocol).toBe('http:');
  expect(() => rules.read('http://10.0.0.8/')).toThrow('NODELEDGER_WEBHOOK_HTTP_HOSTS');
  expect(() => rulesWith([], ['10.0.0.7']).read('http://10.0.0.7/')).toThrow('not public');
});

test('a lookup gives allowed addresses only, and fails if there is none', async () => {
  const answers = [['10.0.0.1', '8.8.8.8', '2606:4700::1'], ['10.0.0.1', '::1'], []];
  const resolve = async (): Promise<string[]> => answers.shift() ?? [];
  const rules = new TargetRules({ addresses: new AddressRules(), httpHosts: [], resolve });
  const look = (): Promise<unknown> =>
    new Promise((done, fail) =>
      rules.lookup('a.example.com', { all: true }, (error, found) => (error === null ? done(found) : fail(error))),
    );
  expect(await look()).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ]);
  await expect(look()).rejects.toThrow('a.example.com has the address 10.0.0.1, ::1, which is not public.');
  await expect(look()).rejects.toThrow('a.example.com has no address.');
});

test('at most two hosts are looked up at once, and one host once', async () => {
  const open: (() => void)[] = [];
  const lookups: string[] = [];
  const resolve = systemResolver((host) => {
    lookups.push(host);
    return new Promise((done) => open.push(() => done([host])));
  });
  const found = ['a', 'b', 'a', 'c'].map((host) => resolve(host));
  expect(lookups).toEqual(['a', 'b']);
  open.shift()?.();
  expect(await Promise.all([found[0], found[2]])).toEqual([['a'], ['a']]);
  expect(lookups).toEqual(['a', 'b', 'c']);
  for (const settle of open) settle();
  expect(await Promise.all(found)).toEqual([['a'], ['b'], ['a'], ['c']]);
});
