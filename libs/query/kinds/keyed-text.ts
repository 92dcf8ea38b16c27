import { bind, bindPlanIndependent, type Fragment, sql } from '../sql/fragment';
import { key64 } from '../sql/keys';
import type { FieldKey, Literal, SqlTest } from './field-test';
import { Text } from './text';

class KeyedText extends Text {
  constructor(
    value: Fragment,
    needs: readonly string[],
    override readonly key: FieldKey,
  ) {
    super(value, needs);
  }

  override oneOf(literals: readonly Literal[]): SqlTest {
    const { domain, value, needs } = this.key;
    const keys = literals.map((one) => key64(String(one)));
    // All nodes have similar numbers of rows, so the same plan suits every node. A fact, environment or producer can
    // belong to few or to all nodes, so PostgreSQL must plan with the actual key.
    const one = domain === 'node' ? bindPlanIndependent : bind;
    const condition =
      keys.length === 1 ? sql`${value} = ${one(keys[0], 'bigint')}` : sql`${value} = ANY (${bind(keys, 'bigint[]')})`;
    return { kind: 'expression', sql: condition, needs };
  }
}

/**
 * Creates the kind for text fields that have a key column. Equality compares keys, so that PostgreSQL can use the index
 * on the key.
 */
export const keyedText = (
  value: Fragment,
  needs: readonly string[],
  domain: FieldKey['domain'],
  key: Fragment,
  keyNeeds: readonly string[] = [],
): Text => new KeyedText(value, needs, { domain, value: key, needs: keyNeeds });
