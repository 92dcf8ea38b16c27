import { keyedText } from '../kinds/keyed-text';
import { type Fragment, sql } from '../sql/fragment';
import type { Field } from './entity';

/** The SQL needs the join `node`. `key` is the SQL for the key of the node. */
export const certname = (key: Fragment): Field => ({
  name: 'certname',
  kind: keyedText(sql`n.certname`, ['node'], 'node', key),
});

/**
 * The SQL needs the join `environment`. `key` is the SQL for the environment's key, which needs the joins in
 * `keyNeeds`.
 */
export const environment = (key: Fragment, keyNeeds?: readonly string[]): Field => ({
  name: 'environment',
  kind: keyedText(sql`env.name`, ['environment'], 'environment', key, keyNeeds),
});

/** The SQL needs the join `producer`. `key` is the SQL for the key of the producer. */
export const producer = (key: Fragment): Field => ({
  name: 'producer',
  kind: keyedText(sql`pro.name`, ['producer'], 'producer', key),
});
