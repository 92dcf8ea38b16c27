import { requireOwnNode } from './own-node';

test('a certificate for its own node can submit commands for no other node', () => {
  expect(() => requireOwnNode({}, 'web1.test')).not.toThrow();
  expect(() => requireOwnNode({ onlyCertname: 'web1.test' }, 'web1.test')).not.toThrow();
  const refusal = expect.objectContaining({ kind: 'forbidden', code: 'access.other-node' }) as Error;
  expect(() => requireOwnNode({ onlyCertname: 'web1.test' }, 'web2.test')).toThrow(refusal);
});
