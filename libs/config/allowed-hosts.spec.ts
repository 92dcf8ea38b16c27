import { readHosts } from './allowed-hosts';

test.each([
  ['console.example.com', ['console.example.com']],
  ['A.example.com, b', ['a.example.com', 'b']],
  ['192.0.2.7', ['192.0.2.7']],
  ['', []],
])('%j: %j', (text, names) => expect(readHosts(text)).toEqual(names));

test.each(['*.example.com', 'https://a', 'a:8080', 'a b', 'a..b', '-a', 'a'.repeat(254)])('%j is refused', (text) => {
  expect(readHosts(text)).toBeUndefined();
});
