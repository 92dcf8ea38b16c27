/**
 * Tests maintenance over HTTP: expiry, purge and deletion of nodes, the answers of queries right after it, and after a
 * restart.
 */
import { rm } from 'node:fs/promises';
import { catalog, event, factset, report, resource } from '../support/documents';
import { startService, temporaryDataDir, type RunningService } from './service';
import { askQuery } from '../support/ask-query';
import { until } from '../support/until';

const dayMs = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();
const env = {
  NODELEDGER_NODE_TTL: '10d',
  NODELEDGER_NODE_PURGE_TTL: '30d',
  NODELEDGER_REPORT_TTL: '20d',
  NODELEDGER_NODE_PURGE_GC_BATCH_LIMIT: '2',
  NODELEDGER_GC_INTERVAL: '0',
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

describe('admin', () => {
  let dataDir: string;
  let service: RunningService;
  beforeAll(async () => {
    dataDir = await temporaryDataDir();
    service = await startService({ dataDir, env });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function post(path: string, body: unknown): Promise<Answer> {
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }
  const admin = (command: string, payload: unknown): Promise<Answer> =>
    post('/pdb/admin/v1/cmd', { command, version: 1, payload });
  const clean = (...operations: unknown[]): Promise<Answer> => admin('clean', operations);
  const ok = { status: 200, body: { ok: true } };

  async function submit(command: string, version: number, certname: string, payload: unknown): Promise<void> {
    const query = new URLSearchParams({
      command,
      version: String(version),
      certname,
      secondsToWaitForCompletion: '20',
    });
    expect(await post(`/pdb/cmd/v1?${query}`, payload)).toMatchObject({ status: 200, body: { processed: true } });
  }
  const facts = (certname: string, days: number): Promise<void> =>
    submit('replace_facts', 5, certname, factset(certname, { role: certname }, { producer_timestamp: ago(days) }));
  const reported = (certname: string, days: number): Promise<void> =>
    submit('store_report', 8, certname, report(certname, [event(`p${days}`)], { producer_timestamp: ago(days) }));
  const away = (certname: string, days: number): Promise<void> =>
    submit('deactivate_node', 3, certname, { certname, producer_timestamp: ago(days) });

  const names = async (path: string, query?: unknown): Promise<unknown[]> =>
    (await askQuery(service, path, query)).map(({ certname }) => certname).sort();

  test('silent nodes expire, and come back with facts that are not older than the cut-off', async () => {
    await facts('silent', 11);
    await facts('heard', 9);
    expect(await clean('expire_nodes')).toEqual(ok);
    expect(await names('nodes')).toEqual(['heard']);
    expect(await names('nodes', ['=', 'node_state', 'inactive'])).toEqual(['silent']);
    await facts('silent', 10.5);
    expect(await names('nodes')).toEqual(['heard']);
    await facts('silent', 9.9);
    expect(await names('nodes')).toEqual(['heard', 'silent']);
  });

  test('nodes that are away for long are purged, by the limit of the request or of the setting', async () => {
    const state = async (): Promise<number> => {
      let known = 0;
      for (let index = 0; index < 4; index++) {
        const answer = await fetch(`${service.url}/pdb/query/v4/nodes/away-${index}`);
        if (answer.status === 200) known++;
      }
      return known;
    };
    for (let index = 0; index < 4; index++) await away(`away-${index}`, 40 + index);
    await away('away-lately', 20);
    expect(await clean(['purge_nodes', { batch_limit: 1 }])).toEqual(ok);
    expect(await state()).toBe(3);
    expect(await clean('purge_nodes')).toEqual(ok);
    expect(await state()).toBe(1);
    expect(await clean()).toEqual(ok);
    expect(await state()).toBe(0);
    expect(await names('nodes', ['=', 'node_state', 'inactive'])).toEqual(['away-lately']);
  });

  test('old reports are purged with their events', async () => {
    await reported('heard', 25);
    await reported('heard', 5);
    expect(await clean('purge_reports', 'gc_packages', 'other')).toEqual(ok);
    expect(await askQuery(service, 'reports', ['=', 'certname', 'heard'])).toHaveLength(1);
    expect((await askQuery(service, 'events', ['=', 'certname', 'heard'])).map(({ property }) => property)).toEqual([
      'p5',
    ]);
  });

  test('a deleted node is unknown everywhere, its environment and producer with it, and stays so after a restart', async () => {
    const over = { producer_timestamp: ago(0), environment: 'lonely', producer: 'lonely.test' };
    await submit('replace_facts', 5, 'doomed', factset('doomed', { only: { doomed: 1 } }, over));
    await submit('replace_catalog', 9, 'doomed', catalog('doomed', [resource('/doomed')], [], over));
    await submit('store_report', 8, 'doomed', report('doomed', [event('p')], over));
    expect(await admin('delete', { certname: 'doomed' })).toEqual({ status: 200, body: { deleted: 'doomed' } });
    const forgotten = async (): Promise<void> => {
      for (const entity of ['facts', 'factsets', 'catalogs', 'resources', 'reports', 'events', 'fact-contents']) {
        expect([entity, await askQuery(service, entity, ['=', 'certname', 'doomed'])]).toEqual([entity, []]);
      }
      for (const path of ['nodes/doomed', 'catalogs/doomed', 'factsets/doomed']) {
        expect([path, (await fetch(`${service.url}/pdb/query/v4/${path}`)).status]).toEqual([path, 404]);
      }
      expect(await askQuery(service, 'environments', ['=', 'name', 'lonely'])).toEqual([]);
      expect(await askQuery(service, 'producers', ['=', 'name', 'lonely.test'])).toEqual([]);
      expect(await askQuery(service, 'fact-paths', ['=', 'path', ['only', 'doomed']])).toEqual([]);
    };
    await forgotten();
    expect(await service.stop()).toBe(0);
    service = await startService({ dataDir, env });
    await forgotten();
    expect(await admin('delete', { certname: 'nobody' })).toEqual({ status: 200, body: { deleted: 'nobody' } });
  });

  test('wrong commands are answered 400, and clients cannot submit those of maintenance', async () => {
    expect(await admin('polish', [])).toEqual({
      status: 400,
      body: { error: expect.stringMatching(/^Invalid command "/) },
    });
    for (const command of ['delete_node', 'purge_node', 'expire_node', 'purge_reports']) {
      const query = new URLSearchParams({ command, version: '1', certname: 'heard' });
      expect(await post(`/pdb/cmd/v1?${query}`, { certname: 'heard' })).toEqual({
        status: 400,
        body: { error: expect.stringContaining('Command must be one of') },
      });
    }
    expect(await names('nodes')).toContain('heard');
  });

  test('one maintenance at a time: of many at once each is done or told 409', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => clean()));
    for (const { status, body } of answers) {
      if (status === 200) expect(body).toEqual({ ok: true });
      else {
        expect({ status, body }).toEqual({
          status: 409,
          body: { kind: 'conflict', msg: expect.any(String), details: null },
        });
      }
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await clean()).toEqual(ok);
  });

  test('with an interval it happens by itself', async () => {
    await facts('forgotten', 15);
    expect(await names('nodes')).toContain('forgotten');
    expect(await service.stop()).toBe(0);
    service = await startService({ dataDir, env: { ...env, NODELEDGER_GC_INTERVAL: '1s' } });
    await until(async () => !(await names('nodes')).includes('forgotten'), { what: 'the node is removed' });
  });
});
