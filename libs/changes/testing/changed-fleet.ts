import { volatileFactsOf } from '#config';
import { Fleet } from '#fleet';
import type { ChangesBench } from './changes-bench';

const halfHour = 1_800_000;

interface FleetSize {
  /** Number of machines that submit their runs. */
  readonly models: number;
  readonly nodes: number;
  readonly runs: number;
}

/**
 * Fills the tables with a fleet whose nodes have run every half hour until now. Only a few simulated machines submit
 * their runs, because submitting all documents would take an hour. For each of the other nodes, copies the rows of one
 * of these machines, and gives the copies new keys that belong to the same partition as the old keys. Returns the
 * certnames of the machines.
 */
export async function fillChangedFleet(
  { projection }: ChangesBench,
  { models, nodes, runs }: FleetSize,
): Promise<readonly string[]> {
  const [first] = await projection.rows<{ names: number }>(
    `WITH named AS (INSERT INTO {schema}.volatile_facts SELECT unnest($1::text[]) RETURNING 1) SELECT count(*)::int AS names FROM named`,
    [volatileFactsOf({})],
  );
  if (first?.names === 0) throw new Error('no volatile facts');
  const fleet = new Fleet('changes');
  const startTime = new Date(Date.now() - runs * halfHour);
  const certnames = new Set<string>();
  for (let run = 0; run < runs; run++) {
    for (let index = 0; index < models; index++)
      for (const { command, version, certname, producerTimestamp, text } of fleet.run(index, run, { startTime }).sent) {
        certnames.add(certname);
        await projection.submit(command, certname, {
          version,
          payload: text,
          receivedAt: Date.parse(producerTimestamp),
        });
      }
    await projection.settle();
  }
  if (projection.deadLetters.length > 0) throw new Error('a document of the fleet was refused');
  const tables = await projection.rows<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns FROM pg_class c
     JOIN pg_namespace s ON s.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE s.nspname = '{schema}' AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' GROUP BY 1`,
  );
  const changed: Readonly<Record<string, string>> = {
    // The lower half of a key does not change the partition.
    node: '(t.node # (k::bigint * 7919))',
    certname: `t.certname || '-' || k`,
    report: `md5(t.report::text || '/' || k)::uuid`,
    hash: `CASE WHEN length(t.hash) = 40 THEN replace(md5(t.hash || '/' || k), '-', '') || '00000000' ELSE t.hash END`,
  };
  const copies = Math.ceil(nodes / models) - 1;
  for (const { name, columns } of tables) {
    if (!columns.includes('node')) continue;
    const values = columns.map((column) => changed[column] ?? `t.${column}`);
    await projection.rows(`INSERT INTO {schema}.${name} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM {schema}.${name} t CROSS JOIN generate_series(1, ${copies}) k`);
  }
  await projection.rows('VACUUM (ANALYZE)');
  return [...certnames];
}
