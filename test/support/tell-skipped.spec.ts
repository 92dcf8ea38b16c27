import { tellSkipped } from './tell-skipped';

const variable = 'NODELEDGER_REQUIRE_NOTHING';
afterEach(() => delete process.env[variable]);

test('what is required is not skipped', () => {
  const told = jest.spyOn(console, 'info').mockImplementation(() => undefined);
  tellSkipped('there is none', variable);
  expect(told.mock.calls).toEqual([['skipped: there is none']]);
  process.env[variable] = '1';
  expect(() => tellSkipped('there is none', variable)).toThrow('NODELEDGER_REQUIRE_NOTHING=1, but there is none');
  told.mockRestore();
});
