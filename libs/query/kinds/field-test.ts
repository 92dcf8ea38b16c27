import type { Ordering, VersionTest } from '../ast/ast';
import type { Step } from '../ast/dotted-name';
import type { AstJson } from '../ast/json';
import type { Fragment } from '../sql/fragment';
import type { Pattern } from '../sql/pattern';

/** A key column of the field's text. Two texts are equal if their keys of the same domain are equal. */
export interface FieldKey {
  readonly domain: 'node' | 'fact' | 'environment' | 'producer' | 'report';
  readonly value: Fragment;
  readonly needs: readonly string[];
}

/** What a condition asks of a value inside a fact, a parameter or a map. */
export type MemberTest =
  | { readonly kind: 'equals'; readonly value: AstJson }
  | { readonly kind: 'orders'; readonly operator: Ordering; readonly value: AstJson }
  | { readonly kind: 'matches'; readonly pattern: Pattern }
  | { readonly kind: 'version'; readonly test: VersionTest }
  | { readonly kind: 'is-null'; readonly expected: boolean };

/** A value of a query as the statement takes it: text as PostgreSQL reads it, or true and false. */
export type Literal = string | boolean;

/** A field that can be compared with many literals at once. */
export interface Alternatives {
  readonly key?: FieldKey;
  /** The field equals one of the literals, of which there is at least one. */
  oneOf(literals: readonly Literal[]): SqlTest;
}

/** A condition whose SQL is known, and the joins that it needs. */
export interface SqlTest {
  readonly kind: 'expression';
  readonly sql: Fragment;
  readonly needs: readonly string[];
}

/** What a condition on one field becomes: its value is checked, and it can only be turned into SQL. */
export type FieldTest =
  | { readonly kind: 'constant'; readonly holds: boolean }
  | SqlTest
  | { readonly kind: 'or'; readonly members: readonly FieldTest[] }
  /** Tests of one field are joined, and facts are found by their values, before it becomes SQL. */
  | { readonly kind: 'equals'; readonly field: Alternatives; readonly literals: readonly Literal[] }
  /**
   * The node has a fact for which the test holds. `dotted`: the fact is named as `facts.os.family`. Under a `not` such a
   * condition is unknown, and not true, where the fact is missing.
   */
  | {
      readonly kind: 'fact';
      readonly node: Fragment;
      readonly steps: readonly Step[];
      readonly test: MemberTest;
      readonly dotted: boolean;
    };

export const constant = (holds: boolean): FieldTest => ({ kind: 'constant', holds });
