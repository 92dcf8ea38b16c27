import fc from 'fast-check';
import { isFault } from '#fault';
import { CertificateRoles } from './certificate-roles';

const rolesIn = (text: string, certname: string): string[] => [
  ...CertificateRoles.parse(text, 'roles.yaml').rolesOf(certname),
];

const file = `
certificates:
  - name: puppet.example.com
    roles: [submit, query]
  - name: '*.example.com'
    roles: [submit-own]
  - name: 'web*-*.prod.*'
    roles: [query]
`;

test.each([
  ['puppet.example.com', ['submit', 'query', 'submit-own']],
  ['web1.example.com', ['submit-own']],
  ['.example.com', ['submit-own']],
  ['example.com', []],
  ['puppet.example.com.evil.org', []],
  ['PUPPET.example.com', ['submit-own']],
  ['web1-a.prod.x', ['query']],
  ['web-.prod.', ['query']],
  ['web.prod.x', []],
  ['web1-a.prod', []],
  ['', []],
])('%s has the roles %j', (certname, expected) => {
  expect(rolesIn(file, certname)).toEqual(expected);
});

test('the parts of a pattern do not overlap', () => {
  const text = "certificates: [{name: 'aba*ba', roles: [query]}]";
  expect(rolesIn(text, 'aba')).toEqual([]);
  expect(rolesIn(text, 'ababa')).toEqual(['query']);
});

test('a pattern matches the same names as a regular expression', () => {
  const texts = (letters: string, minLength: number) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength: 8 });
  fc.assert(
    fc.property(texts('ab**', 1), texts('ab', 0), (pattern, certname) => {
      const text = `certificates: [{name: '${pattern}', roles: [query]}]`;
      const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(certname);
      expect(rolesIn(text, certname)).toEqual(expected ? ['query'] : []);
    }),
    { numRuns: 3_000 },
  );
});

test('a pattern with many stars takes linear time', () => {
  const text = `certificates: [{name: '${'a*'.repeat(500)}b', roles: [query]}]`;
  const began = process.cpuUsage();
  expect(rolesIn(text, 'a'.repeat(100_000))).toEqual([]);
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(500);
});

test.each(['', '# nothing yet', 'certificates:', 'certificates: []'])('%j: nobody has a role', (text) => {
  expect(rolesIn(text, 'web1')).toEqual([]);
});

function refusal(text: string): string {
  try {
    CertificateRoles.parse(text, 'roles.yaml');
  } catch (error) {
    if (isFault(error) && error.code === 'config.file') return error.message;
    throw error;
  }
  throw new Error('it was accepted');
}

test.each([
  ['[]', /has to hold a map with the key certificates/],
  ['certificates: {}', /certificates has to be a list/],
  ['certs: []', /unknown key certs/],
  ['certificates: [web1]', /certificates\[0\] has to be a map/],
  ['certificates: [{name: web1}]', /certificates\[0\]: roles has to be a list of submit, /],
  ['certificates: [{name: web1, roles: []}]', /roles has to be a list/],
  ['certificates: [{name: 1, roles: [query]}]', /name has to be the name of a certificate/],
  ['certificates: [{name: web1, roles: [querry]}]', /there is no role querry; .* Did you mean query\?/],
  ['certificates: [{name: web1, roles: [query], role: admin}]', /unknown key role/],
  ['certificates: [{name: web1, roles: [query]}\n', /at line/],
  ['certificates: []\ncertificates: []', /unique/],
])('%j is refused', (text, reason) => {
  expect(refusal(text)).toMatch(reason);
  expect(refusal(text)).toContain('roles.yaml (NODELEDGER_AUTHORIZATION)');
});

test('everything that is wrong is named at once', () => {
  const said = refusal('certificates: [{name: a, roles: [x]}, {roles: [query]}]');
  expect(said).toMatch(/certificates\[0\]/);
  expect(said).toMatch(/certificates\[1\]/);
});
