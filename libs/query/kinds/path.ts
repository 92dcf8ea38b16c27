import { type AstJson, displayAst, isList, NumberText } from '../ast/json';
import { malformed } from '../ast/malformed';
import { all, bind, type Fragment, sql, subQuery, table } from '../sql/fragment';
import { pathKey } from '../sql/keys';
import { matchSql, type Pattern, regularExpression } from '../sql/pattern';
import { FieldKind } from './field-kind';
import { constant, type FieldTest } from './field-test';

interface PathOptions {
  readonly elements: Fragment;
  readonly spelled: Fragment;
  readonly needs?: readonly string[];
  /** Key of the path. This SQL must not need joins. */
  readonly key: Fragment;
  /** True if a regular expression of `~>` must match a whole element. */
  readonly wholeElements?: boolean;
  /** Orders rows with equal paths. Without it, pages could repeat or lose rows. */
  readonly thenBy?: Fragment;
}

class Path extends FieldKind {
  readonly name = 'path';
  readonly noun = 'a path';
  readonly meaning = 'a list of names (strings) and indexes (numbers) that leads to a value inside a fact';
  readonly type = 'jsonb';
  readonly value: Fragment;
  override readonly note: string | undefined;

  constructor(private readonly options: PathOptions) {
    super(options.needs ?? []);
    this.value = options.elements;
    this.note =
      options.wholeElements === true ? 'each regular expression of `~>` must match a whole element' : undefined;
  }

  override equals(value: AstJson): FieldTest {
    return value === null ? constant(false) : this.isIn([value]);
  }

  override isIn(values: readonly AstJson[]): FieldTest {
    if (values.length === 0 || (values.length === 1 && values[0] === null)) return constant(false);
    const keys = values.map((value) => {
      if (!isList(value)) throw notAPath();
      return pathKey(pathElements(value));
    });
    return this.byKey(sql`${this.options.key} = ANY (${bind(keys, 'bigint[]')})`);
  }

  override matches(pattern: Pattern): FieldTest {
    return this.test(matchSql(this.options.spelled, pattern));
  }

  /** Matches paths with exactly one element for each expression. */
  override matchesPath(expressions: AstJson): FieldTest {
    if (!isList(expressions))
      throw malformed('value', `~> requires a list of regular expressions, not ${displayAst(expressions)}`);
    const wanted = pathElements(expressions);
    if (wanted.length === 0) return constant(false);
    const elements = wanted.map((one, index) =>
      typeof one === 'number'
        ? sql`(p.elements -> ${indexSql(index)}) = ${bind(String(one), 'jsonb')}`
        : sql`(p.elements ->> ${indexSql(index)}) ~ ${regularExpression(this.options.wholeElements === true ? `^(?:${one})$` : one)}`,
    );
    // There are few different paths, because nodes share them. So the statement first finds the paths, and then the
    // rows that contain the keys of these paths.
    const paths = sql`SELECT p.path FROM ${table('fact_paths')} p
      WHERE p.depth = ${bind(wanted.length - 1, 'numeric')} AND ${all(elements)}`;
    return this.byKey(subQuery(sql`${this.options.key} IN (${paths})`));
  }

  override isNull(expected: boolean): FieldTest {
    return this.testNull(expected);
  }

  override sorted(direction: Fragment): Fragment {
    const { spelled, thenBy } = this.options;
    return thenBy ? sql`${spelled} ${direction}, ${thenBy}` : sql`${spelled} ${direction}`;
  }

  private byKey(condition: Fragment): FieldTest {
    return { kind: 'expression', sql: condition, needs: [] };
  }
}

const indexSql = (index: number): Fragment => sql`${bind(index, 'numeric')}::int`;

function pathElements(values: readonly AstJson[]): (string | number)[] {
  return values.map((value) => {
    if (typeof value === 'string') return value;
    if (value instanceof NumberText && value.isInteger) return Number(value.text);
    throw notAPath();
  });
}

const notAPath = (): Error => malformed('value', 'Path array element wasnt string or integer in {0}');

export const path = (options: PathOptions): FieldKind => new Path(options);
