import { defaultLimits, type Limits } from '#limits';
import { type AstJson, isList } from '../ast/json';
import { checkSize } from '../ast/check-size';
import type { SourceLocation } from '../ast/source-location';
import { lineAndColumn, sourceLine } from '../ast/source-line';
import { fullLanguage, type Language } from '../operators/language';
import { pqlEntities } from './entities';
import { readField, readFunction } from './fields';
import { formsOf } from './forms';
import { readList, readString, readValue } from './literals';
import { readNow } from './now';
import { readClauses, type Clauses } from './clauses';
import { Scanner } from './scanner';
import { readVersionTest, refuseVersion } from './version';

export interface DatedQuery {
  /** The AST: `["from", entity, …]`. */
  readonly query: AstJson[];
  /** The moment after `as of`: a text, or a list such as `["-", ["now"], "2h"]`. */
  readonly asOf?: AstJson;
}

/**
 * Parses a whole query in linear time, by the grammar in grammar.md. Throws `pql.syntax` or `query.limit`. Later steps
 * check fields and values.
 */
export function parseDatedPql(
  text: string,
  limits: Limits = defaultLimits,
  language: Language = fullLanguage,
): DatedQuery {
  const dated = new Parser(new Scanner(text, limits, language)).query();
  // The scanner limits how deep the brackets of the text are nested, but the lists of the result can be nested deeper.
  checkSize(dated.query, limits);
  return dated;
}

/** Ignores the moment after `as of`. */
export const parsePql = (text: string, limits?: Limits, language?: Language): AstJson[] =>
  parseDatedPql(text, limits, language).query;

/**
 * Returns where a part of a query begins in its PQL text. `path` contains the indexes that lead to this part in the
 * JSON form.
 */
export function pqlLocation(
  text: string,
  path: readonly number[],
  { limits = defaultLimits, language = fullLanguage }: { readonly limits?: Limits; readonly language?: Language } = {},
): SourceLocation {
  const starts = new Map<AstJson, number>();
  let part: AstJson | undefined = new Parser(new Scanner(text, limits, language, starts)).query().query;
  let position = 0;
  for (const index of [...path, undefined]) {
    position = (part === undefined ? undefined : starts.get(part)) ?? position;
    part = index !== undefined && isList(part) ? part[index] : undefined;
  }
  const { line, column } = sourceLine(text, position);
  return { name: lineAndColumn(text, position), details: { line, column } };
}

interface Projection {
  readonly columns: AstJson[];
  readonly distinct: boolean;
}

/** If no column follows, `distinct` is the name of a field. */
const distinctWord = /distinct(?=\s+[^\s,\]])/y;

class Parser {
  constructor(private readonly scanner: Scanner) {}

  query(): DatedQuery {
    const { scanner } = this;
    scanner.blanks();
    const query = this.from();
    scanner.blanks();
    const asOf = scanner.language.has('as-of') ? this.asOf() : undefined;
    scanner.blanks();
    if (scanner.position < scanner.text.length) {
      scanner.missed('the end of the query');
      throw scanner.failure();
    }
    return { query, ...(asOf === undefined ? {} : { asOf }) };
  }

  /** `as of "2 days ago"` can follow a whole query but not a sub-query. */
  private asOf(): AstJson | undefined {
    const { scanner } = this;
    if (!scanner.take('as of')) return undefined;
    if (!this.blank()) throw scanner.failure();
    return readString(scanner) ?? readNow(scanner) ?? this.fail();
  }

  /** Reads `entity [columns] { body }`. */
  private from(): AstJson[] {
    const { scanner } = this;
    const start = scanner.position;
    const entity = this.entity() ?? this.fail();
    scanner.blanks();
    const columnsStart = scanner.position;
    const projection = scanner.peek() === '[' ? this.projection() : undefined;
    if (projection === undefined) scanner.missed(`'['`);
    scanner.blanks();
    const { condition, groupBy, having, paging } = this.body();
    const selected = [condition, groupBy, having].filter((clause) => clause !== undefined);
    const extract = ({ columns, distinct }: Projection): AstJson[] =>
      this.scanner.startsAt(columnsStart, ['extract', columns, ...selected, ...(distinct ? [['distinct']] : [])]);
    const query = ['from', entity, ...(projection === undefined ? selected : [extract(projection)]), ...paging];
    return this.scanner.startsAt(start, query);
  }

  private body(): Clauses & { condition?: AstJson } {
    const { scanner } = this;
    if (!scanner.take('{')) throw scanner.failure();
    scanner.blanks();
    let clauses = readClauses(scanner);
    let condition: AstJson | undefined;
    if (clauses.groupBy === undefined && clauses.paging.length === 0 && scanner.peek() !== '}') {
      condition = this.or();
      clauses = readClauses(scanner);
    }
    scanner.blanks();
    if (!scanner.take('}')) throw scanner.failure();
    return condition === undefined ? clauses : { ...clauses, condition };
  }

