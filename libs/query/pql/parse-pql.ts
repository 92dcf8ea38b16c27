/**
 * PQL text to AST JSON. Takes one query; gives the same form that a client could have sent as JSON; refuses with a
 * `pql.syntax` fault that names line, column and what was expected. Reads each character a bounded number of times.
 * The grammar is in grammar.md; which fields exist and what they accept is not looked at here.
 */
import { defaultLimits, type Limits } from '#limits';
import type { AstJson } from '../ast/json';
import { checkSize } from '../ast/check-size';
import { pqlEntities } from './entities';
import { readField, readFunction } from './fields';
import { readList, readNumber, readString, readValue } from './literals';
import { readClauses, type Clauses } from './clauses';
import { Scanner } from './scanner';

/** Parses a whole PQL query to `["from", entity, …]`. Faults: `pql.syntax`, `query.limit`. */
export function parsePql(text: string, limits: Limits = defaultLimits): AstJson[] {
  const parser = new Parser(new Scanner(text, limits));
  const query = parser.query();
  // The lists of the result can lie deeper than the brackets of the text.
  checkSize(query, limits);
  return query;
}

class Parser {
  constructor(private readonly scanner: Scanner) {}

  query(): AstJson[] {
    const { scanner } = this;
    scanner.blanks();
    const from = this.from();
    scanner.blanks();
    if (scanner.position < scanner.text.length) {
      scanner.missed('the end of the query');
      throw scanner.failure();
    }
    return from;
  }

  /** `entity [fields] { body }` */
  private from(): AstJson[] {
    const { scanner } = this;
    const entity = this.entity() ?? this.fail();
    scanner.blanks();
    const fields = scanner.peek() === '[' ? this.projection() : undefined;
    if (fields === undefined) scanner.missed(`'['`);
    scanner.blanks();
    const { condition, groupBy, paging } = this.body();
    const selected = [...(condition === undefined ? [] : [condition]), ...(groupBy === undefined ? [] : [groupBy])];
    return ['from', entity, ...(fields === undefined ? selected : [['extract', fields, ...selected]]), ...paging];
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

  private projection(): AstJson[] {
    const { scanner } = this;
    scanner.take('[');
    const fields: AstJson[] = [];
    scanner.blanks();
    if (scanner.take(']')) return fields;
    do {
      scanner.blanks();
      fields.push(readFunction(scanner) ?? readField(scanner) ?? this.fail());
      scanner.blanks();
    } while (scanner.take(','));
    if (!scanner.take(']')) throw scanner.failure();
    return fields;
  }

  private or(): AstJson {
    return this.series('or', () => this.series('and', () => this.negation()));
  }

  /** One operand, or `[operator, operand, …]`. The operator stands between blanks. */
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

  /** `entity { condition }`, related to the outer entity implicitly. A field of the same name is no sub-query. */
  private subquery(): AstJson | undefined {
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
    return ['subquery', entity, ...(condition === undefined ? [] : [condition])];
  }

  private condition(): AstJson {
    const { scanner } = this;
    scanner.count.add();
    const left =
      scanner.peek() === '['
        ? readList(scanner, (inner) => readFunction(inner) ?? readField(inner))
        : readField(scanner);
    if (left === undefined) throw scanner.failure();
    scanner.blanks();
    return this.nullTest(left) ?? this.membership(left) ?? this.comparison(left) ?? this.fail();
  }

  private nullTest(left: AstJson): AstJson | undefined {
    if (this.scanner.match(/is\s+not\s+null/y, `'is not null'`) !== undefined) return ['null?', left, false];
    return this.scanner.match(/is\s+null/y, `'is null'`) === undefined ? undefined : ['null?', left, true];
  }

  private membership(left: AstJson): AstJson | undefined {
    const { scanner } = this;
    if (!scanner.take('in')) return undefined;
    scanner.blanks();
    if (scanner.peek() !== '[') {
      scanner.missed(`'['`);
      return ['in', left, this.from()];
    }
    return ['in', left, ['array', readList(scanner, readValue) ?? this.fail()]];
  }

  private comparison(left: AstJson): AstJson | undefined {
    const { scanner } = this;
    const operator = operators.find(([text]) => scanner.take(text));
    if (operator === undefined) return undefined;
    scanner.blanks();
    const [text, name, read] = operator;
    const right = read(scanner) ?? this.fail();
    return text.startsWith('!') ? ['not', [name, left, right]] : [name, left, right];
  }

  private fail(): never {
    throw this.scanner.failure();
  }
}

const readPatterns = (scanner: Scanner): AstJson | undefined => readList(scanner, readString);
const readOrdered = (scanner: Scanner): AstJson | undefined => readString(scanner) ?? readNumber(scanner);

/** Text, name in the AST, what may stand on the right. A longer text comes before its own beginning. */
const operators: readonly (readonly [string, string, (scanner: Scanner) => AstJson | undefined])[] = [
  ['!~', '~', readString],
  ['!=', '=', readValue],
  ['~>', '~>', readPatterns],
  ['~', '~', readString],
  ['>=', '>=', readOrdered],
  ['<=', '<=', readOrdered],
  ['>', '>', readOrdered],
  ['<', '<', readOrdered],
  ['=', '=', readValue],
];
