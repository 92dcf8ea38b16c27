import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { defaultLimits } from '#limits';
import { archiveOf, currentVersions, metadata } from '../../../test/support/archives';
import { factset } from '../../../test/support/documents';
import { importArchive } from './import-archive';

it('appends the state of a node after the documents before it, although the log was full', async () => {
  const state = { certname: 'web', deactivated: null, expired: null, expire_facts: true, expire_facts_updated: null };
  const archive = await archiveOf([
    metadata({ ...currentVersions, restore_node: 1 }),
    { name: 'puppetdb-bak/facts/web.json', content: factset('web', {}) },
    { name: 'puppetdb-bak/node_states/web.json', content: { ...state, expired_cutoff: null } },
  ]);
  let isFull = true;
  const accepted: string[] = [];
  const outcome = await importArchive(Readable.from([archive]), defaultLimits, {
    missing: (documents) => Promise.resolve([...documents]),
    append: async ({ command }) => {
      await delay(1);
      if (isFull) {
        isFull = false;
        throw new Fault('busy', 'log.full', 'The log is full.');
      }
      accepted.push(command);
    },
  });
  expect(outcome).toEqual({ documents: 2, known: 0, passedOver: 0 });
  expect(accepted).toEqual(['replace facts', 'restore node']);
});
