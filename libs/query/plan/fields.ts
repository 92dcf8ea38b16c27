import { excerpt, type Fault, nearest } from '#fault';
import type { FieldRef } from '../ast/ast';
import { readDottedName } from '../ast/dotted-name';
import { fieldHint } from '../ast/field-hint';
import { enumerate, malformed } from '../ast/malformed';
import type { Entity, Field, FieldOption, FieldUse } from '../entities/entity';
import type { FieldKind } from '../kinds/field-kind';
import { fullLanguage, type Language } from '../operators/language';
import type { Compared, PlannedField } from './plan';
import type { CompileTarget } from './target';

/** The fields of an entity that exist for one request. They depend on edition, dialect and options of the request. */
export class Fields {
  readonly language: Language;
  private readonly present: readonly Field[];
  private readonly found = {
    ask: new Map<string, PlannedField | undefined>(),
    show: new Map<string, PlannedField | undefined>(),
    order: new Map<string, PlannedField | undefined>(),
  };

  constructor(
    readonly entity: Entity,
    readonly target: CompileTarget,
    readonly options: readonly FieldOption[],
  ) {
    this.language = target.language ?? fullLanguage;
    this.present = entity.fields.filter(
      (field) =>
        !(field.open === 'absent' && target.edition === 'open') &&
        (field.option === undefined || options.includes(field.option)),
    );
  }

  shown(): PlannedField[] {
    return this.forUse('show').map((field) => this.planned(field));
  }

  /**
   * Returns undefined if the field does not exist or does not allow the use. Caches results, because a list of
   * thousands of conditions names few fields.
   */
  find(name: string, use: FieldUse): PlannedField | undefined {
    const known = this.found[use];
    if (!known.has(name)) known.set(name, this.lookUp(name, use));
    return known.get(name);
  }

  private lookUp(name: string, use: FieldUse): PlannedField | undefined {
    const exact = this.forUse(use).find((field) => field.name === name || field.puppetName === name);
    if (exact) return this.planned(exact);
    const dotted = readDottedName(name);
    if (!dotted) return undefined;
    const container = this.present.find((field) => field.name === dotted.container && this.hasMembers(field, use));
    const kind = container && this.kind(container).member?.(dotted.steps);
    // PuppetDB prints dotted names in lower case.
    return kind && { label: name.toLowerCase(), kind, field: container };
  }

  private hasMembers({ uses, members }: Field, use: FieldUse): boolean {
    if (members) return members.uses.includes(use) && this.language.has(members.addition);
    return use !== 'order' && uses?.includes(use) !== false;
  }

  compared(ref: FieldRef): Compared {
    const { keyed } = this.entity;
    if (ref.kind === 'name' || !keyed || !Object.hasOwn(keyed, ref.container)) return this.queryable(nameOf(ref));
    return { label: ref.key, kind: keyed[ref.container]!(ref.key) };
  }

  queryable(name: string): PlannedField {
    const found = this.find(name, 'ask');
    if (found) return found;
    throw this.notQueryable(name);
  }

  notQueryable(name: string): Fault {
    const known = this.names('ask').sort();
    return malformed(
      'field',
      `'${excerpt(name)}' is not a queryable object for ${this.entity.title}. ` +
        `Known queryable objects are ${enumerate(known.map(quoted))}`,
      hintFor(name, known),
    );
  }

  extracted(ref: FieldRef): PlannedField {
    const found = this.findExtracted(ref);
    if (found) return found;
    throw this.unknownColumns([ref]);
  }

  /** Throws one fault that names all fields that cannot be extracted. */
  checkExtracted(refs: readonly FieldRef[]): void {
    const unknown = refs.filter((ref) => !this.findExtracted(ref));
    if (unknown.length > 0) throw this.unknownColumns(unknown);
  }

  private findExtracted(ref: FieldRef): PlannedField | undefined {
    return ref.kind === 'name' ? this.find(ref.name, 'show') : undefined;
  }

  private unknownColumns(refs: readonly FieldRef[]): Fault {
    const names = refs.slice(0, mostNamed).map((ref) => excerpt(nameOf(ref), longestNamed));
    const others = refs.length > names.length ? `, and ${refs.length - names.length} others` : '';
    const known = this.names('show');
    return malformed(
      'field',
      `Can't extract unknown '${this.entity.name}' ${refs.length === 1 ? 'field' : 'fields'} ` +
        `${enumerate(names.map(quoted))}${others}. Acceptable fields are ${enumerate(known.map(quoted))}`,
      hintFor(names[0] ?? '', known),
    );
  }

  ordered(name: string): PlannedField {
    const found = this.find(name, 'order');
    if (found) return found;
    const known = this.names('order');
    throw malformed(
      'field',
      `Unrecognized column '${excerpt(name)}' specified in :order_by; Supported columns are ${known.map(quoted).join(', ')}`,
      hintFor(name, known),
    );
  }

  private forUse(use: FieldUse): Field[] {
    return this.present.filter((field) => field.uses === undefined || field.uses.includes(use));
  }

  private names(use: FieldUse): string[] {
    return this.forUse(use).map((field) => this.label(field));
  }

  private label(field: Field): string {
    return this.target.dialect === 'puppetdb' ? (field.puppetName ?? field.name) : field.name;
  }

  private kind(field: Field): FieldKind {
    const { kind, open } = field;
    return this.target.edition === 'open' && open !== undefined && open !== 'absent' ? open : kind;
  }

  private planned(field: Field): PlannedField {
    return { label: this.label(field), kind: this.kind(field), field };
  }
}

export const nameOf = (ref: FieldRef): string =>
  ref.kind === 'name' ? ref.name : JSON.stringify([ref.container, ref.key]);

const mostNamed = 10;
const longestNamed = 100;

const quoted = (name: string): string => `'${name}'`;

function hintFor(name: string, known: readonly string[]): { hint?: string; details?: unknown } {
  const meant = nearest(name, known);
  const hint = meant === undefined ? fieldHint(name, known) : undefined;
  if (hint !== undefined) return { hint };
  return meant === undefined ? {} : { hint: `Did you mean '${meant}'?`, details: { nearest: meant } };
}