  private entity(): string | undefined {
    const { scanner } = this;
    const start = scanner.position;
    const name = scanner.match(/[a-zA-Z0-9_]+/y);
    if (name !== undefined && pqlEntities.includes(name)) return name;
    scanner.position = start;
    pqlEntities.forEach((known) => scanner.missed(`'${known}'`));
    return undefined;
  }

  private projection(): Projection {
    const { scanner } = this;
    scanner.take('[');
    const columns: AstJson[] = [];
    scanner.blanks();
    if (scanner.take(']')) return { columns, distinct: false };
    const distinct = scanner.language.has('distinct') && scanner.match(distinctWord) !== undefined;
    do {
      scanner.blanks();
      columns.push(readFunction(scanner) ?? readField(scanner) ?? this.fail());
      scanner.blanks();
    } while (scanner.take(','));
    if (!scanner.take(']')) throw scanner.failure();
    return { columns, distinct };
  }

  private or(): AstJson {
    return this.series('or', () => this.series('and', () => this.negation()));
  }

  /** Returns a single operand unchanged, and several operands as `[operator, operand, …]`. */
  private series(operator: 'and' | 'or', operand: () => AstJson): AstJson {
    const { scanner } = this;
    const operands = [operand()];
    for (;;) {
      const end = scanner.position;
      if (!(scanner.blanks() && scanner.take(operator) && this.blank())) {
        scanner.position = end;
        return operands.length === 1 ? operands[0]! : [operator, ...operands];
      }
      operands.push(operand());
    }
  }

  private blank(): boolean {
    if (this.scanner.blanks()) return true;
    this.scanner.missed('a blank');
    return false;
  }

  private negation(): AstJson {
    const { scanner } = this;
    scanner.count.enter();
    const inner = scanner.take('!') ? this.negated() : this.primary();
    scanner.count.leave();
    return inner;
  }

  private negated(): AstJson {
    this.scanner.blanks();
    return ['not', this.negation()];
  }

  private primary(): AstJson {
    const { scanner } = this;
    if (!scanner.take('(')) return this.subquery() ?? this.condition();
    scanner.blanks();
    const inner = this.or();
    scanner.blanks();
    if (!scanner.take(')')) throw scanner.failure();
    return inner;
  }

  /** Reads the implicit sub-query `entity { condition }`. If no `{` follows the name, the name is a field. */
  private subquery(): AstJson[] | undefined {
    const { scanner } = this;
    const start = scanner.position;
    const entity = this.entity();
    if (entity === undefined) return undefined;
    scanner.blanks();
    if (scanner.peek() !== '{') {
      scanner.missed(`'{'`);
      scanner.position = start;
      return undefined;
    }
    const { condition, groupBy, paging } = this.body();
    if (groupBy !== undefined || paging.length > 0) {
      throw scanner.fault(
        start,
        `The sub-query on ${entity} takes a condition only. To group, order or limit it, write 'field in ${entity}[field] { … }'.`,
      );
    }
    return this.scanner.startsAt(start, ['subquery', entity, ...(condition === undefined ? [] : [condition])]);
  }

  private condition(): AstJson {
    const { scanner } = this;
    const start = scanner.position;
    scanner.count.add();
    const versions = readVersionTest(scanner);
    if (versions !== undefined) return scanner.startsAt(start, versions);
    const left =
      scanner.peek() === '['
        ? readList(scanner, (inner) => readFunction(inner) ?? readField(inner))
        : readField(scanner);
    if (left === undefined) throw scanner.failure();
    scanner.blanks();
    const condition = this.suffix(left) ?? this.membership(left) ?? this.comparison(left) ?? this.fail();
    return this.scanner.startsAt(start, condition);
  }

  private suffix(left: AstJson): AstJson[] | undefined {
    const { suffixes } = formsOf(this.scanner.language);
    const found = suffixes.find(({ pattern, label }) => this.scanner.match(pattern, label) !== undefined);
    return found && [found.name, left, found.value];
  }

  private membership(left: AstJson): AstJson[] | undefined {
    const { scanner } = this;
    if (!scanner.take('in')) return undefined;
    scanner.blanks();
    if (scanner.peek() !== '[') {
      scanner.missed(`'['`);
      return ['in', left, this.from()];
    }
    return ['in', left, ['array', readList(scanner, readValue) ?? this.fail()]];
  }

  private comparison(left: AstJson): AstJson[] | undefined {
    const { scanner } = this;
    const form = formsOf(scanner.language).infixes.find(({ text }) => scanner.take(text));
    if (form === undefined) return undefined;
    scanner.blanks();
    refuseVersion(scanner);
    const test = [form.name, left, form.read(scanner) ?? this.fail()];
    return form.negated ? ['not', test] : test;
  }

  private fail(): never {
    throw this.scanner.failure();
  }
}
