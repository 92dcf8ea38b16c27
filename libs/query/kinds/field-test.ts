import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';

/** A key column of a text field. If two texts in the same domain have equal keys, the texts are equal. */
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

/** A value from a query, in the form of a parameter of the statement: text that PostgreSQL parses, or a boolean. */
export type Literal = string | boolean;

/** A field that can be compared with several literals in one SQL condition. */
export interface Alternatives {
  readonly key?: FieldKey;
  /** Tests whether the field equals one of the literals. The list must not be empty. */
  oneOf(literals: readonly Literal[]): SqlTest;
}

export interface SqlTest {
  readonly kind: 'expression';
  readonly sql: Fragment;
  readonly needs: readonly string[];
}

/** A condition on one field. All its values have been checked. */
export type FieldTest =
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SqlTest
  | { readonly kind: 'or'; readonly members: readonly FieldTest[] }
  /**
   * Contains literals instead of SQL, because the compiler can still change the condition: it joins alternatives for
   * one field, and looks up facts by their values first.
   */
  | { readonly kind: 'equals'; readonly field: Alternatives; readonly literals: readonly Literal[] }
  /**
   * The condition that the node has a fact for which `test` is true. `dotted` is true for a name such as
   * `facts.os.family`. If the fact is missing, a dotted condition under a `not` is unknown.
   */
  | {
      readonly kind: 'fact';
      readonly node: Fragment;
      readonly steps: readonly Step[];
      readonly test: MemberTest;
      readonly dotted: boolean;
    };

export const constant = (holds: boolean): FieldTest => ({ kind: 'constant', holds });
