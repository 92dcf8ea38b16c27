import { callerName } from './caller';

test.each([
  [{}, undefined],
  [{ token: 'dashboard' }, 'token dashboard'],
  [{ certname: 'web1.test' }, 'certificate web1.test'],
  [{ certname: 'web1.test', token: 'dashboard' }, 'certificate web1.test with the token dashboard'],
])('the name of %j is %s', (caller, name) => expect(callerName(caller)).toBe(name));
