import type { Ordering } from '../ast/ast';
import type { AstJson } from '../ast/json';
import { malformed } from '../ast/malformed';
import { readRelativeTime } from '../ast/relative-time';
import { readTimestamp } from '../ast/timestamp';
import { bind, type Fragment, queryTime, sql } from '../sql/fragment';
import { orderingSql } from '../sql/ordering';
import type { FieldTest } from './field-test';
import { shownText } from './literals';
import { Scalar } from './scalar';
import { valueHint } from './value-hint';

class UnorderedTimestamp extends Scalar {
  readonly name = 'timestamp';
  readonly noun = 'a time';
  readonly meaning =
    'a time in ISO 8601; answers contain UTC with milliseconds; `<`, `<=`, `>` and `>=` also accept times relative to now (operators.md)';
  readonly type = 'timestamptz';

  protected literal(value: AstJson, label: string): string {
    const time = readTimestamp(value);
    if (time !== undefined) return time;
    throw notATime(value, valueHint('time', label, value));
  }

  protected element(value: AstJson): string | undefined {
    return readTimestamp(value);
  }

  override printed(value: Fragment): Fragment {
    return sql`to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  }
}

class Timestamp extends UnorderedTimestamp {
  override orders(operator: Ordering, value: AstJson, label: string): FieldTest {
    return this.ordered(operator, this.literal(value, label));
  }

  override ordersTime(operator: Ordering, value: AstJson, label: string): FieldTest {
    const fromNow = readRelativeTime(value);
    if (fromNow === undefined) {
      if (readTimestamp(value) === undefined) throw notATime(value, valueHint('time or relative time', label, value));
      return this.orders(operator, value, label);
    }
    const interval = sql`make_interval(secs => ${bind(String(fromNow), 'numeric')}::double precision)`;
    return this.test(sql`${this.value} ${orderingSql(operator)} ${queryTime} + ${interval}`);
  }
}

const notATime = (value: AstJson, hint: { hint?: string }): Error =>
  malformed('value', `'${shownText(value)}' is not a valid timestamp value`, hint);

export const timestamp = (value: Fragment, needs?: readonly string[]): Scalar => new Timestamp(value, needs);

export const unorderedTimestamp = (value: Fragment): Scalar => new UnorderedTimestamp(value);
