import { readCommand } from '../read-command';
import recorded from './recorded-hashes.json';

/** The documents were made for this test. The hashes are those that PuppetDB computed. */
describe('identities', () => {
  it.each(recorded.map((one) => [one.name, one] as const))('%s: as the reference has it', (_, one) => {
    const { command, version, payload } = one;
    const { certname } = JSON.parse(payload) as { certname: string };

    const document = readCommand({ command, version, certname }, Buffer.from(payload));

    if (document.kind === 'catalog') {
      const resources = document.content!.resources.map((r) => [`${r.type}[${r.title}]`, r.hash]);
      expect(Object.fromEntries(resources)).toEqual(one.resources);
      expect(document.content!.hash).toBe(one.hash);
    } else expect((document as { hash: string }).hash).toBe(one.hash);
  });
});
