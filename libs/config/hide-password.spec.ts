import { hidePassword } from './hide-password';

test.each([
  ['postgres://u:secret@h/n', 'postgres://u:***@h/n'],
  ['postgres://u:se@cret@h:5432/n', 'postgres://u:***@h:5432/n'],
  ['postgres://u:se/cret?@h/n', 'postgres://u:***@h/n'],
  ['postgres://:secret@h/n', 'postgres://:***@h/n'],
  ['postgres://h/n?user=u&password=secret&x=1', 'postgres://h/n?user=u&password=***&x=1'],
  ['postgres://h/n?PASSWORD=secret', 'postgres://h/n?PASSWORD=***'],
  ['postgres://u@h/n', 'postgres://u@h/n'],
  ['mysql://u:secret@h/n', 'mysql://u:***@h/n'],
])('%s', (url, shown) => {
  expect(hidePassword(url)).toBe(shown);
});
