import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';

/** A key column of a text field. In each domain, texts with equal keys are equal. */
export interface FieldKey {
  readonly domain: 'node' | 'fact' | 'environment' | 'producer' | 'report';
  readonly value: Fragment;
  readonly needs: readonly string[];
}

export type MemberTest =
  | { readonly kind: 'equals'; readonly value: AstJson }
  | { readonly kind: 'orders'; readonly operator: Ordering; readonly value: AstJson }
  | { readonly kind: 'matches'; readonly pattern: Pattern }
  | { readonly kind: 'version'; readonly test: VersionTest }
  | { readonly kind: 'is-null'; readonly expected: boolean };

/** A value from a query as a parameter of the statement: text that PostgreSQL parses, or a boolean. */
export type Literal = string | boolean;

export interface Alternatives {
  readonly key?: FieldKey;
  /** Tests whether the field equals one of the literals. Callers must pass at least one literal. */
  oneOf(literals: readonly Literal[]): SqlTest;
}

export interface SqlTest {
  readonly kind: 'expression';
  readonly sql: Fragment;
  readonly needs: readonly string[];
}

export type FieldTest =
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SqlTest
  | { readonly kind: 'or'; readonly members: readonly FieldTest[] }
  /**
   * Contains literals instead of SQL, because the compiler merges such conditions and looks up facts by their values
   * first.
   */
  | { readonly kind: 'equals'; readonly field: Alternatives; readonly literals: readonly Literal[] }
  /**
   * True if the node has a fact that passes `test`. `dotted` is true for a name such as `facts.os.family`: under a
   * `not`, a dotted condition is unknown if the fact is missing.
   */
  | {
      readonly kind: 'fact';
      readonly node: Fragment;
      readonly steps: readonly Step[];
      readonly test: MemberTest;
      readonly dotted: boolean;
    };

export const constant = (holds: boolean): FieldTest => ({ kind: 'constant', holds });
