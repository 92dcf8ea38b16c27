import { commandCatalogue } from '#wire';
import { requireOwnDocument } from './own-documents';

const codeOf = (onlyCertname: string | undefined, command: string, certname: string): string => {
  try {
    requireOwnDocument(onlyCertname === undefined ? {} : { onlyCertname }, { command, certname });
    return 'allowed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('submit-own allows the documents of the own node and no other command', () => {
  const codes = [...commandCatalogue.keys()].map((command) => [command, codeOf('web1', command, 'web1')]);
  expect(Object.fromEntries(codes)).toEqual({
    'replace catalog': 'allowed',
    'replace facts': 'allowed',
    'store report': 'allowed',
    'replace catalog inputs': 'allowed',
    'deactivate node': 'access.role',
    'configure expiration': 'access.role',
  });
});

test('submit-own allows nothing for another node; other callers may submit everything', () => {
  expect(codeOf('web1', 'replace facts', 'web2')).toBe('access.other-node');
  expect(codeOf('web1', 'deactivate node', 'web2')).toBe('access.other-node');
  expect(codeOf(undefined, 'deactivate node', 'web2')).toBe('allowed');
});
