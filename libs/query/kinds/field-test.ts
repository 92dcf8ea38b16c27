import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';

/** A key column for the field's text. Two texts are equal if their keys in the same domain are equal. */
export interface FieldKey {
  readonly domain: 'node' | 'fact' | 'environment' | 'producer' | 'report';
  readonly value: Fragment;
  readonly needs: readonly string[];
}

/** A test of a value inside a fact, a parameter or a map. */
export type MemberTest =
  | { readonly kind: 'equals'; readonly value: AstJson }
  | { readonly kind: 'orders'; readonly operator: Ordering; readonly value: AstJson }
  | { readonly kind: 'matches'; readonly pattern: Pattern }
  | { readonly kind: 'version'; readonly test: VersionTest }
  | { readonly kind: 'is-null'; readonly expected: boolean };

/** A value of a query in the form that the statement needs: text that PostgreSQL parses, or true and false. */
export type Literal = string | boolean;

/** A field that can be compared with many literals at once. */
export interface Alternatives {
  readonly key?: FieldKey;
  /** Tests whether the field equals one of the literals. There is at least one. */
  oneOf(literals: readonly Literal[]): SqlTest;
}

/** A condition as SQL, and the joins that it needs. */
export interface SqlTest {
  readonly kind: 'expression';
  readonly sql: Fragment;
  readonly needs: readonly string[];
}

/** A condition on one field, with checked values. */
export type FieldTest =
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SqlTest
  | { readonly kind: 'or'; readonly members: readonly FieldTest[] }
  /**
   * Kept as literals, because alternatives for one field are joined, and facts are found by their values, before they
   * become SQL.
   */
  | { readonly kind: 'equals'; readonly field: Alternatives; readonly literals: readonly Literal[] }
  /**
   * The node has a fact for which the test is true. `dotted` is true for a name such as `facts.os.family`. Under a
   * `not`, such a condition is unknown if the fact is missing.
   */
  | {
      readonly kind: 'fact';
      readonly node: Fragment;
      readonly steps: readonly Step[];
      readonly test: MemberTest;
      readonly dotted: boolean;
    };

export const constant = (holds: boolean): FieldTest => ({ kind: 'constant', holds });
