import type { Step } from '../ast/dotted-name';
import { bind, type Fragment, sql, valueQuery } from '../sql/fragment';
import { Expanded } from './expanded';
import type { FieldKind } from './field-kind';
import { integer } from './integer';

class ReportMetrics extends Expanded {
  override readonly note =
    'a dotted name selects one number: `metrics.time.config_retrieval`, `metrics.resources.failed`';

  constructor(
    output: Fragment,
    private readonly metrics: Fragment,
  ) {
    super(output, []);
  }

  override member(steps: readonly Step[]): FieldKind | undefined {
    const [category, name] = steps;
    if (steps.length !== 2 || category?.kind !== 'key' || name?.kind !== 'key') return undefined;
    return integer(valueQuery(this.found(category.key, name.key)));
  }

  /** The cast cannot fail, because the service rejects reports with metric values that are not numbers. */
  private found(category: string, name: string): Fragment {
    return sql`(SELECT (m.one ->> 'value')::numeric
      FROM json_array_elements(CASE json_typeof(${this.metrics}) WHEN 'array' THEN ${this.metrics} ELSE '[]' END) m (one)
      WHERE m.one ->> 'category' = ${bind(category, 'text')} AND m.one ->> 'name' = ${bind(name, 'text')} LIMIT 1)`;
  }
}

/** `metrics` is the SQL for the list of category, name and value. `output` is the SQL for the answer. */
export const reportMetrics = (output: Fragment, metrics: Fragment): FieldKind => new ReportMetrics(output, metrics);
